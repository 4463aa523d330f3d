/* leukocyte_track.c - see leukocyte_track.h.
 *
 * Works after Tabbakh 2018 section 6.3 (Leukocyte, Rodinia) and Ray and Acton 2004 (motion gradient
 * vector flow).  Kept: a launch a frame, a CTA of 320 threads and 14.6 KB of shared memory a cell, 41 x 81
 * pixels around it, steps until one changes a pixel by less than 0.001 in the mean.  Left out: the crop
 * from a video's frame (here each cell is a ring of random size, contrast and motion), and the spline
 * that the host fits to the field.  Loads: edges[first + at], one or two lines, each again in every
 * step; cells of one SM take them from each other's L1D.
 *
 * A step is small sums and two fused multiply-adds in an order that the kernel fixes, so the reference
 * takes the same roundings, and is exact.
 */
#include "workloads/leukocyte/leukocyte_track.h"

#include <math.h>
#include <string.h>

#include "workloads/check.h"

enum { ROWS = 41, COLUMNS = 81, CELL = ROWS * COLUMNS, THREADS = 320 };

static const float still = 0.001f * CELL;

/* As the kernel's: to the right and down, a pixel of either sign. */
struct motion {
    float x, y;
};

struct tracked {
    uint32_t cells, most;
    struct motion *motion;
    float *radius, *contrast;            /* of a cell's ring */
    float *edges, *fields, *want, *next; /* [cells][CELL], but of `next`, which is of one */
    uint32_t *steps, *want_steps;
};

static struct tracked make(struct run *run, uint32_t cells, uint32_t most)
{
    struct tracked t = {.cells = cells,
                        .most = most,
                        .motion = RUN_ARRAY(run, struct motion, cells),
                        .radius = RUN_ARRAY(run, float, cells),
                        .contrast = RUN_ARRAY(run, float, cells),
                        .edges = RUN_ARRAY(run, float, (size_t)cells *CELL),
                        .fields = RUN_ARRAY(run, float, (size_t)cells *CELL),
                        .want = RUN_ARRAY(run, float, (size_t)cells *CELL),
                        .next = RUN_ARRAY(run, float, CELL),
                        .steps = RUN_ARRAY(run, uint32_t, cells),
                        .want_steps = RUN_ARRAY(run, uint32_t, cells)};
    for (uint32_t c = 0; c < cells && !run->failed; c++) {
        t.motion[c].x = rng_f32(&run->rng);
        t.motion[c].y = rng_f32(&run->rng);
        t.radius[c] = 8 + 4 * fabsf(rng_f32(&run->rng));
        t.contrast[c] = 0.25f + 0.75f * fabsf(rng_f32(&run->rng));
    }
    return t;
}

/* A ring around where the cell is after `frame` frames, and a little noise. */
static void draw(struct run *run, const struct tracked *t, uint32_t frame)
{
    for (uint32_t at = 0; at < t->cells * CELL; at++) {
        const uint32_t c = at / CELL;
        const float x = (float)(at % CELL % COLUMNS) - COLUMNS / 2 - (float)frame * t->motion[c].x;
        const float y = (float)(at % CELL / COLUMNS) - ROWS / 2 - (float)frame * t->motion[c].y;
        const float off = sqrtf(x * x + y * y) - t->radius[c];
        const float noise = fabsf(rng_f32(&run->rng));
        t->edges[at] = t->contrast[c] * (0.9f * expf(-off * off / 4) + 0.1f * noise);
    }
}

/* ---- the reference ---- */

static uint32_t clamped(uint32_t at, int step, uint32_t n)
{
    return step < 0 ? at - (at > 0) : at + (step > 0 && at + 1 < n);
}

/* The eight neighbours: what rises along the motion counts, what falls does not, across it half. */
static float pulled(const float *field, uint32_t row, uint32_t column, struct motion motion)
{
    const float here = field[row * COLUMNS + column];
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const uint32_t r = clamped(row, dy, ROWS), c = clamped(column, dx, COLUMNS);
            const float rise = field[r * COLUMNS + c] - here;
            const float along = rise * ((float)dx * motion.x + (float)dy * motion.y);
            sum += along > 0 ? rise : along < 0 ? 0 : 0.5f * rise;
        }
    }
    return sum;
}

/* What a step changes in all, added as the CTA adds: each thread its pixels, then by halves. */
static float change(const float *before, const float *after)
{
    float of[THREADS] = {0};
    for (uint32_t at = 0; at < CELL; at++) {
        of[at % THREADS] += fabsf(after[at] - before[at]);
    }
    for (uint32_t half = 256; half > 0; half /= 2) {
        for (uint32_t i = 0; i < half && i + half < THREADS; i++) {
            of[i] += of[i + half];
        }
    }
    return of[0];
}

/* One cell's field, in place, from where it is; the steps taken. */
static uint32_t settle(float *field, float *next, const float *edges, struct motion motion,
                       uint32_t most)
{
    uint32_t steps = 0;
    float changed = INFINITY;
    while (steps < most && changed >= still) {
        for (uint32_t at = 0; at < CELL; at++) {
            const float drawn = fmaf(0.1f, pulled(field, at / COLUMNS, at % COLUMNS, motion),
                                     field[at]);
            next[at] = fmaf(-0.2f * edges[at], drawn - edges[at], drawn);
        }
        changed = change(field, next);
        memcpy(field, next, CELL * sizeof *field);
        steps++;
    }
    return steps;
}

static void check(struct run *run, const struct tracked *t)
{
    struct approx *want = RUN_ARRAY(run, struct approx, (size_t)t->cells * CELL);
    if (run->failed) {
        return;
    }
    for (uint32_t c = 0; c < t->cells; c++) {
        t->want_steps[c] = settle(t->want + (size_t)c * CELL, t->next, t->edges + (size_t)c * CELL,
                                  t->motion[c], t->most);
    }
    for (size_t at = 0; at < (size_t)t->cells * CELL; at++) {
        want[at] = approx_exact((double)t->want[at]);
    }
    check_u32(run->result, "steps", t->steps, t->want_steps, t->cells);
    check_f32(run->result, "fields", t->fields, want, (size_t)t->cells * CELL);
}

/* ---- the device ---- */

void track_cells(struct run *run, uint32_t cells, uint32_t most, uint32_t frames)
{
    const struct tracked t = make(run, cells, most);
    const size_t bytes = (size_t)cells * CELL * sizeof(float);
    if (run->failed) {
        return;
    }
    const gpu_ptr motions = run_upload(run, "motions", t.motion, cells * sizeof *t.motion);
    const gpu_ptr steps = run_alloc(run, "steps", cells * sizeof *t.steps);
    const gpu_ptr edges = run_alloc(run, "edges", bytes), fields = run_alloc(run, "fields", bytes);
    for (uint32_t frame = 0; frame < frames && !run->failed; frame++) {
        draw(run, &t, frame);
        memcpy(t.want, t.edges, bytes);
        host_write(run->host, edges, t.edges, bytes);
        host_write(run->host, fields, t.edges, bytes);
        RUN_LAUNCH(run, "track", dim1(cells), dim1(THREADS), host_arg_u64(edges),
                   host_arg_u64(fields), host_arg_u64(motions), host_arg_u64(steps),
                   host_arg_u32(most), host_arg_f32(still));
        run_download(run, t.steps, steps, cells * sizeof *t.steps);
        run_download(run, t.fields, fields, bytes);
        check(run, &t);
    }
}
