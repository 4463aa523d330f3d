/* vecadd.c - c = a + b, the smallest workload: three coalesced streams.
 *
 * Both loads: one 128-byte line per warp, stride 4 bytes, no divergence except
 * in the last warp of a length that is no multiple of 32.
 */
#include "workloads/check.h"
#include "workloads/run.h"

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 1, 1 << 26, "the vectors' length, elements"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=1000"},
    {"small", "n=262144"},
    {"doc", "n=1048576"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "vecadd", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "a[i]"},
    {.kernel = "vecadd", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "b[i]"},
    {0},
};

static int run_vecadd(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "vecadd/vecadd.ptx");
    const uint32_t n = run_u32(&run, "n");
    const size_t bytes = n * sizeof(float);
    float *a = run_random_f32(&run, n), *b = run_random_f32(&run, n);
    float *c = RUN_ARRAY(&run, float, n);
    struct approx *want = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }

    gpu_ptr dev_a = run_upload(&run, "a", a, bytes), dev_b = run_upload(&run, "b", b, bytes);
    gpu_ptr dev_c = run_alloc(&run, "c", bytes);
    RUN_LAUNCH(&run, "vecadd", dim1(cover(n, 256)), dim1(256), host_arg_u64(dev_a),
               host_arg_u64(dev_b), host_arg_u64(dev_c), host_arg_u32(n));
    run_download(&run, c, dev_c, bytes);

    for (uint32_t i = 0; i < n; i++) {
        want[i] = approx_add(approx_exact((double)a[i]), approx_exact((double)b[i]));
    }
    check_f32(result, "c", c, want, n);
    return run_end(&run);
}

const struct workload workload_vecadd = {
    .name = "vecadd",
    .title = "vector addition",
    .source = "a baseline of this project",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_vecadd,
};
