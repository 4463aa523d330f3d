/* jacobi1d.c - the three-point average, a launch per step.
 *
 * Three loads of stride 4: a[i-1] and a[i+1] straddle a line boundary (2
 * requests), a[i] does not (1).  256-thread CTAs, no predicates, no divergence.
 */
#include "workloads/check.h"
#include "workloads/run.h"

/* The element before the first needs room; a line of it keeps a[0] on a boundary. */
enum { BLOCK_THREADS = 256, PAD = 32 };

static const struct workload_param params[] = {
    {"ctas", WORKLOAD_NUMBER, 1, 65535, "CTAs of 256 elements each"},
    {"steps", WORKLOAD_NUMBER, 1, 1000, "launches"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "ctas=16,steps=4"},
    {"small", "ctas=512,steps=8"},
    {"doc", "ctas=512,steps=20"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "jacobi1d", .load = 0, .nreq = 2, .stride_bytes = 4, .what = "a[i - 1]"},
    {.kernel = "jacobi1d", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "a[i]"},
    {.kernel = "jacobi1d", .load = 2, .nreq = 2, .stride_bytes = 4, .what = "a[i + 1]"},
    {0},
};

/* Elements PAD-1 and PAD+n are the fixed neighbours of the ends. */
static void reference_step(const struct approx *from, struct approx *to, uint32_t n)
{
    const struct approx third = approx_exact((double)0.33333f);
    for (uint32_t i = PAD; i < PAD + n; i++) {
        to[i] = approx_mul(third, approx_add(approx_add(from[i - 1], from[i]), from[i + 1]));
    }
}

static int run_jacobi1d(struct host *host, const struct workload_size *size, uint64_t seed,
                        struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "jacobi1d/jacobi1d.ptx");
    const uint32_t ctas = run_u32(&run, "ctas"), steps = run_u32(&run, "steps");
    const uint32_t n = ctas * BLOCK_THREADS, n_padded = n + 2 * PAD;
    float *a = run_random_f32(&run, n_padded);
    struct approx *want[2] = {RUN_ARRAY(&run, struct approx, n_padded),
                              RUN_ARRAY(&run, struct approx, n_padded)};
    if (run.failed) {
        return run_end(&run);
    }
    for (uint32_t i = 0; i < n_padded; i++) {
        want[0][i] = want[1][i] = approx_exact((double)a[i]);
    }

    gpu_ptr dev[2] = {run_upload(&run, "a", a, n_padded * sizeof(float)),
                      run_upload(&run, "b", a, n_padded * sizeof(float))};
    for (uint32_t step = 0; step < steps; step++) {
        RUN_LAUNCH(&run, "jacobi1d", dim1(ctas), dim1(BLOCK_THREADS),
                   host_arg_u64(dev[step % 2] + PAD * sizeof(float)),
                   host_arg_u64(dev[(step + 1) % 2] + PAD * sizeof(float)));
        reference_step(want[step % 2], want[(step + 1) % 2], n);
    }
    run_download(&run, a, dev[steps % 2], n_padded * sizeof(float));
    check_f32(result, "a", a, want[steps % 2], n_padded);
    return run_end(&run);
}

const struct workload workload_jacobi1d = {
    .name = "jacobi1d",
    .title = "Jacobi iteration in one dimension",
    .source = "caps-prefetch section 6.1 (JC1)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_jacobi1d,
};
