/* syr2k.c - SYR2K: C = alpha A B^T + alpha B A^T + beta C.
 *
 * Per iteration two fully divergent loads (stride 4n bytes: 1 KB, 32 requests)
 * and two broadcasts; the sum is stored every iteration, coalesced.  No branch
 * divergence.
 */
#include "workloads/rankk.h"

static const struct workload_size sizes[] = {
    {"tiny", "n=256,rows=8,trip=16"},
    {"small", "n=256,rows=64,trip=64"},
    {"cut", "n=256,rows=256,trip=128"},
    {"doc", "n=256,rows=256,trip=256"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "syr2k", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "c[i*n + j]"},
    {.kernel = "syr2k", .load = 1, .nreq = 1, .stride_bytes = 0, .what = "a[i*n + k]"},
    {.kernel = "syr2k", .load = 2, .nreq = 32, .stride_bytes = 256 * 4, .what = "b[j*n + k]"},
    {.kernel = "syr2k", .load = 3, .nreq = 1, .stride_bytes = 0, .what = "b[i*n + k]"},
    {.kernel = "syr2k", .load = 4, .nreq = 32, .stride_bytes = 256 * 4, .what = "a[j*n + k]"},
    {0},
};

static int run_syr2k(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    return rankk_run("syr2k/syr2k.ptx", "syr2k", true, host, size, seed, result);
}

const struct workload workload_syr2k = {
    .name = "syr2k",
    .title = "SYR2K: C = alpha A B^T + alpha B A^T + beta C",
    .source = "wang2015-divergence section 6",
    .params = rankk_params,
    .sizes = sizes,
    .expect = expect,
    .run = run_syr2k,
};
