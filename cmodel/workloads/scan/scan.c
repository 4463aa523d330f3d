/* scan.c - exclusive prefix sum in three launches.
 *
 * scan_blocks: one 16-byte vector load per thread: 4 requests per warp, stride 16.
 * scan_add: the same, and a broadcast of the CTA's base.  The scan inside a CTA
 * lives in shared memory with a barrier per doubling; lanes below the distance
 * sit out (divergence in the first warp only).
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 256, BLOCK_WORDS = 4 * BLOCK_THREADS };

static const struct workload_param params[] = {
    {"ctas", WORKLOAD_NUMBER, 1, BLOCK_WORDS, "CTAs of 1024 words each"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "ctas=16"},
    {"small", "ctas=256"},
    {"doc", "ctas=1024"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "scan_blocks", .load = 0, .nreq = 4, .stride_bytes = 16, .what = "in[b*256 + t]"},
    {.kernel = "scan_add", .load = 1, .nreq = 4, .stride_bytes = 16, .what = "out[b*256 + t]"},
    {.kernel = "scan_add", .load = 0, .nreq = 1, .stride_bytes = 0, .what = "before[b]"},
    {0},
};

static int run_scan(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "scan/scan.ptx");
    const uint32_t ctas = run_u32(&run, "ctas"), n = ctas * BLOCK_WORDS;
    uint32_t *in = RUN_ARRAY(&run, uint32_t, n), *out = RUN_ARRAY(&run, uint32_t, n);
    uint32_t *want = RUN_ARRAY(&run, uint32_t, n);
    if (run.failed) {
        return run_end(&run);
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        in[i] = rng_u32(&run.rng);
        want[i] = sum;
        sum += in[i];
    }

    gpu_ptr dev_in = run_upload(&run, "in", in, n * sizeof(uint32_t));
    gpu_ptr dev_out = run_alloc(&run, "out", n * sizeof(uint32_t));
    /* one CTA scans the totals, hence room for its 1024 words */
    gpu_ptr dev_totals = run_alloc(&run, "totals", BLOCK_WORDS * sizeof(uint32_t));
    gpu_ptr dev_before = run_alloc(&run, "before", BLOCK_WORDS * sizeof(uint32_t));
    gpu_ptr dev_sum = run_alloc(&run, "sum", sizeof(uint32_t));
    RUN_LAUNCH(&run, "scan_blocks", dim1(ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_in),
               host_arg_u64(dev_out), host_arg_u64(dev_totals));
    RUN_LAUNCH(&run, "scan_blocks", dim1(1), dim1(BLOCK_THREADS), host_arg_u64(dev_totals),
               host_arg_u64(dev_before), host_arg_u64(dev_sum));
    RUN_LAUNCH(&run, "scan_add", dim1(ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_out),
               host_arg_u64(dev_before));
    run_download(&run, out, dev_out, n * sizeof(uint32_t));
    check_u32(result, "out", out, want, n);
    run_download(&run, out, dev_sum, sizeof(uint32_t));
    check_u32(result, "sum", out, &sum, 1);
    return run_end(&run);
}

const struct workload workload_scan = {
    .name = "scan",
    .title = "exclusive prefix sum",
    .source = "caps-prefetch section 6.1 (SCN)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_scan,
};
