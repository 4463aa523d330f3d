/* heartwall_rodinia.c - see heartwall_rodinia.h.
 *
 * Works after Rodinia's heartwall (3.x: 256 threads; its source has 512, commented out).  Kept: a
 * CTA per point and a launch per frame, the first of which cuts out the templates; frames,
 * templates and all arrays between phases in global memory, column by column in floats; the
 * template turned in shared memory and the whole convolution with the block around the point; sums
 * under the template by running totals, down columns a column apart and along rows side by side;
 * divisions of indices, square roots and divisions at each place; the mask, its convolution with 10
 * x 10 ones, and the search; the template's update in every tenth frame, in double precision.
 * Kernels have no arguments: shape, frame and pointers are in constant memory.  Arrays of a point
 * lie one behind another, each on 256 bytes, as cudaMalloc would have them.
 *
 * The suite has no barrier between differences of running totals and the sums along rows in its
 * pass over the block's squares, which is a race; here it has one, as the first pass has.  Another
 * race stays, since all write the same: in an update every thread stores the point's new place, and
 * loads it.
 *
 * Left out: the film, which is not here.  Frames are one picture at random, moved and with noise,
 * no larger than the points need (the suite's are 609 x 590).  Points are at random and in one
 * array; the suite's are on two rings, 20 and 31, an array each, and as far apart as with
 * width=300.  Left out too: offsets of the convolution, which are zero, and the mask of a first
 * frame, which the kernel never reaches.
 *
 * Pixels are of 6 bits, so that all sums over a block are exact and a place that is nearly beside
 * the block has a score that can be checked.  The reference takes each launch's templates as the
 * GPU has them, so bounds are those of one launch.
 */
#include "workloads/heartwall/heartwall_rodinia.h"

#include "workloads/check.h"

enum { MOST_POINTS = 51, MOST_PLACES_SIDE = 131, MOVE = 10, UPDATE = 10 };
enum { PIXELS = 48, NOISE = 16 }; /* at least 1, at most 63 together */
static const float keep = 0.87f;

/* Arrays of a point, in the suite's order of allocation. */
enum {
    BLOCK,
    CONVOLUTION,
    PADDED,
    BELOW,
    SLICES,
    BESIDE,
    SUMS,
    BLOCK_SQUARES,
    SCORES,
    MODEL_SQUARES,
    MASK,
    MASKED,
    ARRAYS
};

/* As the kernel's. */
struct shape {
    int32_t radius, reach, move, frames, frame_rows;
    int32_t side, area, block_side, block_area, places_side, places, padded_side, padded, slices;
    float keep;
};
struct now {
    gpu_ptr frame;
    int32_t number;
};
struct point {
    gpu_ptr row, column, rows, columns, model, arrays[ARRAYS];
    int32_t number, first;
};

struct place {
    int32_t row, column; /* from one, as the suite counts */
};

struct tracker {
    struct shape s;
    int32_t n_points, search, width; /* of a frame, which is square, with margins */
    float *picture, *frame, *models;
    int32_t *start_row, *start_column;
    struct place before, now, updated; /* how far the picture has moved */
    struct point points[MOST_POINTS];
    gpu_ptr dev_frame;
};

/* ---- points and frames ---- */

static struct shape make_shape(const struct run *run, int32_t width)
{
    const int32_t radius = (int32_t)run_u32(run, "radius"),
                  search = (int32_t)run_u32(run, "search");
    const int32_t side = 2 * radius + 1, block = side + 2 * search, places = side + block - 1;
    const int32_t padded = block + 2 * side;
    return (struct shape){.radius = radius,
                          .reach = radius + search,
                          .move = MOVE,
                          .frames = (int32_t)run_u32(run, "frames") + 1,
                          .frame_rows = width,
                          .side = side,
                          .area = side * side,
                          .block_side = block,
                          .block_area = block * block,
                          .places_side = places,
                          .places = places * places,
                          .padded_side = padded,
                          .padded = padded * padded,
                          .slices = places * padded,
                          .keep = keep};
}

static void refuse_what_does_not_fit(struct run *run, const struct tracker *t)
{
    if (t->n_points > MOST_POINTS) {
        run_refuse(run, "points=%d are more than the %d of form=rodinia; use fewer, or form=lean",
                   t->n_points, MOST_POINTS);
    }
    if (t->s.places_side > MOST_PLACES_SIDE) {
        run_refuse(run, "radius=%d, search=%d; form=rodinia needs 4 radius + 2 search < %d",
                   t->s.radius, t->search, MOST_PLACES_SIDE);
    }
}

