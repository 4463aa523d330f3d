/* blackscholes.c - option pricing: streaming with arithmetic in between.
 *
 * Three coalesced loads (1 request each) and two coalesced stores per iteration
 * of a grid-stride loop, no reuse, many special functions.  The two signs of d
 * are selected without divergence.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 128 };

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 1, 1 << 24, "options"},
    {"ctas", WORKLOAD_NUMBER, 1, 65535, "CTAs of 128 threads"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=5000,ctas=10"},
    {"small", "n=131072,ctas=120"},
    {"doc", "n=1048576,ctas=480"},
    {0},
};

#define LOAD(ordinal, expression) \
    { \
        .kernel = "blackscholes", .load = ordinal, .nreq = 1, .stride_bytes = 4, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, "price[i]"),
    LOAD(1, "strike[i]"),
    LOAD(2, "years[i]"),
    {0},
};

static struct approx constant(float value)
{
    return approx_exact((double)value);
}

/* The kernel's polynomial form of the cumulative normal distribution. */
static struct approx normal(struct approx d)
{
    static const float c[] = {1.330274429f, -1.821255978f, 1.781477937f, -0.356563782f,
                              0.31938153f};
    const struct approx x = {.value = fabs(d.value), .bound = d.bound};
    const struct approx k = approx_div(constant(1),
                                       approx_mad(constant(0.2316419f), x, constant(1)));
    struct approx poly = constant(c[0]);
    for (int i = 1; i < 5; i++) {
        poly = approx_mad(k, poly, constant(c[i]));
    }
    poly = approx_mul(k, poly);
    const struct approx power = approx_mul(approx_mul(constant(-0.5f * 1.44269504f), x), x);
    const struct approx tail = approx_mul(approx_mul(constant(0.39894228f), approx_exp2(power)),
                                          poly);
    /* near d = 0 float may pick the other form, which differs by 1 - 2 tail there: as
     * the distribution is continuous, by no more than d's own error; and the formula
     * itself misses 1/2 at zero by less than 1e-7 */
    struct approx n = d.value < 0 ? tail : approx_sub(constant(1), tail);
    if (fabs(d.value) <= d.bound) {
        n.bound += d.bound + 2e-7;
    }
    return n;
}

struct option {
    float price, strike, years;
};

static void price_reference(const struct option *o, float rate_f, float volatility_f,
                            struct approx *call, struct approx *put)
{
    const struct approx s = constant(o->price), x = constant(o->strike), t = constant(o->years);
    const struct approx rate = constant(rate_f), volatility = constant(volatility_f);
    const struct approx one = constant(1);
    const struct approx spread = approx_mul(volatility, approx_sqrt(t));
    const struct approx ln = approx_mul(constant(0.69314718f), approx_log2(approx_div(s, x)));
    const struct approx half = approx_mul(approx_mul(constant(0.5f), volatility), volatility);
    const struct approx drift = approx_mul(approx_add(rate, half), t);
    const struct approx d1 = approx_div(approx_add(ln, drift), spread);
    const struct approx n1 = normal(d1), n2 = normal(approx_sub(d1, spread));
    const struct approx years = approx_mul(approx_mul(constant(-1.44269504f), rate), t);
    const struct approx discounted = approx_mul(x, approx_exp2(years));
    *call = approx_sub(approx_mul(s, n1), approx_mul(discounted, n2));
    *put = approx_sub(approx_mul(discounted, approx_sub(one, n2)),
                      approx_mul(s, approx_sub(one, n1)));
}

static float between(struct rng *rng, float low, float high)
{
    return low + (high - low) * rng_f32(rng);
}

static int run_blackscholes(struct host *host, const struct workload_size *size, uint64_t seed,
                            struct workload_result *result)
{
    const float rate = 0.02f, volatility = 0.3f;
    struct run run = run_begin(host, size, seed, result, "blackscholes/blackscholes.ptx");
    const uint32_t n = run_u32(&run, "n"), ctas = run_u32(&run, "ctas");
    const size_t bytes = n * sizeof(float);
    float *in[3], *out[2];
    struct approx *want[2];
    for (int i = 0; i < 3; i++) {
        in[i] = RUN_ARRAY(&run, float, n);
    }
    for (int i = 0; i < 2; i++) {
        out[i] = RUN_ARRAY(&run, float, n);
        want[i] = RUN_ARRAY(&run, struct approx, n);
    }
    if (run.failed) {
        return run_end(&run);
    }
    for (uint32_t i = 0; i < n; i++) {
        in[0][i] = between(&run.rng, 5, 30);
        in[1][i] = between(&run.rng, 1, 100);
        in[2][i] = between(&run.rng, 0.25f, 10);
        const struct option o = {.price = in[0][i], .strike = in[1][i], .years = in[2][i]};
        price_reference(&o, rate, volatility, &want[0][i], &want[1][i]);
    }

    gpu_ptr price = run_upload(&run, "price", in[0], bytes);
    gpu_ptr strike = run_upload(&run, "strike", in[1], bytes);
    gpu_ptr years = run_upload(&run, "years", in[2], bytes);
    gpu_ptr call = run_alloc(&run, "call", bytes), put = run_alloc(&run, "put", bytes);
    RUN_LAUNCH(&run, "blackscholes", dim1(ctas), dim1(BLOCK_THREADS), host_arg_u64(price),
               host_arg_u64(strike), host_arg_u64(years), host_arg_u64(call), host_arg_u64(put),
               host_arg_f32(rate), host_arg_f32(volatility), host_arg_u32(n));
    run_download(&run, out[0], call, bytes);
    run_download(&run, out[1], put, bytes);
    check_f32(result, "call", out[0], want[0], n);
    check_f32(result, "put", out[1], want[1], n);
    return run_end(&run);
}

const struct workload workload_blackscholes = {
    .name = "blackscholes",
    .title = "Black-Scholes option prices",
    .source = "aci-iacm-blpp section 6.2 (BLK)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_blackscholes,
};
