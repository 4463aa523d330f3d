/* hotspot.c - temperature of a chip, two time steps per launch.
 *
 * Two loads of a 16 x 16 tile that overlaps its neighbours by four cells: a warp
 * reads two pieces of rows 4 KB apart, 64 bytes each from any multiple of 16
 * bytes on (1 to 4 requests; fewer where coordinates are clamped, and then lanes
 * share an address).  Half of a tile's threads idle in the last step.
 *
 * form=rodinia is the suite's own kernel (2.x): its step is in double precision, power lies in
 * shared memory too, and lanes beside the grid load nothing.
 *
 * A launch covers the square of 12 * tiles cells; cells beyond it keep their
 * values.  The tiles' halo of two cells allows two steps per launch.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 16, STEPS = 2, INNER = BLOCK - 2 * STEPS };

static const struct workload_param params[] = {
    {"width", WORKLOAD_NUMBER, 16, 4096, "cells along each side (stride), floats"},
    {"tiles_x", WORKLOAD_NUMBER, 1, 512, "CTAs along x"},
    {"tiles_y", WORKLOAD_NUMBER, 1, 512, "CTAs along y"},
    {"launches", WORKLOAD_NUMBER, 1, 100, "launches of two time steps"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "width=1024,tiles_x=8,tiles_y=4,launches=2,form=lean"},
    {"small", "width=1024,tiles_x=74,tiles_y=20,launches=2,form=lean"},
    {"doc", "width=1024,tiles_x=74,tiles_y=74,launches=2,form=lean"},
    {"rodinia", "width=512,tiles_x=43,tiles_y=43,launches=1,form=rodinia"}, /* the suite's run */
    {0},
};

#define LOAD(ordinal, expression) \
    { \
        .kernel = "hotspot", .load = ordinal, .nreq = 1, .nreq_max = 4, \
        .stride_bytes = WORKLOAD_STRIDE_VARIES, .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, "temperature[clamp(y)][clamp(x)]"),
    LOAD(1, "power[clamp(y)][clamp(x)]"),
    {0},
};

struct chip {
    uint32_t width;
    const float *power;
    float step, capacity, resistance_x, resistance_y, resistance_z, ambient;
    float cap, rx, ry, rz; /* step / capacity, and the conductances */
};

/* a + b - 2 c, times r */
static struct approx flow(struct approx a, struct approx b, struct approx c, float r)
{
    struct approx twice = approx_mul(approx_exact(2), c);
    return approx_mul(approx_sub(approx_add(a, b), twice), approx_exact((double)r));
}

static struct approx cell_reference(const struct chip *chip, const struct approx *t, uint32_t y,
                                    uint32_t x)
{
    const uint32_t w = chip->width, last = w - 1;
    const struct approx c = t[y * w + x];
    const struct approx north = t[(y > 0 ? y - 1 : y) * w + x];
    const struct approx south = t[(y < last ? y + 1 : y) * w + x];
    const struct approx west = t[y * w + (x > 0 ? x - 1 : x)];
    const struct approx east = t[y * w + (x < last ? x + 1 : x)];
    struct approx sum = approx_add(approx_exact((double)chip->power[y * w + x]),
                                   flow(south, north, c, chip->ry));
    sum = approx_add(sum, flow(east, west, c, chip->rx));
    struct approx sink = approx_sub(approx_exact((double)chip->ambient), c);
    sum = approx_add(sum, approx_mul(sink, approx_exact((double)chip->rz)));
    return approx_add(c, approx_mul(approx_exact((double)chip->cap), sum));
}

/* One launch of `want` in place: both steps on all cells, kept where tiles cover. */
static void reference_launch(const struct chip *chip, struct approx *want, struct approx *work[2],
                             uint32_t covered_y, uint32_t covered_x)
{
    const uint32_t w = chip->width;
    for (size_t i = 0; i < (size_t)w * w; i++) {
        work[0][i] = want[i];
    }
    for (int step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < w * w; i++) {
            work[(step + 1) % 2][i] = cell_reference(chip, work[step % 2], i / w, i % w);
        }
    }
    for (uint32_t i = 0; i < w * w; i++) {
        if (i / w < covered_y && i % w < covered_x) {
            want[i] = work[STEPS % 2][i];
        }
    }
}

