/* lib.c - LIBOR market model by Monte Carlo: swaptions on paths of forward rates.
 *
 * Works after Tabbakh 2018 section 6.3 (LIB, ISPASS-2009; the program is Giles').  Kept: the path's
 * rates and samples as local arrays of each thread, the portfolio of swaptions, volatilities in
 * constant memory.
 *
 * form=lean leaves out the second kernel, with derivatives, and all double precision; its samples
 * differ, where the suite gives every path the same.  Loads: samples[i * paths + path] coalesced,
 * once; the rest is local memory, a line per warp and element, with many stores.
 *
 * form=ispass is the suite's own two kernels.  The second has the Greeks: each thread stores its
 * path in 13 KB of local memory and reads it back twice, 54 MB in all; the last Greek is the only one
 * that goes to global memory.  Constants make sums double, some divisions too; the others are
 * approximate.  Samples are constants: every path has the same results, and no kernel loads from
 * global memory.  Sizes are in constant memory; stock clang loads them once before a loop, which the
 * suite's compiler may not.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 64, MOST_RATES = 80, MOST_OPTIONS = 15 };
enum form { LEAN, ISPASS };
enum { GRID = 64, MOST_BONDS = 40 }; /* of form=ispass */

static const struct workload_param params[] = {
    {"paths", WORKLOAD_NUMBER, 1, 1 << 20, "paths, a thread each"},
    {"steps", WORKLOAD_NUMBER, 1, MOST_RATES / 2, "steps of a path"},
    {"rates", WORKLOAD_NUMBER, 2, MOST_RATES, "forward rates, more than steps"},
    {"options", WORKLOAD_NUMBER, 1, MOST_OPTIONS, "swaptions of the portfolio"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or ispass (there at most 40 rates more than steps)"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "paths=512,steps=4,rates=12,options=4,form=lean"},
    {"small", "paths=2048,steps=12,rates=24,options=8,form=lean"},
    {"doc", "paths=4096,steps=40,rates=80,options=15,form=lean"},
    {"ispass", "paths=4096,steps=40,rates=80,options=15,form=ispass"}, /* the suite's run */
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "lib", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "samples[i * paths + path]"},
    {0},
};

static const float delta = 0.25f, root_delta = 0.5f;