static struct tracker make_tracker(struct run *run)
{
    struct tracker t = {.n_points = (int32_t)run_u32(run, "points"),
                        .search = (int32_t)run_u32(run, "search")};
    const int32_t inner = (int32_t)run_u32(run, "width");
    const int32_t updates = (int32_t)run_u32(run, "frames") / UPDATE;
    const int32_t margin = (int32_t)run_u32(run, "radius") + t.search * (updates + 1);
    t.width = inner + 2 * margin;
    t.s = make_shape(run, t.width);
    refuse_what_does_not_fit(run, &t);
    const size_t pixels = (size_t)t.width * (size_t)t.width, n_points = (size_t)t.n_points;
    t.picture = RUN_ARRAY(run, float, pixels);
    t.frame = RUN_ARRAY(run, float, pixels);
    t.models = RUN_ARRAY(run, float, n_points *(size_t)t.s.area);
    t.start_row = RUN_ARRAY(run, int32_t, n_points);
    t.start_column = RUN_ARRAY(run, int32_t, n_points);
    if (run->failed) {
        return t;
    }
    for (size_t i = 0; i < pixels; i++) {
        t.picture[i] = (float)(1 + rng_below(&run->rng, PIXELS));
    }
    for (int32_t i = 0; i < t.n_points; i++) {
        t.start_row[i] = 1 + margin + (int32_t)rng_below(&run->rng, (uint64_t)inner);
        t.start_column[i] = 1 + margin + (int32_t)rng_below(&run->rng, (uint64_t)inner);
    }
    return t;
}

/* How far a coordinate moves to the next frame: within the mask, and within the block around the
 * point's place of the last update. */
static int32_t step(struct run *run, const struct tracker *t, int32_t from_update)
{
    const int32_t back = -MOVE / 2, forth = MOVE - 1 - MOVE / 2;
    const int32_t least = -t->search - from_update, most = t->search - from_update;
    const int32_t low = least > back ? least : back, high = most < forth ? most : forth;
    return low + (int32_t)rng_below(&run->rng, (uint64_t)(high - low + 1));
}

/* The picture, moved, and with noise. */
static void draw(struct run *run, struct tracker *t)
{
    const int32_t width = t->width;
    for (int32_t column = 0; column < width; column++) {
        const size_t from = (size_t)((column - t->now.column % width + width) % width);
        for (int32_t row = 0; row < width; row++) {
            const size_t at = (size_t)((row - t->now.row % width + width) % width);
            t->frame[(size_t)column * (size_t)width + (size_t)row] =
                t->picture[from * (size_t)width + at] + (float)rng_below(&run->rng, NOISE);
        }
    }
}

/* The frame's pixel at a row and column, from the left upper corner of a square around the point's
 * place of the last update. */
static float pixel(const struct tracker *t, int32_t point, int32_t radius, int32_t row,
                   int32_t column)
{
    const int32_t y = t->start_row[point] + t->updated.row - radius - 1 + row;
    const int32_t x = t->start_column[point] + t->updated.column - radius - 1 + column;
    return t->frame[(size_t)x * (size_t)t->width + (size_t)y];
}

/* ---- scores ---- */

/* A float sum of so many products, none negative. */
static struct approx sum_of(double value, int32_t terms)
{
    return (struct approx){.value = value, .bound = (terms + 3) * APPROX_U * value};
}

static struct approx whole(int32_t value)
{
    return approx_exact((double)value);
}

struct model_sums {
    struct approx sum, deviation;
};

static struct model_sums sums_of_model(const struct tracker *t, const float *model)
{
    double sum = 0, squares = 0;
    for (int32_t i = 0; i < t->s.area; i++) {
        sum += (double)model[i];
        squares += (double)model[i] * (double)model[i];
    }
    /* columns or rows, and the sum of those */
    const struct approx n = whole(t->s.area), all = sum_of(sum, 2 * t->s.side);
    const struct approx mean = approx_div(all, n);
    const struct approx square = approx_div(sum_of(squares, 2 * t->s.side), n);
    const struct approx variance = approx_sub(square, approx_mul(mean, mean));
    const struct approx root = approx_sqrt(whole(t->s.area - 1));
    return (struct model_sums){.sum = all, .deviation = approx_mul(root, approx_sqrt(variance))};
}

/* What of the template lies over the block at a place, in one coordinate: from and to. */
static void overlap(const struct shape *s, int32_t place, int32_t *from, int32_t *to)
{
    const int32_t corner = place - s->side + 1;
    *from = corner < 0 ? -corner : 0;
    *to = corner + s->side > s->block_side ? s->block_side - corner : s->side;
}

