/* leukocyte_track_rodinia.c - see leukocyte_track.h; the field as Rodinia (2.x) has it.
 *
 * A CTA of 320 threads a cell again, by pointers and sizes in global memory: images lie one behind
 * the other, those near the frame's edge narrower than 81 columns.  A neighbour counts by eight
 * arcs' tangents a pixel, multiplied in double; steps end where one changes a pixel by less than
 * 0.00001 in the mean.  A field is in shared memory until the last step, an image is loaded anew in
 * each.
 *
 * Left out: the video (cells are rings in noise, of which each has its own amount), and the host's
 * splines.  The suite's barrier in a round comes after its stores, which race with neighbours'
 * loads; here it comes before them.
 *
 * The reference takes the kernel's roundings in its order, and is exact.
 */
#include <math.h>
#include <string.h>

#include "workloads/check.h"
#include "workloads/leukocyte/leukocyte_track.h"

enum { ROWS = 41, MOST_COLUMNS = 81, CELL = ROWS * MOST_COLUMNS, THREADS = 320 };
enum { EDGE = 15 }; /* no cell is found nearer to the frame's edge */

/* The suite's for all cells: a pixel to the right and down. */
static const float vx = 1, vy = 1, epsilon = 1e-10f, cutoff = 1e-5f;

struct cell {
    float x, move_x, move_y, radius, noise;
    uint32_t n;   /* columns of its image */
    size_t first; /* where its image begins */
};

struct tracked {
    uint32_t cells, most, width;
    struct cell *cell;
    float *images, *fields, *want, *next; /* [cells][CELL] at most, but `next`: of one */
    uint64_t *pointers;
    int32_t *heights, *widths;
    gpu_ptr dev_images, dev_fields, dev_image_of, dev_field_of, dev_heights, dev_widths;
};

static struct tracked make(struct run *run, uint32_t cells, uint32_t most, uint32_t width)
{
    const size_t pixels = (size_t)cells * CELL, bytes = pixels * sizeof(float);
    struct tracked t = {.cells = cells,
                        .most = most,
                        .width = width,
                        .cell = RUN_ARRAY(run, struct cell, cells),
                        .images = RUN_ARRAY(run, float, pixels),
                        .fields = RUN_ARRAY(run, float, pixels),
                        .want = RUN_ARRAY(run, float, pixels),
                        .next = RUN_ARRAY(run, float, CELL),
                        .pointers = RUN_ARRAY(run, uint64_t, cells),
                        .heights = RUN_ARRAY(run, int32_t, cells),
                        .widths = RUN_ARRAY(run, int32_t, cells)};
    if (run->failed) {
        return t;
    }
    for (uint32_t c = 0; c < cells; c++) {
        struct cell *cell = &t.cell[c];
        cell->x = EDGE + rng_f32(&run->rng) * (float)(width - 2 * EDGE);
        cell->move_x = rng_f32(&run->rng);
        cell->move_y = rng_f32_signed(&run->rng);
        cell->radius = 8 + 4 * rng_f32(&run->rng);
        cell->noise = 0.1f + rng_f32(&run->rng);
    }
    t.dev_images = run_alloc(run, "images", bytes);
    t.dev_fields = run_alloc(run, "fields", bytes);
    t.dev_image_of = run_alloc(run, "image_of", cells * sizeof *t.pointers);
    t.dev_field_of = run_alloc(run, "field_of", cells * sizeof *t.pointers);
    t.dev_heights = run_alloc(run, "heights", cells * sizeof *t.heights);
    t.dev_widths = run_alloc(run, "widths", cells * sizeof *t.widths);
    return t;
}

/* Least and most become 0 and 1. */
static void stretch(float *image, uint32_t n)
{
    float least = image[0], most = image[0];
    for (uint32_t at = 1; at < n; at++) {
        least = fminf(least, image[at]);
        most = fmaxf(most, image[at]);
    }
    for (uint32_t at = 0; at < n; at++) {
        image[at] = (image[at] - least) / (most - least);
    }
}

