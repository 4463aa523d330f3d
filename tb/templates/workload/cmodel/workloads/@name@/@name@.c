/* @name@.c - y = a x + y: a beginning for a workload of your own.
 *
 * Allocate, copy, launch, read back, and compare with what the host computes by itself. */
#include "workloads/check.h"
#include "workloads/run.h"

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 1, 1 << 26, "the vectors' length, elements"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=1000"},
    {"small", "n=65536"},
    {"doc", "n=1048576"},
    {0},
};

static int run_@name@(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "@name@/@name@.ptx");
    const uint32_t n = run_u32(&run, "n");
    const size_t bytes = n * sizeof(float);
    const float a = 2.0f;
    float *x = run_random_f32(&run, n), *y = run_random_f32(&run, n);
    float *sum = RUN_ARRAY(&run, float, n);
    struct approx *want = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }

    gpu_ptr dev_x = run_upload(&run, "x", x, bytes), dev_y = run_upload(&run, "y", y, bytes);
    RUN_LAUNCH(&run, "@name@", dim1(cover(n, 256)), dim1(256), host_arg_f32(a), host_arg_u64(dev_x),
               host_arg_u64(dev_y), host_arg_u32(n));
    run_download(&run, sum, dev_y, bytes);

    for (uint32_t i = 0; i < n; i++) {
        want[i] = approx_add(approx_exact((double)a * (double)x[i]), approx_exact((double)y[i]));
    }
    check_f32(result, "y", sum, want, n);
    return run_end(&run);
}

const struct workload workload_@name@ = {
    .name = "@name@",
    .title = "y = a x + y",
    .source = "your document",
    .params = params,
    .sizes = sizes,
    .run = run_@name@,
};