static struct chip make_chip(struct run *run, uint32_t width, size_t cells)
{
    float *power = RUN_ARRAY(run, float, cells);
    for (size_t i = 0; power && i < cells; i++) {
        power[i] = rng_f32(&run->rng);
    }
    /* coefficients whose sum keeps the explicit scheme stable: cap*(2rx+2ry+rz) < 1 */
    struct chip chip = {.width = width,
                        .power = power,
                        .step = 1.0f,
                        .capacity = 4.0f,
                        .resistance_x = 2.0f,
                        .resistance_y = 8.0f / 3.0f,
                        .resistance_z = 16.0f,
                        .ambient = 80.0f,
                        .cap = 0.25f,
                        .rx = 0.5f,
                        .ry = 0.375f,
                        .rz = 0.0625f};
    return chip;
}

static void launch(struct run *run, const struct chip *chip, struct isa_dim3 grid, bool is_lean,
                   gpu_ptr from, gpu_ptr power, gpu_ptr to)
{
    if (is_lean) {
        RUN_LAUNCH(run, "hotspot", grid, dim2(BLOCK, BLOCK), host_arg_u64(from),
                   host_arg_u64(power), host_arg_u64(to), host_arg_u32(chip->width),
                   host_arg_f32(chip->cap), host_arg_f32(chip->rx), host_arg_f32(chip->ry),
                   host_arg_f32(chip->rz), host_arg_f32(chip->ambient));
        return;
    }
    RUN_LAUNCH(run, "hotspot_rodinia", grid, dim2(BLOCK, BLOCK), host_arg_u64(from),
               host_arg_u64(power), host_arg_u64(to), host_arg_u32(chip->width),
               host_arg_f32(chip->step), host_arg_f32(chip->capacity),
               host_arg_f32(chip->resistance_x), host_arg_f32(chip->resistance_y),
               host_arg_f32(chip->resistance_z), host_arg_f32(chip->ambient));
}

static int run_hotspot(struct host *host, const struct workload_size *size, uint64_t seed,
                       struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "hotspot/hotspot.ptx");
    const uint32_t width = run_u32(&run, "width"), tiles_x = run_u32(&run, "tiles_x");
    const uint32_t tiles_y = run_u32(&run, "tiles_y"), launches = run_u32(&run, "launches");
    static const char *const forms[] = {"lean", "rodinia"};
    const bool is_lean = run_word(&run, "form", forms, 2) == 0;
    const size_t cells = (size_t)width * width, bytes = cells * sizeof(float);
    const struct chip chip = make_chip(&run, width, cells);
    float *t = RUN_ARRAY(&run, float, cells);
    struct approx *want = RUN_ARRAY(&run, struct approx, cells);
    struct approx *work[2] = {RUN_ARRAY(&run, struct approx, cells),
                              RUN_ARRAY(&run, struct approx, cells)};
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < cells; i++) {
        t[i] = 70 + 20 * rng_f32(&run.rng);
        want[i] = approx_exact((double)t[i]);
    }

    gpu_ptr dev_power = run_upload(&run, "power", chip.power, bytes);
    gpu_ptr dev[2] = {run_upload(&run, "t0", t, bytes), run_upload(&run, "t1", t, bytes)};
    for (uint32_t i = 0; i < launches; i++) {
        launch(&run, &chip, dim2(tiles_x, tiles_y), is_lean, dev[i % 2], dev_power,
               dev[(i + 1) % 2]);
        reference_launch(&chip, want, work, tiles_y * INNER, tiles_x * INNER);
    }
    run_download(&run, t, dev[launches % 2], bytes);
    check_f32(result, "t", t, want, cells);
    return run_end(&run);
}

const struct workload workload_hotspot = {
    .name = "hotspot",
    .title = "chip temperature, two steps per tile",
    .source = "caps-prefetch section 6.1 (HSP), tabbakh2018-coherence section 6.2 (HS)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_hotspot,
};
