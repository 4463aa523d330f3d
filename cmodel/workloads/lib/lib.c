/* lib.c - LIBOR market model by Monte Carlo: swaptions on paths of forward rates.
 *
 * Works after Tabbakh 2018 section 6.3 (LIB, ISPASS-2009; the program is Giles').  Kept: the path's
 * rates and samples as local arrays of each thread, the portfolio of swaptions, volatilities in
 * constant memory.  Left out: the second kernel, with derivatives; the samples differ, where the
 * suite gives every path the same.  Loads: samples[i * paths + path] coalesced, once; the rest is
 * local memory, a line per warp and element, with many stores.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 64, MOST_RATES = 80, MOST_OPTIONS = 15 };

static const struct workload_param params[] = {
    {"paths", WORKLOAD_NUMBER, 1, 1 << 20, "paths, a thread each"},
    {"steps", WORKLOAD_NUMBER, 1, MOST_RATES / 2, "steps of a path"},
    {"rates", WORKLOAD_NUMBER, 2, MOST_RATES, "forward rates, more than steps"},
    {"options", WORKLOAD_NUMBER, 1, MOST_OPTIONS, "swaptions of the portfolio"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "paths=512,steps=4,rates=12,options=4"},
    {"small", "paths=2048,steps=12,rates=24,options=8"},
    {"doc", "paths=4096,steps=40,rates=80,options=15"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "lib", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "samples[i * paths + path]"},
    {0},
};

static const float delta = 0.25f, root_delta = 0.5f;

struct model {
    uint32_t paths, steps, rates, options;
    float lambda[MOST_RATES], swap_rates[MOST_OPTIONS];
    uint32_t maturities[MOST_OPTIONS];
    float *samples;
};

/* Nearly normal: twelve uniform draws less six. */
static float normal_sample(struct rng *rng)
{
    float sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += rng_f32(rng);
    }
    return sum;
}

static struct model make(struct run *run)
{
    struct model m = {.paths = run_u32(run, "paths"),
                      .steps = run_u32(run, "steps"),
                      .rates = run_u32(run, "rates"),
                      .options = run_u32(run, "options")};
    if (m.rates <= m.steps) {
        run_refuse(run, "rates=%u leaves none after %u steps; use at least %u", m.rates, m.steps,
                   m.steps + 1);
        return m;
    }
    for (uint32_t i = 0; i < MOST_RATES; i++) {
        m.lambda[i] = 0.2f;
    }
    for (uint32_t i = 0; i < m.options; i++) {
        m.maturities[i] = 1 + (m.rates - m.steps - 1) * (i + 1) / m.options;
        m.swap_rates[i] = 0.045f + 0.01f * (float)(i % 5) / 4;
    }
    m.samples = RUN_ARRAY(run, float, (size_t)m.paths *m.steps);
    for (size_t i = 0; !run->failed && i < (size_t)m.paths * m.steps; i++) {
        m.samples[i] = normal_sample(&run->rng);
    }
    return m;
}

static struct approx exact(float value)
{
    return approx_exact((double)value);
}

/* 1 + delta * rate. */
static struct approx growth(struct approx rate)
{
    return approx_mad(exact(delta), rate, approx_exact(1));
}

static void follow(const struct model *m, uint32_t path, struct approx *rates)
{
    for (uint32_t step = 0; step < m->steps; step++) {
        const struct approx move = approx_mul(exact(root_delta),
                                              exact(m->samples[(size_t)step * m->paths + path]));
        struct approx v = approx_exact(0);
        for (uint32_t i = step + 1; i < m->rates; i++) {
            const struct approx lam = exact(m->lambda[i - step - 1]);
            const struct approx con = approx_mul(exact(delta), lam);
            v = approx_add(v, approx_div(approx_mul(con, rates[i]), growth(rates[i])));
            const struct approx drift = approx_mul(
                lam, approx_sub(move, approx_mul(approx_exact(0.5), con)));
            const struct approx power = approx_mul(exact(1.44269504f),
                                                   approx_add(approx_mul(con, v), drift));
            rates[i] = approx_mul(rates[i], approx_exp2(power));
        }
    }
}

static struct approx value_of(const struct model *m, const struct approx *rates)
{
    struct approx bond[MOST_RATES], swap[MOST_RATES];
    struct approx b = approx_exact(1), s = approx_exact(0), v = approx_exact(0);
    for (uint32_t i = m->steps; i < m->rates; i++) {
        b = approx_div(b, growth(rates[i]));
        s = approx_mad(exact(delta), b, s);
        bond[i - m->steps] = b;
        swap[i - m->steps] = s;
    }
    for (uint32_t i = 0; i < m->options; i++) {
        const uint32_t at = m->maturities[i] - 1;
        struct approx loss = approx_sub(approx_exact(1),
                                        approx_mad(exact(m->swap_rates[i]), swap[at], bond[at]));
        /* where the sign is in doubt, zero and the loss are within its bound */
        if (loss.value < 0) {
            loss.bound = loss.value + loss.bound > 0 ? loss.bound : 0;
            loss.value = 0;
        }
        v = approx_mad(approx_exact(100), loss, v);
    }
    for (uint32_t i = 0; i < m->steps; i++) {
        v = approx_div(v, growth(rates[i]));
    }
    return v;
}

static int run_lib(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "lib/lib.ptx");
    const struct model m = make(&run);
    float *got = RUN_ARRAY(&run, float, m.paths);
    struct approx *want = RUN_ARRAY(&run, struct approx, m.paths);
    if (run.failed) {
        return run_end(&run);
    }
    host_write(host, host_symbol(host, run.module, "lambda"), m.lambda, sizeof m.lambda);
    host_write(host, host_symbol(host, run.module, "maturities"), m.maturities,
               sizeof m.maturities);
    host_write(host, host_symbol(host, run.module, "swap_rates"), m.swap_rates,
               sizeof m.swap_rates);
    const gpu_ptr samples = run_upload(&run, "samples", m.samples,
                                       (size_t)m.paths * m.steps * sizeof(float));
    const gpu_ptr values = run_alloc(&run, "values", m.paths * sizeof(float));
    RUN_LAUNCH(&run, "lib", dim1(cover(m.paths, BLOCK)), dim1(BLOCK), host_arg_u64(samples),
               host_arg_u64(values), host_arg_u32(m.paths), host_arg_u32(m.steps),
               host_arg_u32(m.rates), host_arg_u32(m.options), host_arg_f32(delta),
               host_arg_f32(root_delta));
    run_download(&run, got, values, m.paths * sizeof(float));
    for (uint32_t path = 0; path < m.paths; path++) {
        struct approx rates[MOST_RATES];
        for (uint32_t i = 0; i < m.rates; i++) {
            rates[i] = exact(0.05f);
        }
        follow(&m, path, rates);
        want[path] = value_of(&m, rates);
    }
    check_f32(result, "values", got, want, m.paths);
    return run_end(&run);
}

const struct workload workload_lib = {
    .name = "lib",
    .title = "LIBOR rates and swaptions by simulation, in local arrays",
    .source = "Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_lib,
};
