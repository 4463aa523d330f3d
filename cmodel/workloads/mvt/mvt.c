/* mvt.c - MVT: x1 += A y1, x2 += A^T y2.
 *
 * mvt_rows: the matrix load is fully divergent (stride 4n bytes: 32 KB, 32 requests,
 * each line used again for 32 iterations), the vector load a broadcast.
 * mvt_cols: the matrix load is coalesced (1 request), the vector load a broadcast.
 * Sums are stored every iteration.  No branch divergence.
 */
#include "workloads/matvec.h"

static const struct workload_expect expect[] = {
    MATVEC_EXPECT("mvt_rows", "mvt_cols"),
    {0},
};

static int run_mvt(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    static const struct matvec mvt = {
        .module = "mvt/mvt.ptx",
        .rows_kernel = "mvt_rows",
        .cols_kernel = "mvt_cols",
        .accumulates = true,
    };
    return matvec_run(&mvt, host, size, seed, result);
}

const struct workload workload_mvt = {
    .name = "mvt",
    .title = "MVT: x1 += A y1, x2 += A^T y2",
    .source = "wang2015-divergence section 6, [D-WL-1]",
    .params = matvec_params,
    .sizes = matvec_sizes,
    .expect = expect,
    .run = run_mvt,
};
