/* sad.c - sums of absolute differences: how well each block of a frame matches a reference frame.
 *
 * Works after Tabbakh 2018 section 6.3 (SAD, Parboil).  Kept: 16-bit pixels and sums, the square
 * search range with clamped edges, the seven block shapes of H.264 by three kernels, the larger ones
 * from the sums of the smaller.
 *
 * form=plain leaves out textures, shared memory, and stores of two sums at once.  Loads: the block's
 * pixels are one word for the whole warp; the reference is 2 bytes per lane along a row of positions,
 * reused by neighbours; sums stream out.
 *
 * form=parboil is the suite's own three kernels: 61 threads of 18 positions in a row each, so that a
 * load of the reference lies in some 18 rows; a block's pixels and sums in shared memory; sums stored
 * 8 bytes a lane, and joined two in a word.  The suite loads the reference as a texture that clamps;
 * no machine here has a texture cache, so it goes through the L1D, row by row, clamped by
 * instructions: the L1D and the integer units have much more to do than there.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { MACROBLOCK = 16, BLOCKS = 41, SHAPES = 7, THREADS = 64 };
enum form { PLAIN, PARBOIL };
/* Parboil's kernels: the range, sums of a block with their padding, threads of a CTA. */
enum { PARBOIL_RANGE = 16, PARBOIL_PITCH = 1096, PARBOIL_THREADS = 61, WARP = 32 };

static const struct workload_param params[] = {
    {"width", WORKLOAD_NUMBER, MACROBLOCK, 4096, "pixels per row, a multiple of 16"},
    {"height", WORKLOAD_NUMBER, MACROBLOCK, 4096, "rows, a multiple of 16"},
    {"range", WORKLOAD_NUMBER, 1, 16, "pixels that a block is moved by, at most, each way"},
    {"form", WORKLOAD_TEXT, 0, 0, "plain or parboil (there a range of 16)"},
    {0},
};

/* The suite's search range is 16: 33 x 33 positions. */
static const struct workload_size sizes[] = {
    {"tiny", "width=32,height=16,range=4,form=plain"},
    {"small", "width=64,height=48,range=8,form=plain"},
    {"doc", "width=176,height=144,range=16,form=plain"},
    /* QCIF: the suite's default, as far as known */
    {"parboil", "width=176,height=144,range=16,form=parboil"},
    {0},
};

/* The sums of a macroblock, largest shape first; each shape is of all macroblocks together. */
static const struct shape {
    uint32_t width, height, before;
} shapes[SHAPES] = {{16, 16, 0}, {16, 8, 1}, {8, 16, 3}, {8, 8, 5},
                    {8, 4, 9},   {4, 8, 17}, {4, 4, 25}};

#define PIXEL(load_, x_) \
    { \
        .kernel = "sad_4x4", .load = load_, .nreq = 1, .stride_bytes = 0, \
        .what = "frame[(y0 + y) * width + x0 + " #x_ "]; one word" \
    }
#define SUM(kernel_, load_) \
    { \
        .kernel = kernel_, .load = load_, .nreq = 1, .nreq_max = 2, .stride_bytes = 2, \
        .what = "from[p] of the square's block " #load_ \
    }
static const struct workload_expect expect[] = {
    PIXEL(0, 0),
    PIXEL(2, 1),
    PIXEL(4, 2),
    PIXEL(6, 3),
    SUM("sad_8x8", 0),
    SUM("sad_8x8", 1),
    SUM("sad_8x8", 2),
    SUM("sad_8x8", 3),
    SUM("sad_16x16", 0),
    SUM("sad_16x16", 1),
    SUM("sad_16x16", 2),
    SUM("sad_16x16", 3),
    {0},
};

struct problem {
    enum form form;
    uint32_t width, height, range, positions, macroblocks;
    uint32_t pitch; /* sums from one block to the next */
    uint16_t *frame, *reference, *sums;
};

static size_t sums_of(const struct problem *p)
{
    return (size_t)p->macroblocks * BLOCKS * p->pitch;
}

