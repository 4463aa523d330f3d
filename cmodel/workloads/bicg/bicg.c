/* bicg.c - BICG: q = A p, s = A^T r.
 *
 * bicg_rows: the matrix load is fully divergent (stride 4n bytes: 32 KB, 32 requests,
 * each line used again for 32 iterations), the vector load a broadcast.
 * bicg_cols: the matrix load is coalesced (1 request), the vector load a broadcast.
 * Sums are stored every iteration.  No branch divergence.
 */
#include "workloads/matvec.h"

static const struct workload_expect expect[] = {
    MATVEC_EXPECT("bicg_rows", "bicg_cols"),
    {0},
};

static int run_bicg(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    static const struct matvec bicg = {
        .module = "bicg/bicg.ptx",
        .rows_kernel = "bicg_rows",
        .cols_kernel = "bicg_cols",
    };
    return matvec_run(&bicg, host, size, seed, result);
}

const struct workload workload_bicg = {
    .name = "bicg",
    .title = "BICG: q = A p, s = A^T r",
    .source = "wang2015-divergence section 6, [D-WL-1]",
    .params = matvec_params,
    .sizes = matvec_sizes,
    .expect = expect,
    .run = run_bicg,
};
