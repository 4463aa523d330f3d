/* leukocyte.c - detection of cells: a score of each pixel by circles around it, and its dilation; then
 * the cells are followed (leukocyte_track.c).
 *
 * Works after Tabbakh 2018 section 6.3 (Leukocyte, Rodinia).  Kept: the gradient inverse coefficient
 * of variation (GICOV) on up to seven circles of up to 150 points, a CTA per column, tables in
 * constant memory, and the dilation by a disc.  Left out: textures, the gradient of a video's frame
 * (here it is drawn at random), and the host's choice of cells from the scores.  Loads:
 * gradient_x[x * rows + y] and gradient_y, one or two lines for neighbours in a column, each pixel by
 * all circles through it.
 *
 * form=rodinia is the suite's own (2.x): the same GICOV; the dilation in CTAs of 176 threads, as many
 * as come nearest to the pixels, with a disc of floats, storing a line a lane; and fields partly in
 * double precision (leukocyte_track_rodinia.c).  The suite loads gradients and scores as textures; no
 * machine here has a texture cache, so they go through the L1D.
 */
#include "workloads/check.h"
#include "workloads/leukocyte/leukocyte_track.h"
#include "workloads/run.h"

enum { MOST_CIRCLES = 7, MOST_POINTS = 150, MOST_RADIUS = 12, LEAST_CIRCLE = 8, MARGIN = 22 };
enum { DILATE_BLOCK = 64, DILATE_BLOCK_RODINIA = 176, MOST_DISC = 2 * MOST_RADIUS + 1 };