/* The sizes; refused where they do not fit. */
static struct problem shape_of(struct run *run)
{
    static const char *const forms[] = {"plain", "parboil"};
    struct problem p = {.form = (enum form)run_word(run, "form", forms, 2),
                        .width = run_u32(run, "width"),
                        .height = run_u32(run, "height"),
                        .range = run_u32(run, "range")};
    if (p.width % MACROBLOCK || p.height % MACROBLOCK) {
        run_refuse(run, "a frame of %u x %u is not made of %d x %d macroblocks; use multiples",
                   p.width, p.height, MACROBLOCK, MACROBLOCK);
    }
    if (p.form == PARBOIL && p.range != PARBOIL_RANGE) {
        run_refuse(run, "range=%u; form=parboil has %d", p.range, PARBOIL_RANGE);
    }
    p.positions = (2 * p.range + 1) * (2 * p.range + 1);
    p.pitch = p.form == PARBOIL ? PARBOIL_PITCH : p.positions;
    p.macroblocks = p.width * p.height / (MACROBLOCK * MACROBLOCK);
    if (sums_of(&p) > INT32_MAX) {
        run_refuse(run,
                   "%u macroblocks of %u positions overflow the kernel's 32-bit index; use fewer",
                   p.macroblocks, p.positions);
    }
    return p;
}

/* Noise on a frame that has moved by some pixels: matches are not alike. */
static struct problem make(struct run *run)
{
    struct problem p = shape_of(run);
    const size_t pixels = (size_t)p.width * p.height;
    p.frame = RUN_ARRAY(run, uint16_t, pixels);
    p.reference = RUN_ARRAY(run, uint16_t, pixels);
    p.sums = RUN_ARRAY(run, uint16_t, sums_of(&p));
    for (size_t i = 0; !run->failed && i < pixels; i++) {
        p.reference[i] = (uint16_t)rng_below(&run->rng, 256);
    }
    for (size_t i = 0; !run->failed && i < pixels; i++) {
        const size_t from = (i + p.width + 2) % pixels;
        p.frame[i] = (uint16_t)((p.reference[from] + rng_below(&run->rng, 16)) % 256);
    }
    return p;
}

static uint32_t clamped(int64_t at, uint32_t n)
{
    return at < 0 ? 0 : at >= (int64_t)n ? n - 1 : (uint32_t)at;
}

/* A block's sum from its pixels, whatever its shape. */
static uint32_t expect_sum(const struct problem *p, const struct shape *shape, uint32_t x0,
                           uint32_t y0, uint32_t position)
{
    const uint32_t side = 2 * p->range + 1;
    const int64_t dx = (int64_t)(position % side) - p->range;
    const int64_t dy = (int64_t)(position / side) - p->range;
    uint32_t sum = 0;
    for (uint32_t y = y0; y < y0 + shape->height; y++) {
        for (uint32_t x = x0; x < x0 + shape->width; x++) {
            const uint32_t ry = clamped((int64_t)y + dy, p->height);
            const uint32_t rx = clamped((int64_t)x + dx, p->width);
            const int32_t difference = (int32_t)p->frame[(size_t)y * p->width + x] -
                                       (int32_t)p->reference[(size_t)ry * p->width + rx];
            sum += (uint32_t)(difference < 0 ? -difference : difference);
        }
    }
    return sum;
}

/* The k-th block of a shape in its macroblock, row by row; but in the plain form those of 8 x 4 and
 * 4 x 8 are in pairs, one for each block of 8 x 8. */
static void block_at(enum form form, const struct shape *shape, uint32_t k, uint32_t *x,
                     uint32_t *y)
{
    if (form == PLAIN && shape->width * shape->height == 32) {
        *x = k / 2 % 2 * 8 + (shape->width == 4 ? k % 2 * 4 : 0);
        *y = k / 4 * 8 + (shape->height == 4 ? k % 2 * 4 : 0);
    } else {
        const uint32_t across = MACROBLOCK / shape->width;
        *x = k % across * shape->width;
        *y = k / across * shape->height;
    }
}

