/* syrk.c - SYRK: C = alpha A A^T + beta C.
 *
 * Per iteration one fully divergent load (stride 4n bytes: 2 KB, 32 requests)
 * and one broadcast; the sum is stored every iteration, coalesced.  The same 32
 * rows are read by every row of threads.  No branch divergence.
 */
#include "workloads/rankk.h"

static const struct workload_size sizes[] = {
    {"tiny", "n=512,rows=8,trip=16"},
    {"small", "n=512,rows=64,trip=64"},
    {"cut", "n=512,rows=512,trip=128"},
    {"doc", "n=512,rows=512,trip=512"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "syrk", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "c[i*n + j]"},
    {.kernel = "syrk", .load = 1, .nreq = 1, .stride_bytes = 0, .what = "a[i*n + k]"},
    {.kernel = "syrk", .load = 2, .nreq = 32, .stride_bytes = 512 * 4, .what = "a[j*n + k]"},
    {0},
};

static int run_syrk(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    return rankk_run("syrk/syrk.ptx", "syrk", false, host, size, seed, result);
}

const struct workload workload_syrk = {
    .name = "syrk",
    .title = "SYRK: C = alpha A A^T + beta C",
    .source = "wang2015-divergence section 6, aci-iacm-blpp section 6.2",
    .params = rankk_params,
    .sizes = sizes,
    .expect = expect,
    .run = run_syrk,
};