struct model {
    enum form form;
    uint32_t paths, steps, rates, options;
    float lambda[MOST_RATES], swap_rates[MOST_OPTIONS];
    uint32_t maturities[MOST_OPTIONS];
    float *samples, *got;
    struct approx *want;
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

/* Swaptions and samples of the suite; maturities end with the rates. */
static void make_ispass(struct model *m)
{
    static const uint32_t maturities[] = {4, 8, 20, 28, 40};
    static const float swap_rates[] = {0.045f, 0.05f, 0.055f};
    const uint32_t last = m->rates - m->steps;
    for (uint32_t i = 0; i < m->options; i++) {
        m->maturities[i] = maturities[i / 3] < last ? maturities[i / 3] : last;
        m->swap_rates[i] = swap_rates[i % 3];
    }
    for (size_t i = 0; i < (size_t)m->paths * m->steps; i++) {
        m->samples[i] = 0.3f;
    }
}

static void make_lean(struct run *run, struct model *m)
{
    for (uint32_t i = 0; i < m->options; i++) {
        m->maturities[i] = 1 + (m->rates - m->steps - 1) * (i + 1) / m->options;
        m->swap_rates[i] = 0.045f + 0.01f * (float)(i % 5) / 4;
    }
    for (size_t i = 0; i < (size_t)m->paths * m->steps; i++) {
        m->samples[i] = normal_sample(&run->rng);
    }
}

static struct model make(struct run *run)
{
    static const char *const forms[] = {"lean", "ispass"};
    struct model m = {.form = (enum form)run_word(run, "form", forms, 2),
                      .paths = run_u32(run, "paths"),
                      .steps = run_u32(run, "steps"),
                      .rates = run_u32(run, "rates"),
                      .options = run_u32(run, "options")};
    if (m.rates <= m.steps) {
        run_refuse(run, "rates=%u leaves none after %u steps; use at least %u", m.rates, m.steps,
                   m.steps + 1);
    } else if (m.form == ISPASS && m.rates - m.steps > MOST_BONDS) {
        run_refuse(run, "rates=%u leaves %u after %u steps, more than %d; use fewer, or form=lean",
                   m.rates, m.rates - m.steps, m.steps, MOST_BONDS);
    }
    for (uint32_t i = 0; i < MOST_RATES; i++) {
        m.lambda[i] = 0.2f;
    }
    m.samples = RUN_ARRAY(run, float, (size_t)m.paths *m.steps);
    if (run->failed) {
        return m;
    }
    if (m.form == LEAN) {
        make_lean(run, &m);
    } else {
        make_ispass(&m);
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

/* a / b, by div.approx.f32 in form=ispass: 2 ulp more (PTX ISA, section 9.7.3). */
static struct approx quotient(const struct model *m, struct approx a, struct approx b)
{
    struct approx q = approx_div(a, b);
    q.bound += m->form == ISPASS ? 4 * APPROX_U * (fabs(q.value) + q.bound) : 0;
    return q;
}

/* Doubles of form=ispass are within the bounds of floats.  `past`, where wanted: the last rate
 * before each step and after them all. */
static void follow(const struct model *m, uint32_t path, struct approx *rates, struct approx *past)
{
    if (past) {
        past[0] = rates[m->rates - 1];
    }
    for (uint32_t step = 0; step < m->steps; step++) {
        const struct approx move = approx_mul(exact(root_delta),
                                              exact(m->samples[(size_t)step * m->paths + path]));
        struct approx v = approx_exact(0);
        for (uint32_t i = step + 1; i < m->rates; i++) {
            const struct approx lam = exact(m->lambda[i - step - 1]);
            const struct approx con = approx_mul(exact(delta), lam);
            v = approx_add(v, quotient(m, approx_mul(con, rates[i]), growth(rates[i])));
            const struct approx drift = approx_mul(
                lam, approx_sub(move, approx_mul(approx_exact(0.5), con)));
            const struct approx power = approx_mul(exact(1.44269504f),
                                                   approx_add(approx_mul(con, v), drift));
            rates[i] = approx_mul(rates[i], approx_exp2(power));
        }
        if (past) {
            past[step + 1] = rates[m->rates - 1];
        }
    }
}

struct portfolio {
    struct approx bond[MOST_RATES], swap[MOST_RATES];
    struct approx lost;             /* the options' loss, before discount */
    struct approx by_bond, by_swap; /* how it moves with those of the last rate */
};

static void price(const struct model *m, const struct approx *rates, struct portfolio *p)
{
    struct approx b = approx_exact(1), s = approx_exact(0);
    for (uint32_t i = m->steps; i < m->rates; i++) {
        b = quotient(m, b, growth(rates[i]));
        s = approx_mad(exact(delta), b, s);
        p->bond[i - m->steps] = b;
        p->swap[i - m->steps] = s;
    }
}

/* -100 where the option loses, else 0; in doubt both. */
static struct approx weight_of(struct approx loss)
{
    if (loss.value - loss.bound > 0) {
        return approx_exact(-100);
    }
    return loss.value + loss.bound > 0 ? (struct approx){.value = -50, .bound = 50}
                                       : approx_exact(0);
}

static struct portfolio value_portfolio(const struct model *m, const struct approx *rates)
{
    struct portfolio p = {.lost = approx_exact(0)};
    price(m, rates, &p);
    for (uint32_t i = 0; i < m->options; i++) {
        const uint32_t at = m->maturities[i] - 1;
        const struct approx rate = exact(m->swap_rates[i]);
        struct approx loss = approx_sub(approx_exact(1), approx_mad(rate, p.swap[at], p.bond[at]));
        if (at == m->rates - m->steps - 1) {
            p.by_swap = approx_mad(weight_of(loss), rate, p.by_swap);
            p.by_bond = approx_add(p.by_bond, weight_of(loss));
        }
        /* where the sign is in doubt, zero and the loss are within its bound */
        if (loss.value < 0) {
            loss.bound = loss.value + loss.bound > 0 ? loss.bound : 0;
            loss.value = 0;
        }
        p.lost = approx_mad(approx_exact(100), loss, p.lost);
    }
    return p;
}

static struct approx discounted(const struct model *m, const struct approx *rates, struct approx v)
{
    for (uint32_t i = 0; i < m->steps; i++) {
        v = approx_div(v, growth(rates[i]));
    }
    return v;
}

/* How the value moves with the last rate, by the rule of chains back along the path: the only Greek
 * that is stored, and no other enters it. */
static struct approx last_greek(const struct model *m, const struct portfolio *p,
                                struct approx discount, const struct approx *past)
{
    const struct approx by_bond = approx_mad(exact(delta), p->by_swap, p->by_bond);
    struct approx greek = approx_mul(approx_sub(approx_exact(0), by_bond),
                                     p->bond[m->rates - m->steps - 1]);
    greek = approx_mul(greek, quotient(m, exact(delta), growth(past[m->steps])));
    greek = approx_mul(discount, greek);
    for (uint32_t step = m->steps; step-- > 0;) {
        const struct approx before = past[step], after = past[step + 1];
        const struct approx lam = exact(m->lambda[m->rates - step - 2]);
        const struct approx v = approx_mul(approx_mul(lam, after), greek);
        const struct approx of_rate = quotient(m, exact(delta), growth(before));
        const struct approx by_drift = approx_mul(approx_mul(approx_mul(v, lam), of_rate), of_rate);
        greek = approx_mad(greek, quotient(m, after, before), by_drift);
    }
    return greek;
}

static void start(const struct model *m, struct approx *rates)
{
    for (uint32_t i = 0; i < m->rates; i++) {
        rates[i] = exact(0.05f);
    }
}

static void run_lean(struct run *run, const struct model *m)
{
    const gpu_ptr samples = run_upload(run, "samples", m->samples,
                                       (size_t)m->paths * m->steps * sizeof(float));
    const gpu_ptr values = run_alloc(run, "values", m->paths * sizeof(float));
    RUN_LAUNCH(run, "lib", dim1(cover(m->paths, BLOCK)), dim1(BLOCK), host_arg_u64(samples),
               host_arg_u64(values), host_arg_u32(m->paths), host_arg_u32(m->steps),
               host_arg_u32(m->rates), host_arg_u32(m->options), host_arg_f32(delta),
               host_arg_f32(root_delta));
    run_download(run, m->got, values, m->paths * sizeof(float));
    for (uint32_t path = 0; path < m->paths; path++) {
        struct approx rates[MOST_RATES];
        start(m, rates);
        follow(m, path, rates, NULL);
        m->want[path] = discounted(m, rates, value_portfolio(m, rates).lost);
    }
    check_f32(run->result, "values", m->got, m->want, m->paths);
}

/* Every path has the same result. */
static void check_all(struct run *run, const struct model *m, const char *name, gpu_ptr from,
                      struct approx want)
{
    for (uint32_t path = 0; path < m->paths; path++) {
        m->want[path] = want;
    }
    run_download(run, m->got, from, m->paths * sizeof(float));
    check_f32(run->result, name, m->got, m->want, m->paths);
}

static void run_ispass(struct run *run, const struct model *m)
{
    struct approx rates[MOST_RATES], past[MOST_RATES / 2 + 1];
    start(m, rates);
    follow(m, 0, rates, past);
    const struct portfolio portfolio = value_portfolio(m, rates);
    const struct approx discount = discounted(m, rates, approx_exact(1));
    const struct approx value = approx_mul(discount, portfolio.lost);
    run_write_symbol(run, "n_rates", &m->rates, sizeof m->rates);
    run_write_symbol(run, "n_steps", &m->steps, sizeof m->steps);
    run_write_symbol(run, "n_options", &m->options, sizeof m->options);
    run_write_symbol(run, "period", &delta, sizeof delta);
    const gpu_ptr values = run_alloc(run, "values", m->paths * sizeof(float));
    const gpu_ptr by_rate = run_alloc(run, "greeks", m->paths * sizeof(float));
    RUN_LAUNCH(run, "lib_ispass", dim1(GRID), dim1(BLOCK), host_arg_u64(values),
               host_arg_u32(m->paths));
    check_all(run, m, "values", values, value);
    RUN_LAUNCH(run, "lib_greeks_ispass", dim1(GRID), dim1(BLOCK), host_arg_u64(values),
               host_arg_u64(by_rate), host_arg_u32(m->paths));
    check_all(run, m, "values with Greeks", values, value);
    check_all(run, m, "greeks", by_rate, last_greek(m, &portfolio, discount, past));
}

static int run_lib(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "lib/lib.ptx");
    struct model m = make(&run);
    m.got = RUN_ARRAY(&run, float, m.paths);
    m.want = RUN_ARRAY(&run, struct approx, m.paths);
    if (run.failed) {
        return run_end(&run);
    }
    run_write_symbol(&run, "lambda", m.lambda, sizeof m.lambda);
    run_write_symbol(&run, "maturities", m.maturities, sizeof m.maturities);
    run_write_symbol(&run, "swap_rates", m.swap_rates, sizeof m.swap_rates);
    if (m.form == LEAN) {
        run_lean(&run, &m);
    } else {
        run_ispass(&run, &m);
    }
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