static const struct workload_param params[] = {
    {"columns", WORKLOAD_NUMBER, 1, 4096, "columns with a score, a CTA each"},
    {"rows", WORKLOAD_NUMBER, 1, 1024, "rows with a score, a thread each"},
    {"circles", WORKLOAD_NUMBER, 1, MOST_CIRCLES, "circles, radius 8, 10, 12, ..."},
    {"points", WORKLOAD_NUMBER, 8, MOST_POINTS, "points of a circle"},
    {"radius", WORKLOAD_NUMBER, 1, MOST_RADIUS, "radius of the dilation's disc"},
    {"cells", WORKLOAD_NUMBER, 0, 1024, "cells that are followed, a CTA each"},
    {"frames", WORKLOAD_NUMBER, 1, 64, "through so many frames, a launch each"},
    {"steps", WORKLOAD_NUMBER, 1, 1000, "of a cell's field in a frame, at most"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia"},
    {0},
};

/* The suite has seven circles of 150 points and a radius of 12, and follows 36 cells through five
 * frames, 500 steps at most. */
static const struct workload_size sizes[] = {
    {"tiny", "columns=12,rows=32,circles=2,points=20,radius=2,cells=2,frames=1,steps=3,form=lean"},
    {"small",
     "columns=32,rows=64,circles=4,points=50,radius=6,cells=16,frames=2,steps=20,form=lean"},
    {"doc",
     "columns=128,rows=128,circles=7,points=150,radius=12,cells=36,frames=5,steps=500,form=lean"},
    /* 219 x 640 pixels of testfile.avi, and two of its five frames: each takes 18 million cycles. */
    {"rodinia", "columns=596,rows=175,circles=7,points=150,radius=12,cells=36,frames=2,steps=500,"
                "form=rodinia"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "gicov",
     .load = 0,
     .nreq = 1,
     .nreq_max = 2,
     .stride_bytes = 4,
     .what = "gradient_x[x * rows + y]"},
    {.kernel = "gicov",
     .load = 1,
     .nreq = 1,
     .nreq_max = 2,
     .stride_bytes = 4,
     .what = "gradient_y[x * rows + y]"},
    {.kernel = "track", .load = 0, .nreq = 1, .stride_bytes = 0, .what = "motions[blockIdx.x].x"},
    {0},
};

struct problem {
    bool is_lean;
    uint32_t columns, rows, circles, points, radius; /* with the margins */
    float *gradient[2];
    float sine[MOST_POINTS], cosine[MOST_POINTS];
    int32_t x[MOST_CIRCLES * MOST_POINTS], y[MOST_CIRCLES * MOST_POINTS];
    uint8_t disc[MOST_DISC * MOST_DISC];
    float disc_f32[MOST_DISC * MOST_DISC];
    float *score, *dilated;
};

static void make_tables(struct problem *p)
{
    const double turn = 2 * acos(-1);
    const int32_t radius = (int32_t)p->radius, across = 2 * radius + 1;
    for (uint32_t n = 0; n < p->points; n++) {
        const double angle = turn * n / p->points;
        p->sine[n] = (float)sin(angle);
        p->cosine[n] = (float)cos(angle);
        for (uint32_t k = 0; k < p->circles; k++) {
            const double length = LEAST_CIRCLE + 2 * k;
            p->x[k * p->points + n] = (int32_t)(length * cos(angle));
            p->y[k * p->points + n] = (int32_t)(length * sin(angle));
        }
    }
    for (int32_t a = -radius; a <= radius; a++) {
        for (int32_t b = -radius; b <= radius; b++) {
            const int32_t at = (a + radius) * across + b + radius;
            p->disc[at] = a * a + b * b <= radius * radius;
            p->disc_f32[at] = p->disc[at];
        }
    }
}

static struct problem make(struct run *run)
{
    static const char *const forms[] = {"lean", "rodinia"};
    struct problem p = {.is_lean = run_word(run, "form", forms, 2) == 0,
                        .columns = run_u32(run, "columns") + 2 * MARGIN,
                        .rows = run_u32(run, "rows") + 2 * MARGIN,
                        .circles = run_u32(run, "circles"),
                        .points = run_u32(run, "points"),
                        .radius = run_u32(run, "radius")};
    const size_t n = (size_t)p.columns * p.rows;
    if (!p.is_lean && n % DILATE_BLOCK_RODINIA >= DILATE_BLOCK_RODINIA / 2) {
        run_refuse(run,
                   "columns=%u, rows=%u; form=rodinia rounds their %zu pixels up to CTAs of %d and "
                   "stores beyond the frame, use others",
                   p.columns - 2 * MARGIN, p.rows - 2 * MARGIN, n, DILATE_BLOCK_RODINIA);
    }
    make_tables(&p);
    for (int d = 0; d < 2; d++) {
        p.gradient[d] = run_random_f32(run, n);
    }
    p.score = RUN_ARRAY(run, float, n);
    p.dilated = RUN_ARRAY(run, float, n);
    return p;
}

static struct approx exact(float value)
{
    return approx_exact((double)value);
}

/* One circle's score: the square of the mean by the variance, as the device steps to it. */
static struct approx expect_circle(const struct problem *p, uint32_t i, uint32_t j, uint32_t k)
{
    struct approx sum = approx_exact(0), mean = approx_exact(0), m2 = approx_exact(0);
    for (uint32_t n = 0; n < p->points; n++) {
        const int64_t x = (int64_t)i + p->x[k * p->points + n];
        const int64_t at = x * p->rows + (int64_t)j + p->y[k * p->points + n];
        const struct approx along = approx_mad(
            exact(p->gradient[0][at]), exact(p->cosine[n]),
            approx_mul(exact(p->gradient[1][at]), exact(p->sine[n])));
        const struct approx delta = approx_sub(along, mean);
        sum = approx_add(sum, along);
        mean = approx_add(mean, approx_div(delta, approx_exact(n + 1)));
        m2 = approx_mad(delta, approx_sub(along, mean), m2);
    }
    mean = approx_div(sum, approx_exact(p->points));
    return approx_div(approx_mul(mean, mean), approx_div(m2, approx_exact(p->points - 1)));
}

/* The largest of several is no farther away than any of them can be. */
static struct approx expect_score(const struct problem *p, uint32_t i, uint32_t j)
{
    struct approx best = approx_exact(0);
    for (uint32_t k = 0; k < p->circles; k++) {
        const struct approx here = expect_circle(p, i, j, k);
        best.value = here.value > best.value ? here.value : best.value;
        best.bound = here.bound > best.bound ? here.bound : best.bound;
    }
    return best;
}

static bool has_score(const struct problem *p, uint32_t i, uint32_t j)
{
    return i >= MARGIN && i < p->columns - MARGIN && j >= MARGIN && j < p->rows - MARGIN;
}

static void check_scores(const struct problem *p, struct run *run)
{
    struct approx *want = RUN_ARRAY(run, struct approx, (size_t)p->columns * p->rows);
    for (uint32_t i = 0; !run->failed && i < p->columns; i++) {
        for (uint32_t j = 0; j < p->rows; j++) {
            const bool has = has_score(p, i, j);
            want[(size_t)i * p->rows + j] = has ? expect_score(p, i, j) : approx_exact(0);
        }
    }
    if (!run->failed) {
        check_f32(run->result, "score", p->score, want, (size_t)p->columns * p->rows);
    }
}

static uint32_t dilate_ctas(const struct problem *p)
{
    const uint32_t n = p->columns * p->rows;
    return p->is_lean ? cover(n, DILATE_BLOCK) : n / DILATE_BLOCK_RODINIA;
}

/* Of the scores as they are: a maximum is exact. */
static float best_around(const struct problem *p, int64_t i, int64_t j)
{
    const int64_t radius = p->radius;
    float best = 0;
    for (int64_t x = i - radius; x <= i + radius; x++) {
        for (int64_t y = j - radius; y <= j + radius; y++) {
            const int64_t dx = x - i, dy = y - j;
            if (x >= 0 && x < p->columns && y >= 0 && y < p->rows &&
                dx * dx + dy * dy <= radius * radius) {
                best = fmaxf(best, p->score[x * p->rows + y]);
            }
        }
    }
    return best;
}

/* The suite's last pixels have no thread where CTAs do not come out even. */
static void check_dilated(const struct problem *p, struct workload_result *result)
{
    const int64_t columns = p->columns, rows = p->rows;
    const int64_t threads = (int64_t)dilate_ctas(p) *
                            (p->is_lean ? DILATE_BLOCK : DILATE_BLOCK_RODINIA);
    for (int64_t pixel = 0; pixel < columns * rows; pixel++) {
        const int64_t i = pixel / rows, j = pixel % rows;
        const int64_t at = p->is_lean ? pixel : j * columns + i;
        const float best = pixel < threads ? best_around(p, i, j) : 0;
        check_that(result, p->dilated[at] == best, "dilated[%lld] is %.9g; the reference is %.9g",
                   (long long)at, (double)p->dilated[at], (double)best);
    }
}

static void write_tables(struct run *run, const struct problem *p)
{
    run_write_symbol(run, "sine", p->sine, sizeof p->sine);
    run_write_symbol(run, "cosine", p->cosine, sizeof p->cosine);
    run_write_symbol(run, "circle_x", p->x, sizeof p->x);
    run_write_symbol(run, "circle_y", p->y, sizeof p->y);
    if (p->is_lean) {
        run_write_symbol(run, "disc", p->disc, sizeof p->disc);
    } else {
        run_write_symbol(run, "strel", p->disc_f32, sizeof p->disc_f32);
    }
}

static void launch_dilate(struct run *run, const struct problem *p, gpu_ptr score, gpu_ptr dilated)
{
    const struct isa_dim3 grid = dim1(dilate_ctas(p));
    if (p->is_lean) {
        RUN_LAUNCH(run, "dilate", grid, dim1(DILATE_BLOCK), host_arg_u64(score),
                   host_arg_u64(dilated), host_arg_u32(p->rows), host_arg_u32(p->columns),
                   host_arg_u32(p->radius));
        return;
    }
    RUN_LAUNCH(run, "dilate_rodinia", grid, dim1(DILATE_BLOCK_RODINIA), host_arg_u64(score),
               host_arg_u64(dilated), host_arg_u32(p->rows), host_arg_u32(p->columns),
               host_arg_u32(2 * p->radius + 1));
}

static void track(struct run *run, const struct problem *p)
{
    const uint32_t cells = run_u32(run, "cells"), steps = run_u32(run, "steps");
    const uint32_t frames = run_u32(run, "frames");
    if (cells > 0 && p->is_lean) {
        track_cells(run, cells, steps, frames);
    } else if (cells > 0) {
        track_cells_rodinia(run, cells, steps, frames, p->columns);
    }
}

static int run_leukocyte(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "leukocyte/leukocyte.ptx");
    struct problem p = make(&run);
    const size_t n = (size_t)p.columns * p.rows, bytes = n * sizeof(float);
    if (run.failed) {
        return run_end(&run);
    }
    write_tables(&run, &p);
    const gpu_ptr gradient_x = run_upload(&run, "gradient_x", p.gradient[0], bytes);
    const gpu_ptr gradient_y = run_upload(&run, "gradient_y", p.gradient[1], bytes);
    const gpu_ptr score = run_alloc(&run, "score", bytes);
    const gpu_ptr dilated = run_alloc(&run, "dilated", bytes);
    RUN_LAUNCH(&run, "gicov", dim1(p.columns - 2 * MARGIN), dim1(p.rows - 2 * MARGIN),
               host_arg_u64(gradient_x), host_arg_u64(gradient_y), host_arg_u64(score),
               host_arg_u32(p.rows), host_arg_u32(MARGIN), host_arg_u32(p.circles),
               host_arg_u32(p.points));
    launch_dilate(&run, &p, score, dilated);
    run_download(&run, p.score, score, bytes);
    run_download(&run, p.dilated, dilated, bytes);
    check_scores(&p, &run);
    check_dilated(&p, result);
    track(&run, &p);
    return run_end(&run);
}

const struct workload workload_leukocyte = {
    .name = "leukocyte",
    .title = "cells found by circles around pixels (GICOV), and followed (MGVF)",
    .source = "Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_leukocyte,
};