/* 40 pixels to each side of where the cell was, as far as the frame goes; the cell has moved. */
static void draw(struct run *run, const struct tracked *t, struct cell *cell, size_t first)
{
    const float right = (float)(t->width - 1), was = cell->x;
    const uint32_t left = (uint32_t)fmaxf(was - 39.5f, 0);
    cell->n = (uint32_t)fminf(was + 40.5f, right) - left + 1;
    cell->first = first;
    cell->x = fminf(fmaxf(was + cell->move_x, EDGE), right - EDGE);
    for (uint32_t at = 0; at < ROWS * cell->n; at++) {
        const float x = (float)(left + at % cell->n) - cell->x;
        const float y = (float)(at / cell->n) - ROWS / 2 - cell->move_y;
        const float off = sqrtf(x * x + y * y) - cell->radius;
        const float noise = rng_f32(&run->rng);
        t->images[first + at] = expf(-off * off / 4) + cell->noise * noise;
    }
    stretch(t->images + first, ROWS * cell->n);
}

/* All images of a frame; their pixels. */
static size_t draw_all(struct run *run, const struct tracked *t)
{
    size_t first = 0;
    for (uint32_t c = 0; c < t->cells; c++) {
        draw(run, t, &t->cell[c], first);
        t->heights[c] = ROWS;
        t->widths[c] = (int32_t)t->cell[c].n;
        first += (size_t)ROWS * t->cell[c].n;
    }
    return first;
}

/* ---- the reference ---- */

static float atan_single(float x)
{
    static const float coefficients[] = {0.00386673887f, -0.0200267471f, 0.0489143208f,
                                         -0.0800968185f, 0.108657591f,   -0.142570451f,
                                         0.199986815f,   -0.333333224f};
    const float size = fabsf(x), t = size > 1 ? 1 / size : size, square = t * t;
    float sum = coefficients[0];
    for (int i = 1; i < 8; i++) {
        sum = fmaf(sum, square, coefficients[i]);
    }
    const float angle = fmaf(sum * square, t, t);
    return copysignf(size > 1 ? 1.57079637f - angle : angle, x);
}

/* The steps that both sides take are an arc's tangent indeed.  Fields hardly show it: with 1 / e of
 * 1e10 most arguments are so large that the polynomial adds nothing. */
static void check_atan(struct workload_result *result)
{
    for (int i = -200; i <= 200; i++) {
        const float x = (float)sinh(i / 10.0), angle = atan_single(x);
        check_that(result, fabs((double)angle - atan((double)x)) <= 0x1p-22 * fabs(atan((double)x)),
                   "the reference's atan(%.9g) is %.9g", (double)x, (double)angle);
    }
}

static float heaviside(float x)
{
    return (float)fma((double)atan_single(x), 1 / 3.14159, 0.5);
}

static uint32_t clamped(uint32_t at, int step, uint32_t n)
{
    return step < 0 ? at - (at > 0) : at + (step > 0 && at + 1 < n);
}

static float stepped(const float *field, uint32_t i, uint32_t j, uint32_t n, float image)
{
    static const int8_t dy[] = {-1, 1, 0, 0, -1, 1, -1, 1}, dx[] = {0, 0, -1, 1, 1, 1, -1, -1};
    const float was = field[i * n + j], one_over_e = (float)(1.0 / (double)epsilon);
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        const float there = field[clamped(i, dy[k], ROWS) * n + clamped(j, dx[k], n)];
        const float rise = there - was, along = (float)dx[k] * vx + (float)dy[k] * vy;
        const float part = heaviside(rise * along * one_over_e);
        sum = k == 0 ? part * rise : fmaf(part, rise, sum);
    }
    const float next = (float)fma(0.5 / 5, (double)sum, (double)was);
    return (float)fma(-(1.0 / 5 * (double)image), (double)(next - image), (double)next);
}

