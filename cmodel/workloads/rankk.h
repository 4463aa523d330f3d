/* rankk.h - the host program shared by SYRK and SYR2K.
 *
 * Works after Wang 2015 section 6: thread (i, j) with j along the lanes computes
 * one element of the symmetric update, so that row i is a broadcast and row j
 * strides by the matrix width.  All rows j are used again by every row i of
 * threads: high locality between warps.  CTAs of 32 x 8 threads, a warp per row.
 */
#ifndef WARPLOCK_WORKLOADS_RANKK_H
#define WARPLOCK_WORKLOADS_RANKK_H

#include <stdbool.h>

#include "workloads/workload.h"

/* Parameters n, rows, trip. */
extern const struct workload_param rankk_params[];

/* `kernel` takes (a, [b,] c, alpha, beta, n, rows, trip), b when `two` matrices. */
int rankk_run(const char *module, const char *kernel, bool two, struct host *host,
              const struct workload_size *size, uint64_t seed, struct workload_result *result);

#endif
