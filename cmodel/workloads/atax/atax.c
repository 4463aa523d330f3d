/* atax.c - ATAX: y = A^T (A x).
 *
 * atax_rows: the matrix load is fully divergent (stride 4n bytes: 32 KB, 32 requests,
 * each line used again for 32 iterations), the vector load a broadcast.
 * atax_cols: the matrix load is coalesced (1 request), the vector load a broadcast.
 * Sums are stored every iteration.  No branch divergence.
 */
#include "workloads/matvec.h"

static const struct workload_expect expect[] = {
    MATVEC_EXPECT("atax_rows", "atax_cols"),
    {0},
};

static int run_atax(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    static const struct matvec atax = {
        .module = "atax/atax.ptx",
        .rows_kernel = "atax_rows",
        .cols_kernel = "atax_cols",
        .chained = true,
    };
    return matvec_run(&atax, host, size, seed, result);
}

const struct workload workload_atax = {
    .name = "atax",
    .title = "ATAX: y = A^T (A x)",
    .source = "wang2015-divergence section 6, aci-iacm-blpp section 6.2",
    .params = matvec_params,
    .sizes = matvec_sizes,
    .expect = expect,
    .run = run_atax,
};
