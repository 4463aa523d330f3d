/* weather.c - the rain of columns of air.
 *
 * Works after Tabbakh 2018 section 6.3 (WP, ISPASS-2009).  Kept: a thread per column that walks its
 * levels up and down, and many fields and temporaries in global memory, written and read again.  Not
 * the suite's physics: in place of its scheme of five kinds of water (WSM5 of the WRF model) Kessler's
 * warm rain, with vapour, cloud and rain alone, no evaporation of rain, and a simple curve of
 * saturation.  Loads: field[level * columns + column] coalesced, columns * 4 bytes from level to level.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 64, FIELDS = 5, MOST_LEVELS = 128 };
enum field { DENSITY, HEAT, VAPOUR, CLOUD, RAIN };

static const struct workload_param params[] = {
    {"columns", WORKLOAD_NUMBER, 32, 1 << 20, "columns, a thread each; a multiple of 32"},
    {"levels", WORKLOAD_NUMBER, 2, MOST_LEVELS, "levels of a column"},
    {"steps", WORKLOAD_NUMBER, 1, 16, "steps of time"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "columns=256,levels=8,steps=2"},
    {"small", "columns=2048,levels=16,steps=3"},
    {"doc", "columns=8192,levels=35,steps=5"},
    {0},
};

#define FIELD(load_, what_) \
    { \
        .kernel = "weather", .load = load_, .nreq = 1, .stride_bytes = 4, .what = what_ \
    }
static const struct workload_expect expect[] = {
    FIELD(2, "density[level * columns + column]"), FIELD(3, "rain[level * columns + column]"), {0}};

static const float step_seconds = 10;

struct sky {
    uint32_t columns, levels, steps;
    float *field[FIELDS];
};

/* Air that is thinner and colder with height, about saturated, with some cloud and rain. */
static struct sky make(struct run *run)
{
    struct sky sky = {.columns = run_u32(run, "columns"),
                      .levels = run_u32(run, "levels"),
                      .steps = run_u32(run, "steps")};
    const size_t n = (size_t)sky.columns * sky.levels;
    if (sky.columns % 32) {
        run_refuse(run, "columns=%u is no multiple of 32; use %u", sky.columns,
                   sky.columns / 32 * 32);
    }
    for (int f = 0; f < FIELDS; f++) {
        sky.field[f] = RUN_ARRAY(run, float, n);
    }
    for (size_t i = 0; !run->failed && i < n; i++) {
        const float height = (float)(i / sky.columns) / (float)sky.levels;
        sky.field[DENSITY][i] = 1.2f - 0.6f * height;
        sky.field[HEAT][i] = 295 - 30 * height + rng_f32(&run->rng);
        sky.field[VAPOUR][i] = 0.012f - 0.008f * height + 0.006f * rng_f32(&run->rng);
        sky.field[CLOUD][i] = 0.003f * rng_f32(&run->rng);
        sky.field[RAIN][i] = 0.002f * rng_f32(&run->rng);
    }
    return sky;
}

static struct approx exact(float value)
{
    return approx_exact((double)value);
}

/* max(x, least): no farther off than either can be. */
static struct approx at_least(struct approx x, struct approx least)
{
    return (struct approx){.value = fmax(x.value, least.value),
                           .bound = fmax(x.bound, least.bound)};
}

static struct approx above_zero(struct approx x)
{
    return at_least(x, approx_exact(0));
}

static struct approx power_of(struct approx x, float power)
{
    return approx_exp2(approx_mul(exact(power), approx_log2(x)));
}

/* A column as the reference has it. */
struct column {
    struct approx field[FIELDS][MOST_LEVELS], flux[MOST_LEVELS], made[MOST_LEVELS], ground;
};

static void fall(struct column *c, uint32_t levels)
{
    for (uint32_t k = 0; k < levels; k++) {
        const struct approx rho = c->field[DENSITY][k], rain = c->field[RAIN][k];
        const struct approx water = approx_mad(rho, rain, exact(1e-6f));
        const struct approx slow = approx_div(approx_exact(1), approx_sqrt(rho));
        const struct approx speed = approx_mul(
            approx_mul(exact(0.02868f), power_of(water, 0.1346f)), slow);
        c->flux[k] = approx_mul(approx_mul(approx_mul(exact(step_seconds), speed), rho), rain);
    }
}

static void make_rain(struct column *c, uint32_t levels)
{
    for (uint32_t k = 0; k < levels; k++) {
        const struct approx from_above = k + 1 < levels ? c->flux[k + 1] : approx_exact(0);
        const struct approx moved = approx_div(approx_sub(from_above, c->flux[k]),
                                               c->field[DENSITY][k]);
        const struct approx cloud = c->field[CLOUD][k], rain = c->field[RAIN][k];
        const struct approx collected = approx_mul(
            approx_mul(exact(2.2f), cloud), power_of(approx_add(rain, exact(1e-6f)), 0.875f));
        const struct approx itself = above_zero(approx_sub(cloud, exact(0.001f)));
        c->made[k] = approx_mul(exact(step_seconds), approx_mad(exact(0.001f), itself, collected));
        c->field[RAIN][k] = approx_add(above_zero(approx_add(rain, moved)), c->made[k]);
    }
}

