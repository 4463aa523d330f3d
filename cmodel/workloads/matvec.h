/* matvec.h - the host program shared by ATAX, BICG and MVT.
 *
 * Works after Wang 2015 section 6 and [D-WL-1]: a kernel with a row per thread
 * and one with a column per thread over the same matrix; the width (stride) and
 * the thread count are kept.  `doc` is whole; `drift` is cut in the trip count with staggered
 * starts (first_column.h), `cut` without them, which overstates what an index does.
 */
#ifndef WARPLOCK_WORKLOADS_MATVEC_H
#define WARPLOCK_WORKLOADS_MATVEC_H

#include "workloads/workload.h"

struct matvec {
    const char *module;
    const char
        *rows_kernel; /* (a, in, out, pitch, threads, trip, skew): out[i] += a[i][j] * in[j] */
    const char *cols_kernel; /* these but skew: out[j] += a[i][j] * in[i] */
    bool chained;            /* the rows kernel's output is the cols kernel's input */
    bool accumulates;        /* outputs start from random values instead of zero */
};

/* Parameters n, threads, trip, skew. */
extern const struct workload_param matvec_params[];
extern const struct workload_size matvec_sizes[];

/* Loads of the two kernels: per iteration the matrix and the input vector, and
 * the output vector once before the loop. */
#define MATVEC_EXPECT(rows, cols) \
    {.kernel = rows, .load = 0, .nreq = 1, .stride_bytes = 4, .what = "out[i]"}, \
        {.kernel = rows, .load = 1, .nreq = 32, .stride_bytes = 8192 * 4, .what = "a[i*n + j]"}, \
        {.kernel = rows, .load = 2, .nreq = 1, .stride_bytes = 0, .what = "in[j]"}, \
        {.kernel = cols, .load = 0, .nreq = 1, .stride_bytes = 4, .what = "out[j]"}, \
        {.kernel = cols, .load = 1, .nreq = 1, .stride_bytes = 4, .what = "a[i*n + j]"}, \
    { \
        .kernel = cols, .load = 2, .nreq = 1, .stride_bytes = 0, .what = "in[i]" \
    }

int matvec_run(const struct matvec *matvec, struct host *host, const struct workload_size *size,
               uint64_t seed, struct workload_result *result);

#endif