static struct approx expect_score(const struct tracker *t, const float *block, const float *model,
                                  const struct model_sums *m, int32_t place)
{
    const struct shape *s = &t->s;
    const int32_t row = place % s->places_side, column = place / s->places_side;
    int32_t top, bottom, left, right;
    overlap(s, row, &top, &bottom);
    overlap(s, column, &left, &right);
    double products = 0, sum = 0, squares = 0;
    for (int32_t x = left; x < right; x++) {
        const float *under = block + (column - s->side + 1 + x) * s->block_side + row - s->side + 1;
        for (int32_t y = top; y < bottom; y++) {
            const double b = (double)under[y];
            products += (double)model[x * s->side + y] * b;
            sum += b;
            squares += b * b;
        }
    }
    const struct approx n = whole(s->area), b = approx_exact(sum);
    const struct approx spread = approx_sub(approx_exact(squares), approx_div(approx_mul(b, b), n));
    const struct approx both = approx_sub(sum_of(products, (bottom - top) * (right - left)),
                                          approx_div(approx_mul(b, m->sum), n));
    return approx_div(both, approx_mul(approx_sqrt(spread), m->deviation));
}

/* Is a place, in one coordinate, within a move of where the point was in the frame before? */
static bool in_mask(const struct tracker *t, int32_t place, int32_t from_update)
{
    const int32_t first = t->s.reach + t->s.radius + from_update - MOVE / 2;
    return place >= first && place < first + MOVE;
}

/* Arrays for the check of one point. */
struct scratch {
    float *block, *got;
    struct approx *want, *models;
    int32_t *places;
};

static void check_scores(struct run *run, const struct tracker *t, const struct scratch *c,
                         int32_t point)
{
    const struct shape *s = &t->s;
    const float *model = t->models + (size_t)point * (size_t)s->area;
    const size_t n = (size_t)s->places, first = (size_t)point * n;
    for (int32_t i = 0; i < s->block_area; i++) {
        c->block[i] = pixel(t, point, s->reach, i % s->block_side, i / s->block_side);
    }
    const struct model_sums m = sums_of_model(t, model);
    for (int32_t i = 0; i < s->places; i++) {
        c->want[i] = expect_score(t, c->block, model, &m, i);
    }
    run_download(run, c->got, t->points[point].arrays[SCORES], n * sizeof(float));
    check_f32_part(run->result, "scores", first, c->got, c->want, n);
    for (int32_t i = 0; i < s->places; i++) {
        const bool in = in_mask(t, i % s->places_side, t->before.row - t->updated.row) &&
                        in_mask(t, i / s->places_side, t->before.column - t->updated.column);
        c->want[i] = approx_exact(in ? (double)c->got[i] : 0);
    }
    run_download(run, c->got, t->points[point].arrays[MASKED], n * sizeof(float));
    check_f32_part(run->result, "masked", first, c->got, c->want, n);
}

/* ---- places and templates ---- */

/* Coordinates of all points: `at` of an array with `stride` for each. */
static void check_places(struct run *run, const struct tracker *t, const struct scratch *c,
                         const char *name, gpu_ptr from, int32_t stride, int32_t at,
                         const int32_t *start, int32_t moved)
{
    const size_t n = (size_t)t->n_points * (size_t)stride;
    run_download(run, c->places, from, n * sizeof(int32_t));
    for (int32_t i = 0; i < t->n_points; i++) {
        const int32_t got = c->places[i * stride + at];
        check_that(run->result, got == start[i] + moved,
                   "%s[%d] is %d; the frame has moved it to %d", name, i, got, start[i] + moved);
    }
}

static struct approx expect_model(const struct tracker *t, int32_t frame, int32_t point, int32_t i)
{
    const double old = (double)t->models[point * t->s.area + i], kept = (double)keep * old;
    const float under = pixel(t, point, t->s.radius, i % t->s.side, i / t->s.side);
    if (frame == 0) {
        return approx_exact((double)under);
    }
    if (frame % UPDATE != 0) {
        return approx_exact(old);
    }
    const double fresh = (1.0 - (double)keep) * (double)under;
    return approx_rounded(kept + fresh, APPROX_U * kept);
}

static void check_models(struct run *run, const struct tracker *t, const struct scratch *c,
                         int32_t frame)
{
    const size_t n = (size_t)t->n_points * (size_t)t->s.area;
    for (int32_t i = 0; i < t->n_points * t->s.area; i++) {
        c->models[i] = expect_model(t, frame, i / t->s.area, i % t->s.area);
    }
    run_download(run, t->models, t->points[0].model, n * sizeof(float));
    check_f32(run->result, "templates", t->models, c->models, n);
}