static void condense(struct column *c, uint32_t levels)
{
    for (uint32_t k = 0; k < levels; k++) {
        const struct approx warm = approx_sub(c->field[HEAT][k], exact(273.15f));
        const struct approx most = approx_mul(approx_div(exact(0.0038f), c->field[DENSITY][k]),
                                              approx_exp2(approx_mul(exact(0.0975f), warm)));
        const struct approx excess = approx_mul(approx_exact(0.5),
                                                approx_sub(c->field[VAPOUR][k], most));
        const struct approx left = above_zero(approx_sub(c->field[CLOUD][k], c->made[k]));
        const struct approx none = {.value = -left.value, .bound = left.bound};
        const struct approx condensed = at_least(excess, none);
        c->field[VAPOUR][k] = approx_sub(c->field[VAPOUR][k], condensed);
        c->field[CLOUD][k] = approx_add(left, condensed);
        c->field[HEAT][k] = approx_mad(approx_exact(2490), condensed, c->field[HEAT][k]);
    }
}

static struct column expect_column(const struct sky *sky, uint32_t column)
{
    struct column c = {.ground = approx_exact(0)};
    for (uint32_t k = 0; k < sky->levels; k++) {
        for (int f = 0; f < FIELDS; f++) {
            c.field[f][k] = exact(sky->field[f][(size_t)k * sky->columns + column]);
        }
    }
    for (uint32_t s = 0; s < sky->steps; s++) {
        fall(&c, sky->levels);
        make_rain(&c, sky->levels);
        c.ground = approx_add(c.ground, c.flux[0]);
        condense(&c, sky->levels);
    }
    return c;
}

/* What the device has of each field, against columns computed one by one. */
struct outcome {
    float *field[FIELDS], *ground;
};

static void check(const struct sky *sky, const struct outcome *got, struct workload_result *result)
{
    static const char *const names[FIELDS] = {"density", "heat", "vapour", "cloud", "rain"};
    for (uint32_t i = 0; i < sky->columns; i++) {
        const struct column want = expect_column(sky, i);
        for (uint32_t k = 0; k < sky->levels; k++) {
            const size_t here = (size_t)k * sky->columns + i;
            for (int f = HEAT; f < FIELDS; f++) {
                check_f32_part(result, names[f], here, &got->field[f][here], &want.field[f][k], 1);
            }
        }
        check_f32_part(result, "ground", i, &got->ground[i], &want.ground, 1);
    }
}

static int run_weather(struct host *host, const struct workload_size *size, uint64_t seed,
                       struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "weather/weather.ptx");
    const struct sky sky = make(&run);
    const size_t n = (size_t)sky.columns * sky.levels, bytes = n * sizeof(float);
    struct outcome got = {.ground = RUN_ARRAY(&run, float, sky.columns)};
    for (int f = 0; f < FIELDS; f++) {
        got.field[f] = RUN_ARRAY(&run, float, n);
    }
    if (run.failed) {
        return run_end(&run);
    }
    static const char *const names[FIELDS] = {"density", "heat", "vapour", "cloud", "rain"};
    gpu_ptr field[FIELDS];
    for (int f = 0; f < FIELDS; f++) {
        field[f] = run_upload(&run, names[f], sky.field[f], bytes);
    }
    const gpu_ptr flux = run_alloc(&run, "flux", bytes), made = run_alloc(&run, "made", bytes);
    const gpu_ptr ground = run_alloc(&run, "ground", sky.columns * sizeof(float));
    RUN_LAUNCH(&run, "weather", dim1(cover(sky.columns, BLOCK)), dim1(BLOCK),
               host_arg_u64(field[DENSITY]), host_arg_u64(field[HEAT]), host_arg_u64(field[VAPOUR]),
               host_arg_u64(field[CLOUD]), host_arg_u64(field[RAIN]), host_arg_u64(flux),
               host_arg_u64(made), host_arg_u64(ground), host_arg_u32(sky.columns),
               host_arg_u32(sky.levels), host_arg_u32(sky.steps), host_arg_f32(step_seconds));
    for (int f = 0; f < FIELDS; f++) {
        run_download(&run, got.field[f], field[f], bytes);
    }
    run_download(&run, got.ground, ground, sky.columns * sizeof(float));
    check(&sky, &got, result);
    return run_end(&run);
}

const struct workload workload_weather = {
    .name = "weather",
    .title = "rain of columns of air, temporaries in global memory",
    .source = "Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_weather,
};
