/* heartwall.c - points of a heart's wall followed from frame to frame by their templates.
 *
 * Works after Tabbakh 2018 section 6.3 (Heartwall, Rodinia).  Kept: a CTA per point, a launch per
 * frame, normalised cross-correlation of a template with every place of a search area, frames of
 * bytes, the best place by a reduction.  Left out: the sums by running totals (here each place sums
 * anew), the mask around the expected place, and the template's update from each frame.  Loads:
 * model[r * side + c] is one byte for all lanes; frame bytes lie side by side in a row of the search,
 * and are read again for each place.
 *
 * form=rodinia is the suite's own program (heartwall_rodinia.c).
 */
#include "workloads/check.h"
#include "workloads/heartwall/heartwall_rodinia.h"
#include "workloads/run.h"

enum { THREADS = 128, NOISE = 16 };

static const struct workload_param params[] = {
    {"points", WORKLOAD_NUMBER, 1, 4096, "a CTA each; if form=rodinia at most 51"},
    {"radius", WORKLOAD_NUMBER, 3, 25, "of a template, which has 2 * radius + 1 pixels each way"},
    {"search", WORKLOAD_NUMBER, 1, 20, "pixels that a point moves in a frame, at most, each way"},
    {"frames", WORKLOAD_NUMBER, 1, 64, "frames behind the first"},
    {"width", WORKLOAD_NUMBER, 16, 2048, "pixels per row and column where points begin"},
    {"threads", WORKLOAD_POWER2, 32, 1024, "of a CTA; if form=lean 128 in any case"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia"},
    {0},
};

/* The suite follows 51 points with templates of 51 x 51 in 81 x 81. */
static const struct workload_size sizes[] = {
    {"tiny", "points=6,radius=4,search=3,frames=2,width=32,threads=256,form=lean"},
    {"small", "points=24,radius=7,search=6,frames=2,width=128,threads=256,form=lean"},
    {"doc", "points=51,radius=12,search=12,frames=5,width=400,threads=256,form=lean"},
    /* the suite's own sizes, but one frame behind the first where its run has 19 */
    {"rodinia", "points=51,radius=25,search=15,frames=1,width=300,threads=256,form=rodinia"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "heartwall", .load = 0, .nreq = 1, .stride_bytes = 0, .what = "places[point].x"},
    {.kernel = "heartwall", .load = 1, .nreq = 1, .stride_bytes = 0, .what = "places[point].y"},
    {.kernel = "heartwall", .load = 2, .nreq = 1, .stride_bytes = 0, .what = "model[r * side + c]"},
    {0},
};

/* As the kernel's. */
struct place {
    int32_t x, y;
};

struct problem {
    uint32_t n_points, radius, search, frames;
    uint32_t width; /* of a frame, which is square, with margins */
    uint32_t side, across;
    uint8_t *first, *frame, *templates;
    struct place *start, *before, *after;
    float *scores;
};

static void cut_templates(const struct problem *p)
{
    for (uint32_t i = 0; i < p->n_points; i++) {
        const int32_t left = p->start[i].x - (int32_t)p->radius;
        const int32_t top = p->start[i].y - (int32_t)p->radius;
        for (uint32_t at = 0; at < p->side * p->side; at++) {
            const uint32_t x = (uint32_t)left + at % p->side, y = (uint32_t)top + at / p->side;
            p->templates[(size_t)i * p->side * p->side + at] = p->first[(size_t)y * p->width + x];
        }
    }
}

static struct problem make(struct run *run)
{
    struct problem p = {.n_points = run_u32(run, "points"),
                        .radius = run_u32(run, "radius"),
                        .search = run_u32(run, "search"),
                        .frames = run_u32(run, "frames")};
    const uint32_t inner = run_u32(run, "width");
    const uint32_t margin = p.radius + p.search * (p.frames + 1);
    p.width = inner + 2 * margin;
    p.side = 2 * p.radius + 1;
    p.across = 2 * p.search + 1;
    const size_t pixels = (size_t)p.width * p.width;
    p.first = RUN_ARRAY(run, uint8_t, pixels);
    p.frame = RUN_ARRAY(run, uint8_t, pixels);
    p.templates = RUN_ARRAY(run, uint8_t, (size_t)p.n_points * p.side * p.side);
    p.start = RUN_ARRAY(run, struct place, p.n_points);
    p.before = RUN_ARRAY(run, struct place, p.n_points);
    p.after = RUN_ARRAY(run, struct place, p.n_points);
    p.scores = RUN_ARRAY(run, float, (size_t)p.n_points *p.across *p.across);
    if (run->failed) {
        return p;
    }
    for (size_t i = 0; i < pixels; i++) {
        p.first[i] = (uint8_t)rng_below(&run->rng, 256);
    }
    for (uint32_t i = 0; i < p.n_points; i++) {
        p.start[i].x = (int32_t)(margin + rng_below(&run->rng, inner));
        p.start[i].y = (int32_t)(margin + rng_below(&run->rng, inner));
        p.before[i] = p.start[i];
    }
    cut_templates(&p);
    return p;
}

/* The first frame, moved, and with noise. */
static void draw(struct run *run, const struct problem *p, struct place moved)
{
    const int64_t width = p->width;
    for (int64_t at = 0; at < width * width; at++) {
        const int64_t x = (at % width - moved.x + width) % width;
        const int64_t y = (at / width - moved.y + width) % width;
        const uint32_t pixel = p->first[y * width + x] + (uint32_t)rng_below(&run->rng, NOISE);
        p->frame[at] = (uint8_t)(pixel > 255 ? 255 : pixel);
    }
}

/* A whole number, rounded to float. */
static struct approx rounded(uint64_t value)
{
    return approx_rounded((double)value, 0);
}

/* x - y * z / n. */
static struct approx less_product(struct approx x, struct approx y, struct approx z, double n)
{
    return approx_sub(x, approx_div(approx_mul(y, z), approx_exact(n)));
}

static struct approx expect_score(const struct problem *p, uint32_t point, uint32_t place)
{
    const uint8_t *model = p->templates + (size_t)point * p->side * p->side;
    const uint32_t reach = p->search + p->radius;
    const uint32_t left = (uint32_t)p->before[point].x - reach + place % p->across;
    const uint32_t top = (uint32_t)p->before[point].y - reach + place / p->across;
    uint64_t a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (uint32_t at = 0; at < p->side * p->side; at++) {
        const size_t x = left + at % p->side, y = top + at / p->side;
        const uint32_t under = p->frame[y * p->width + x], pixel = model[at];
        a += pixel;
        b += under;
        aa += pixel * pixel;
        bb += under * under;
        ab += pixel * under;
    }
    const double n = p->side * p->side;
    const struct approx both = less_product(rounded(ab), rounded(a), rounded(b), n);
    const struct approx one = less_product(rounded(aa), rounded(a), rounded(a), n);
    const struct approx other = less_product(rounded(bb), rounded(b), rounded(b), n);
    return approx_div(both, approx_sqrt(approx_mul(one, other)));
}

/* The scores where each point was, and where it is now: it has moved as the frame has. */
static void check(const struct problem *p, struct run *run, struct place moved, struct approx *want)
{
    const uint32_t n = p->across * p->across;
    for (uint32_t i = 0; i < p->n_points * n; i++) {
        want[i] = expect_score(p, i / n, i % n);
    }
    check_f32(run->result, "scores", p->scores, want, (size_t)p->n_points * n);
    for (uint32_t i = 0; i < p->n_points; i++) {
        const int32_t x = p->start[i].x + moved.x, y = p->start[i].y + moved.y;
        check_that(run->result, p->after[i].x == x && p->after[i].y == y,
                   "point %u is at %d, %d; the frame has moved it to %d, %d", i, p->after[i].x,
                   p->after[i].y, x, y);
    }
}

static int32_t step(struct run *run, uint32_t most)
{
    return (int32_t)rng_below(&run->rng, 2 * most + 1) - (int32_t)most;
}

static void follow(struct run *run, const struct problem *p, struct approx *want)
{
    const size_t pixels = (size_t)p->width * p->width, places = p->n_points * sizeof *p->start;
    const size_t scores_bytes = (size_t)p->n_points * p->across * p->across * sizeof *p->scores;
    struct place moved = {0, 0};
    const gpu_ptr templates = run_upload(run, "templates", p->templates,
                                         (size_t)p->n_points * p->side * p->side);
    const gpu_ptr frame = run_alloc(run, "frame", pixels);
    const gpu_ptr scores = run_alloc(run, "scores", scores_bytes);
    const gpu_ptr at = run_upload(run, "places", p->start, places);
    for (uint32_t f = 0; f < p->frames; f++) {
        moved.x += step(run, p->search);
        moved.y += step(run, p->search);
        draw(run, p, moved);
        host_write(run->host, frame, p->frame, pixels);
        RUN_LAUNCH(run, "heartwall", dim1(p->n_points), dim1(THREADS), host_arg_u64(frame),
                   host_arg_u64(templates), host_arg_u64(scores), host_arg_u64(at),
                   host_arg_u32(p->width), host_arg_u32(p->radius), host_arg_u32(p->search));
        run_download(run, p->scores, scores, scores_bytes);
        run_download(run, p->after, at, places);
        check(p, run, moved, want);
        for (uint32_t i = 0; i < p->n_points; i++) {
            p->before[i].x = p->start[i].x + moved.x;
            p->before[i].y = p->start[i].y + moved.y;
        }
    }
}

static int run_heartwall(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "heartwall/heartwall.ptx");
    static const char *const forms[] = {"lean", "rodinia"};
    if (run_word(&run, "form", forms, 2) == 1) {
        heartwall_rodinia(&run);
        return run_end(&run);
    }
    const struct problem p = make(&run);
    struct approx *want = RUN_ARRAY(&run, struct approx, (size_t)p.n_points * p.across * p.across);
    if (!run.failed) {
        follow(&run, &p, want);
    }
    return run_end(&run);
}

const struct workload workload_heartwall = {
    .name = "heartwall",
    .title = "points followed by their templates, by cross-correlation",
    .source = "Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_heartwall,
};