static void check(const struct problem *p, struct workload_result *result)
{
    for (uint32_t s = 0; s < SHAPES; s++) {
        const struct shape *shape = &shapes[s];
        const uint32_t count = MACROBLOCK * MACROBLOCK / (shape->width * shape->height);
        for (uint32_t i = 0; i < p->macroblocks * count; i++) {
            const uint16_t *got = p->sums + ((size_t)p->macroblocks * shape->before + i) * p->pitch;
            const uint32_t macroblock = i / count, per_row = p->width / MACROBLOCK;
            uint32_t x, y;
            block_at(p->form, shape, i % count, &x, &y);
            x += macroblock % per_row * MACROBLOCK;
            y += macroblock / per_row * MACROBLOCK;
            for (uint32_t at = 0; at < p->positions; at++) {
                const uint32_t want = expect_sum(p, shape, x, y, at);
                check_that(result, got[at] == want,
                           "%ux%u block at %u, %u: sum %u of position %u; the reference is %u",
                           shape->width, shape->height, x, y, got[at], at, want);
            }
        }
    }
}

static void launch_plain(struct run *run, const struct problem *p, gpu_ptr frame, gpu_ptr reference,
                         gpu_ptr sums)
{
    RUN_LAUNCH(run, "sad_4x4", dim2(p->width / 4, p->height / 4), dim1(THREADS),
               host_arg_u64(frame), host_arg_u64(reference), host_arg_u64(sums),
               host_arg_u32(p->width), host_arg_u32(p->height), host_arg_u32(p->range));
    RUN_LAUNCH(run, "sad_8x8", dim2(4, p->macroblocks), dim1(THREADS), host_arg_u64(sums),
               host_arg_u32(p->positions));
    RUN_LAUNCH(run, "sad_16x16", dim2(1, p->macroblocks), dim1(THREADS), host_arg_u64(sums),
               host_arg_u32(p->positions));
}

static void launch_parboil(struct run *run, const struct problem *p, gpu_ptr frame,
                           gpu_ptr reference, gpu_ptr sums)
{
    const uint32_t across = p->width / MACROBLOCK, down = p->height / MACROBLOCK;
    RUN_LAUNCH(run, "sad_4x4_parboil", dim2(p->width / 4, p->height / 4), dim1(PARBOIL_THREADS),
               host_arg_u64(sums), host_arg_u64(frame), host_arg_u64(reference),
               host_arg_u32(across), host_arg_u32(down));
    RUN_LAUNCH(run, "sad_8x8_parboil", dim2(across, down), dim2(WARP, 4), host_arg_u64(sums),
               host_arg_u32(across), host_arg_u32(down));
    RUN_LAUNCH(run, "sad_16x16_parboil", dim2(across, down), dim2(WARP, 1), host_arg_u64(sums),
               host_arg_u32(across), host_arg_u32(down));
}

static int run_sad(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "sad/sad.ptx");
    const struct problem p = make(&run);
    const size_t pixels = (size_t)p.width * p.height;
    const size_t sums_bytes = sums_of(&p) * sizeof *p.sums;
    if (run.failed) {
        return run_end(&run);
    }
    const gpu_ptr frame = run_upload(&run, "frame", p.frame, pixels * sizeof *p.frame);
    const gpu_ptr reference = run_upload(&run, "reference", p.reference, pixels * sizeof *p.frame);
    const gpu_ptr sums = run_alloc(&run, "sums", sums_bytes);
    (p.form == PLAIN ? launch_plain : launch_parboil)(&run, &p, frame, reference, sums);
    run_download(&run, p.sums, sums, sums_bytes);
    check(&p, result);
    return run_end(&run);
}

const struct workload workload_sad = {
    .name = "sad",
    .title = "sums of absolute differences, seven block shapes",
    .source = "Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_sad,
};