static void check_frame(struct run *run, struct tracker *t, const struct scratch *c, int32_t frame)
{
    const struct point *p = &t->points[0];
    const int32_t frames = t->s.frames;
    for (int32_t i = 0; frame > 0 && i < t->n_points; i++) {
        check_scores(run, t, c, i);
    }
    if (frame % UPDATE == 0) {
        t->updated = t->now;
    }
    check_places(run, t, c, "rows", p->rows, frames, frame, t->start_row, t->now.row);
    check_places(run, t, c, "columns", p->columns, frames, frame, t->start_column, t->now.column);
    check_places(run, t, c, "row", p->row, 1, 0, t->start_row, t->updated.row);
    check_places(run, t, c, "column", p->column, 1, 0, t->start_column, t->updated.column);
    check_models(run, t, c, frame);
}

/* ---- the device ---- */

static size_t on_256(int32_t floats)
{
    return ((size_t)floats * sizeof(float) + 255) / 256 * 256;
}

static void place_arrays(struct run *run, struct tracker *t)
{
    const struct shape *s = &t->s;
    const int32_t floats[ARRAYS] = {
        [BLOCK] = s->block_area, [CONVOLUTION] = s->places,
        [PADDED] = s->padded,    [BELOW] = s->slices,
        [SLICES] = s->slices,    [BESIDE] = s->places,
        [SUMS] = s->places,      [BLOCK_SQUARES] = s->block_area,
        [SCORES] = s->places,    [MODEL_SQUARES] = s->area,
        [MASK] = s->places,      [MASKED] = s->places,
    };
    size_t bytes = 0;
    for (int32_t a = 0; a < ARRAYS; a++) {
        bytes += on_256(floats[a]);
    }
    gpu_ptr at = run_alloc(run, "arrays", bytes * (size_t)t->n_points);
    for (int32_t i = 0; i < t->n_points; i++) {
        for (int32_t a = 0; a < ARRAYS; a++) {
            t->points[i].arrays[a] = at;
            at += on_256(floats[a]);
        }
    }
}

static void upload(struct run *run, struct tracker *t)
{
    const size_t n = (size_t)t->n_points, bytes = n * sizeof(int32_t);
    const size_t width = (size_t)t->width, frames = (size_t)t->s.frames;
    t->dev_frame = run_alloc(run, "frame", width * width * sizeof(float));
    const gpu_ptr row = run_upload(run, "row", t->start_row, bytes);
    const gpu_ptr column = run_upload(run, "column", t->start_column, bytes);
    const gpu_ptr rows = run_alloc(run, "rows", bytes * frames);
    const gpu_ptr columns = run_alloc(run, "columns", bytes * frames);
    const gpu_ptr models = run_alloc(run, "templates", n * (size_t)t->s.area * sizeof(float));
    place_arrays(run, t);
    for (int32_t i = 0; i < t->n_points; i++) {
        struct point *p = &t->points[i];
        p->row = row;
        p->column = column;
        p->rows = rows;
        p->columns = columns;
        p->model = models;
        p->number = i;
        p->first = i * t->s.area;
    }
    run_write_symbol(run, "heartwall_shape", &t->s, sizeof t->s);
    run_write_symbol(run, "heartwall_points", t->points, sizeof t->points);
}

static void next_frame(struct run *run, struct tracker *t, int32_t frame)
{
    const size_t width = (size_t)t->width;
    const struct now now = {.frame = t->dev_frame, .number = frame};
    t->before = t->now;
    if (frame > 0) {
        t->now.row += step(run, t, t->now.row - t->updated.row);
        t->now.column += step(run, t, t->now.column - t->updated.column);
    }
    draw(run, t);
    host_write(run->host, t->dev_frame, t->frame, width * width * sizeof(float));
    run_write_symbol(run, "heartwall_now", &now, sizeof now);
    run_launch(run, "heartwall_rodinia", dim1((uint32_t)t->n_points), dim1(run_u32(run, "threads")),
               NULL, 0);
}

void heartwall_rodinia(struct run *run)
{
    struct tracker t = make_tracker(run);
    const size_t n = (size_t)t.n_points, places = (size_t)t.s.places;
    const struct scratch c = {.block = RUN_ARRAY(run, float, (size_t)t.s.block_area),
                              .got = RUN_ARRAY(run, float, places),
                              .want = RUN_ARRAY(run, struct approx, places),
                              .models = RUN_ARRAY(run, struct approx, n * (size_t)t.s.area),
                              .places = RUN_ARRAY(run, int32_t, n * (size_t)t.s.frames)};
    if (run->failed) {
        return;
    }
    upload(run, &t);
    for (int32_t frame = 0; frame < t.s.frames; frame++) {
        next_frame(run, &t, frame);
        check_frame(run, &t, &c, frame);
    }
}