/* The mean of what threads have, added as the CTA adds. */
static float mean_change(float *of, uint32_t pixels)
{
    for (uint32_t i = 256; i < THREADS; i++) {
        of[i - 256] += of[i];
    }
    for (uint32_t half = 128; half > 0; half /= 2) {
        for (uint32_t i = 0; i < half; i++) {
            of[i] += of[i + half];
        }
    }
    return of[0] / (float)pixels;
}

/* One cell's field, in place.  Rows come out as the kernel's, one too low where its product is. */
static void settle(float *field, float *next, const float *image, uint32_t n, uint32_t most)
{
    const uint32_t threads = cover(ROWS * n, THREADS) * THREADS;
    const float one_nth = 1 / (float)n;
    float mean = INFINITY;
    for (uint32_t step = 0; step < most && mean >= cutoff; step++) {
        float changed[THREADS] = {0};
        memcpy(next, field, ROWS * n * sizeof *field);
        for (uint32_t thread = 0; thread < threads; thread++) {
            const uint32_t i = (uint32_t)((float)thread * one_nth), j = thread % n;
            if (i < ROWS) {
                next[i * n + j] = stepped(field, i, j, n, image[i * n + j]);
                changed[thread % THREADS] += fabsf(next[i * n + j] - field[i * n + j]);
            }
        }
        memcpy(field, next, ROWS * n * sizeof *field);
        mean = mean_change(changed, ROWS * n);
    }
}

static void check(struct run *run, const struct tracked *t, size_t pixels)
{
    struct approx *want = RUN_ARRAY(run, struct approx, pixels);
    if (run->failed) {
        return;
    }
    memcpy(t->want, t->images, pixels * sizeof *t->want);
    for (uint32_t c = 0; c < t->cells; c++) {
        const struct cell *cell = &t->cell[c];
        settle(t->want + cell->first, t->next, t->images + cell->first, cell->n, t->most);
    }
    for (size_t at = 0; at < pixels; at++) {
        want[at] = approx_exact((double)t->want[at]);
    }
    check_f32(run->result, "fields", t->fields, want, pixels);
}

/* ---- the device ---- */

static void write_pointers(struct run *run, const struct tracked *t, gpu_ptr to, gpu_ptr base)
{
    for (uint32_t c = 0; c < t->cells; c++) {
        t->pointers[c] = base + t->cell[c].first * sizeof(float);
    }
    host_write(run->host, to, t->pointers, t->cells * sizeof *t->pointers);
}

static void write_frame(struct run *run, const struct tracked *t, size_t pixels)
{
    host_write(run->host, t->dev_images, t->images, pixels * sizeof(float));
    host_write(run->host, t->dev_fields, t->images, pixels * sizeof(float));
    write_pointers(run, t, t->dev_image_of, t->dev_images);
    write_pointers(run, t, t->dev_field_of, t->dev_fields);
    host_write(run->host, t->dev_heights, t->heights, t->cells * sizeof *t->heights);
    host_write(run->host, t->dev_widths, t->widths, t->cells * sizeof *t->widths);
}

void track_cells_rodinia(struct run *run, uint32_t cells, uint32_t most, uint32_t frames,
                         uint32_t width)
{
    const struct tracked t = make(run, cells, most, width);
    if (!run->failed) {
        check_atan(run->result);
    }
    for (uint32_t frame = 0; frame < frames && !run->failed; frame++) {
        const size_t pixels = draw_all(run, &t);
        write_frame(run, &t, pixels);
        RUN_LAUNCH(run, "track_rodinia", dim1(cells), dim1(THREADS), host_arg_u64(t.dev_field_of),
                   host_arg_u64(t.dev_image_of), host_arg_u64(t.dev_heights),
                   host_arg_u64(t.dev_widths), host_arg_f32(vx), host_arg_f32(vy),
                   host_arg_f32(epsilon), host_arg_u32(most), host_arg_f32(cutoff));
        run_download(run, t.fields, t.dev_fields, pixels * sizeof(float));
        check(run, &t, pixels);
    }
}
