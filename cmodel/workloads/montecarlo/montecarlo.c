/* montecarlo.c - option pricing by simulation.
 *
 * One coalesced load per path (1 request, stride 4) from a table that every CTA
 * reads again: a cache-friendly loop with an exponential in it.  The payoff's
 * sign is selected without divergence; the final sum halves the active threads.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 256 };

static const struct workload_param params[] = {
    {"options", WORKLOAD_NUMBER, 1, 65535, "options, one CTA each"},
    {"paths", WORKLOAD_NUMBER, 1, 1 << 20, "simulated paths per option"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "options=8,paths=2048"},
    {"small", "options=64,paths=8192"},
    {"doc", "options=256,paths=16384"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "montecarlo", .load = 4, .nreq = 1, .stride_bytes = 4, .what = "samples[i]"},
    {0},
};

/* Exponents are base 2: log2 of the growth along a path is drift + spread * sample. */
struct option {
    float price, strike, drift, spread;
};

static struct approx thread_reference(const struct option *o, const float *samples, uint32_t paths,
                                      uint32_t t)
{
    struct approx sum = approx_exact(0);
    for (uint32_t i = t; i < paths; i += BLOCK_THREADS) {
        const struct approx growth = approx_exp2(approx_mad(approx_exact((double)o->spread),
                                                            approx_exact((double)samples[i]),
                                                            approx_exact((double)o->drift)));
        struct approx payoff = approx_sub(approx_mul(approx_exact((double)o->price), growth),
                                          approx_exact((double)o->strike));
        /* where the sign is in doubt, zero and the payoff are within its bound */
        if (payoff.value < 0) {
            payoff.bound = payoff.value + payoff.bound > 0 ? payoff.bound : 0;
            payoff.value = 0;
        }
        sum = approx_add(sum, payoff);
    }
    return sum;
}

static struct approx option_reference(const struct option *o, const float *samples, uint32_t paths)
{
    struct approx partial[BLOCK_THREADS];
    for (uint32_t t = 0; t < BLOCK_THREADS; t++) {
        partial[t] = thread_reference(o, samples, paths, t);
    }
    for (uint32_t half = BLOCK_THREADS / 2; half > 0; half /= 2) {
        for (uint32_t t = 0; t < half; t++) {
            partial[t] = approx_add(partial[t], partial[t + half]);
        }
    }
    return partial[0];
}

/* Nearly normal: twelve uniform draws less six. */
static float normal_sample(struct rng *rng)
{
    float sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += rng_f32(rng);
    }
    return sum;
}

static int run_montecarlo(struct host *host, const struct workload_size *size, uint64_t seed,
                          struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "montecarlo/montecarlo.ptx");
    const uint32_t n = run_u32(&run, "options"), paths = run_u32(&run, "paths");
    struct option *options = RUN_ARRAY(&run, struct option, n);
    float *samples = RUN_ARRAY(&run, float, paths), *sums = RUN_ARRAY(&run, float, n);
    struct approx *want = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }
    for (uint32_t i = 0; i < paths; i++) {
        samples[i] = normal_sample(&run.rng);
    }
    for (uint32_t i = 0; i < n; i++) {
        options[i].price = 20 + 20 * rng_f32(&run.rng);
        options[i].strike = 20 + 20 * rng_f32(&run.rng);
        options[i].drift = 0.1f * rng_f32_signed(&run.rng);
        options[i].spread = 0.1f + 0.3f * rng_f32(&run.rng);
        want[i] = option_reference(&options[i], samples, paths);
    }

    gpu_ptr dev_options = run_upload(&run, "options", options, n * sizeof *options);
    gpu_ptr dev_samples = run_upload(&run, "samples", samples, paths * sizeof(float));
    gpu_ptr dev_sums = run_alloc(&run, "sums", n * sizeof(float));
    RUN_LAUNCH(&run, "montecarlo", dim1(n), dim1(BLOCK_THREADS), host_arg_u64(dev_options),
               host_arg_u64(dev_samples), host_arg_u64(dev_sums), host_arg_u32(paths));
    run_download(&run, sums, dev_sums, n * sizeof(float));
    check_f32(result, "sums", sums, want, n);
    return run_end(&run);
}

const struct workload workload_montecarlo = {
    .name = "montecarlo",
    .title = "option prices by simulation",
    .source = "aci-iacm-blpp section 6.2 (OP)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_montecarlo,
};
