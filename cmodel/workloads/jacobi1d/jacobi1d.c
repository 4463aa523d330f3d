/* jacobi1d.c - the three-point average, step by step.
 *
 * form=swap: a launch per step, from one of two arrays to the other.  Three loads of stride 4:
 * a[i-1] and a[i+1] straddle a line boundary (2 requests), a[i] does not (1).  256-thread CTAs,
 * no predicates, no divergence.
 *
 * form=polybench is the suite's own program (PolyBench/GPU 1.0): the same loads, but the factor is
 * a constant of double precision, a second kernel copies each step's result back, and elements 0,
 * 1 and n - 1 stay as they are, so that the first and last warp diverge.  PolyBench-ACC has the
 * factor in single precision; later PolyBench/GPU computes element 1 too.  The input is random.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

/* The element before the first needs room; a line of it keeps a[0] on a boundary. */
enum { BLOCK_THREADS = 256, PAD = 32 };

static const struct workload_param params[] = {
    {"ctas", WORKLOAD_NUMBER, 1, 65535, "CTAs of 256 elements each"},
    {"steps", WORKLOAD_NUMBER, 1, 10000, "averages, each a launch (polybench: and a copy)"},
    {"form", WORKLOAD_TEXT, 0, 0, "swap or polybench"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "ctas=16,steps=4,form=swap"},
    {"small", "ctas=512,steps=8,form=swap"},
    {"doc", "ctas=512,steps=20,form=swap"},
    {"polybench", "ctas=16,steps=10000,form=polybench"}, /* the suite's run */
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

static void run_swap(struct run *run, uint32_t ctas, uint32_t steps)
{
    const uint32_t n = ctas * BLOCK_THREADS, n_padded = n + 2 * PAD;
    float *a = run_random_f32(run, n_padded);
    struct approx *want[2] = {RUN_ARRAY(run, struct approx, n_padded),
                              RUN_ARRAY(run, struct approx, n_padded)};
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; i < n_padded; i++) {
        want[0][i] = want[1][i] = approx_exact((double)a[i]);
    }

    gpu_ptr dev[2] = {run_upload(run, "a", a, n_padded * sizeof(float)),
                      run_upload(run, "b", a, n_padded * sizeof(float))};
    for (uint32_t step = 0; step < steps; step++) {
        RUN_LAUNCH(run, "jacobi1d", dim1(ctas), dim1(BLOCK_THREADS),
                   host_arg_u64(dev[step % 2] + PAD * sizeof(float)),
                   host_arg_u64(dev[(step + 1) % 2] + PAD * sizeof(float)));
        reference_step(want[step % 2], want[(step + 1) % 2], n);
    }
    run_download(run, a, dev[steps % 2], n_padded * sizeof(float));
    check_f32(run->result, "a", a, want[steps % 2], n_padded);
}

/* Both kernels of a step; what lies outside 2 .. n - 2 is not touched. */
static void polybench_step(struct approx *a, struct approx *b, uint32_t n)
{
    const struct approx third = approx_exact(0.33333);
    for (uint32_t i = 2; i < n - 1; i++) {
        b[i] = approx_mul(third, approx_add(approx_add(a[i - 1], a[i]), a[i + 1]));
    }
    memcpy(&a[2], &b[2], (n - 3) * sizeof *a);
}

static void run_polybench(struct run *run, uint32_t ctas, uint32_t steps)
{
    const uint32_t n = ctas * BLOCK_THREADS;
    float *a = run_random_f32(run, n), *b = run_random_f32(run, n);
    struct approx *want_a = RUN_ARRAY(run, struct approx, n);
    struct approx *want_b = RUN_ARRAY(run, struct approx, n);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        want_a[i] = approx_exact((double)a[i]);
        want_b[i] = approx_exact((double)b[i]);
    }

    const gpu_ptr dev_a = run_upload(run, "a", a, n * sizeof(float));
    const gpu_ptr dev_b = run_upload(run, "b", b, n * sizeof(float));
    for (uint32_t step = 0; step < steps; step++) {
        RUN_LAUNCH(run, "jacobi1d_polybench", dim1(ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_a),
                   host_arg_u64(dev_b), host_arg_u32(n));
        RUN_LAUNCH(run, "jacobi1d_polybench_copy", dim1(ctas), dim1(BLOCK_THREADS),
                   host_arg_u64(dev_a), host_arg_u64(dev_b), host_arg_u32(n));
        polybench_step(want_a, want_b, n);
    }
    run_download(run, a, dev_a, n * sizeof(float));
    run_download(run, b, dev_b, n * sizeof(float));
    check_f32(run->result, "a", a, want_a, n);
    check_f32(run->result, "b", b, want_b, n);
}

static int run_jacobi1d(struct host *host, const struct workload_size *size, uint64_t seed,
                        struct workload_result *result)
{
    static const char *const forms[] = {"swap", "polybench"};
    struct run run = run_begin(host, size, seed, result, "jacobi1d/jacobi1d.ptx");
    const uint32_t ctas = run_u32(&run, "ctas"), steps = run_u32(&run, "steps");
    if (run_word(&run, "form", forms, 2) == 0) {
        run_swap(&run, ctas, steps);
    } else {
        run_polybench(&run, ctas, steps);
    }
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
