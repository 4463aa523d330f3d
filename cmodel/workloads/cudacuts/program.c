/* program.c - see program.h. */
#include "workloads/cudacuts/program.h"

#include <string.h>

#include "workloads/check.h"

enum { WIDE = 32, TALL = 8, LINE = 256 }; /* a CTA's cells; LINE: where it is a row of threads */
enum { WEST, EAST, NORTH, SOUTH, SINK };  /* planes of grid_flow */

struct program {
    struct run *run;
    struct grid_flow *now;
    uint32_t cells, ctas, rounds;
    struct isa_dim3 grid, block;
    int32_t *read, *written, *mask, *pull, *kept; /* as downloaded */
    int32_t *changed, *labels;
    bool *open;
    gpu_ptr dev_cap[SIDES + 1], dev_pull[SIDES], dev_excess, dev_mask, dev_height[2];
    gpu_ptr dev_kept, dev_changed, dev_n_changed, dev_go_on, dev_across, dev_ctas;
    gpu_ptr dev_open, dev_more, dev_step;
};

static struct program make_program(struct run *run, struct grid_flow *now, uint32_t across,
                                   uint32_t down)
{
    const uint32_t cells = now->width * now->height;
    return (struct program){.run = run,
                            .now = now,
                            .cells = cells,
                            .ctas = across * down,
                            .grid = dim2(across, down),
                            .block = dim2(WIDE, TALL),
                            .read = RUN_ARRAY(run, int32_t, cells),
                            .written = RUN_ARRAY(run, int32_t, cells),
                            .mask = RUN_ARRAY(run, int32_t, cells),
                            .pull = RUN_ARRAY(run, int32_t, cells),
                            .kept = RUN_ARRAY(run, int32_t, cells),
                            .changed = RUN_ARRAY(run, int32_t, across * down),
                            .labels = RUN_ARRAY(run, int32_t, cells),
                            .open = RUN_ARRAY(run, bool, cells)};
}

static void upload(struct program *p)
{
    static const char *const caps[] = {"west", "east", "north", "south", "sink"};
    static const char *const pulls[] = {"pull_west", "pull_east", "pull_north", "pull_south"};
    struct run *run = p->run;
    const size_t bytes = (size_t)p->cells * 4;
    for (unsigned k = 0; k <= SIDES; k++) {
        p->dev_cap[k] = run_upload(run, caps[k], p->now->cap + (size_t)k * p->cells, bytes);
    }
    for (unsigned k = 0; k < SIDES; k++) {
        p->dev_pull[k] = run_alloc(run, pulls[k], bytes);
    }
    for (uint32_t at = 0; at < p->cells; at++) {
        p->read[at] = 1;
        p->open[at] = true;
    }
    p->dev_excess = run_upload(run, "excess", p->now->excess, bytes);
    p->dev_mask = run_alloc(run, "mask", bytes);
    p->dev_height[0] = run_upload(run, "height", p->read, bytes);
    p->dev_height[1] = run_upload(run, "written", p->read, bytes);
    p->dev_kept = run_alloc(run, "kept", bytes);
    p->dev_changed = run_alloc(run, "changed", (size_t)p->ctas * 4);
    p->dev_n_changed = run_upload(run, "n_changed", &p->ctas, 4); /* not over at first */
    p->dev_go_on = run_alloc(run, "go_on", sizeof(bool));
    p->dev_across = run_upload(run, "across", &p->grid.x, 4);
    p->dev_ctas = run_upload(run, "ctas", &p->ctas, 4);
    p->dev_open = run_upload(run, "open", p->open, p->cells * sizeof(bool));
    p->dev_more = run_alloc(run, "more", sizeof(bool));
    p->dev_step = run_alloc(run, "step", 4);
}

static void download(struct program *p)
{
    const size_t bytes = (size_t)p->cells * 4;
    for (unsigned k = 0; k <= SIDES; k++) {
        run_download(p->run, p->now->cap + (size_t)k * p->cells, p->dev_cap[k], bytes);
    }
    run_download(p->run, p->now->excess, p->dev_excess, bytes);
}

/* --- Launches ------------------------------------------------------------------------------- */

static void launch_relabel(struct program *p, const char *kernel, gpu_ptr height, gpu_ptr written)
{
    RUN_LAUNCH(p->run, kernel, p->grid, p->block, host_arg_u64(p->dev_cap[WEST]),
               host_arg_u64(p->dev_cap[EAST]), host_arg_u64(p->dev_cap[SOUTH]),
               host_arg_u64(p->dev_cap[NORTH]), host_arg_u64(p->dev_cap[SINK]),
               host_arg_u64(p->dev_excess), host_arg_u64(p->dev_mask), host_arg_u64(height),
               host_arg_u64(written), host_arg_u32(p->now->width), host_arg_u32(p->now->height));
}

static void launch_push(struct program *p, gpu_ptr height)
{
    RUN_LAUNCH(p->run, "cudacuts_push", p->grid, p->block, host_arg_u64(p->dev_cap[WEST]),
               host_arg_u64(p->dev_cap[EAST]), host_arg_u64(p->dev_cap[SOUTH]),
               host_arg_u64(p->dev_cap[NORTH]), host_arg_u64(p->dev_cap[SINK]),
               host_arg_u64(p->dev_excess), host_arg_u64(p->dev_pull[WEST]),
               host_arg_u64(p->dev_pull[EAST]), host_arg_u64(p->dev_pull[SOUTH]),
               host_arg_u64(p->dev_pull[NORTH]), host_arg_u64(p->dev_mask), host_arg_u64(height),
               host_arg_u32(p->now->width), host_arg_u32(p->now->height));
}

/* Keep the excess; returns whether it is over this time. */
static bool keep(struct program *p)
{
    bool go_on = true;
    host_write(p->run->host, p->dev_go_on, &go_on, sizeof go_on);
    RUN_LAUNCH(p->run, "cudacuts_keep", p->grid, p->block, host_arg_u64(p->dev_excess),
               host_arg_u64(p->dev_kept), host_arg_u64(p->dev_n_changed),
               host_arg_u64(p->dev_go_on), host_arg_u32(p->now->width));
    run_download(p->run, &go_on, p->dev_go_on, sizeof go_on);
    return !go_on;
}

static void compare(struct program *p)
{
    const int32_t none = 0;
    memset(p->changed, 0, (size_t)p->ctas * 4);
    host_write(p->run->host, p->dev_changed, p->changed, (size_t)p->ctas * 4);
    host_write(p->run->host, p->dev_n_changed, &none, sizeof none);
    RUN_LAUNCH(p->run, "cudacuts_compare", p->grid, p->block, host_arg_u64(p->dev_changed),
               host_arg_u64(p->dev_excess), host_arg_u64(p->dev_kept), host_arg_u64(p->dev_across),
               host_arg_u32(p->now->width));
    const uint32_t block = p->ctas < LINE ? p->ctas : LINE;
    RUN_LAUNCH(p->run, "cudacuts_count", dim1(cover(p->ctas, block)), dim1(block),
               host_arg_u64(p->dev_changed), host_arg_u64(p->dev_n_changed),
               host_arg_u64(p->dev_ctas));
}

static void label(struct program *p)
{
    const uint32_t ctas = p->cells / LINE;
    bool more = true;
    host_write(p->run->host, p->dev_height[0], p->labels, (size_t)p->cells * 4); /* zeros */
    RUN_LAUNCH(p->run, "cudacuts_seed", dim1(ctas), dim1(LINE), host_arg_u64(p->dev_excess),
               host_arg_u64(p->dev_cap[SINK]), host_arg_u64(p->dev_height[0]),
               host_arg_u64(p->dev_open), host_arg_u32(p->now->width),
               host_arg_u32(p->now->height));
    for (uint32_t step = 1; more && !host_error(p->run->host); step++) {
        more = false;
        host_write(p->run->host, p->dev_more, &more, sizeof more);
        host_write(p->run->host, p->dev_step, &step, sizeof step);
        RUN_LAUNCH(p->run, "cudacuts_spread", dim1(ctas), dim1(LINE),
                   host_arg_u64(p->dev_cap[WEST]), host_arg_u64(p->dev_cap[EAST]),
                   host_arg_u64(p->dev_cap[SOUTH]), host_arg_u64(p->dev_cap[NORTH]),
                   host_arg_u64(p->dev_height[0]), host_arg_u64(p->dev_open),
                   host_arg_u64(p->dev_more), host_arg_u64(p->dev_step),
                   host_arg_u32(p->now->width), host_arg_u32(p->now->height));
        run_download(p->run, &more, p->dev_more, sizeof more);
    }
}

/* --- Checks --------------------------------------------------------------------------------- */

static bool is_inside(const struct grid_flow *grid, uint32_t at)
{
    const uint32_t x = at % grid->width, y = at / grid->width;
    return x > 0 && y > 0 && x + 1 < grid->width && y + 1 < grid->height;
}

/* What relabelling makes of a cell inside: its height, and whether flow can go one step down. */
static int32_t want_height(const struct program *p, uint32_t at, bool *down, bool *stuck)
{
    const struct grid_flow *grid = p->now;
    const int32_t sink = grid->cap[SINK * p->cells + at];
    int32_t lowest = (int32_t)p->cells;
    *down = sink > 0 && p->read[at] == 1;
    *stuck = sink == 0;
    for (unsigned side = 0; side < SIDES; side++) {
        if (grid->cap[side * p->cells + at] > 0) {
            const int32_t there = p->read[grid_neighbour(grid, at, side)];
            lowest = there < lowest ? there : lowest;
            *down |= p->read[at] == there + 1;
            *stuck = false;
        }
    }
    return sink > 0 ? 1 : lowest + 1;
}

/* Relabelling writes no flow, so that what it wrote follows from what is there after it.  What it
 * says in the mask of cells on the border is not defined, and not read. */
static void check_relabel(struct program *p, gpu_ptr height, gpu_ptr written, bool is_start)
{
    const size_t bytes = (size_t)p->cells * 4;
    download(p);
    run_download(p->run, p->read, height, bytes);
    run_download(p->run, p->written, written, bytes);
    run_download(p->run, p->mask, p->dev_mask, bytes);
    for (uint32_t at = 0; at < p->cells && !host_error(p->run->host); at++) {
        bool down, stuck;
        int32_t want = 1, mask = p->mask[at];
        if (is_inside(p->now, at)) {
            want = want_height(p, at, &down, &stuck);
            mask = p->now->excess[at] > 0 && down;
            mask = !is_start && (p->now->excess[at] <= 0 || stuck) ? 2 : mask;
        }
        check_that(p->run->result, p->written[at] == want && p->mask[at] == mask,
                   "round %u, cell %u: got height %d and mask %d, want %d and %d", p->rounds, at,
                   p->written[at], p->mask[at], want, mask);
    }
}

static void check_kept(struct program *p)
{
    const size_t bytes = (size_t)p->cells * 4;
    run_download(p->run, p->now->excess, p->dev_excess, bytes);
    run_download(p->run, p->kept, p->dev_kept, bytes);
    check_u32(p->run->result, "kept", (const uint32_t *)p->kept, (const uint32_t *)p->now->excess,
              p->cells);
}

static void check_changed(struct program *p)
{
    int32_t n_changed, want = 0;
    run_download(p->run, p->now->excess, p->dev_excess, (size_t)p->cells * 4);
    run_download(p->run, &n_changed, p->dev_n_changed, sizeof n_changed);
    for (uint32_t at = 0; at < p->cells; at++) {
        const uint32_t x = at % p->now->width, y = at / p->now->width;
        int32_t *changed = &p->changed[y / TALL * p->grid.x + x / WIDE];
        if (p->kept[at] != p->now->excess[at] && *changed == 0) {
            *changed = 1;
            want++;
        }
    }
    check_that(p->run->result, n_changed == want, "round %u: got %d changed CTAs, want %d",
               p->rounds, n_changed, want);
}

/* A cell that can push does so or counts down; it goes once a round. */
static void check_pulls(struct program *p)
{
    for (unsigned side = 0; side < SIDES; side++) {
        run_download(p->run, p->pull, p->dev_pull[side], (size_t)p->cells * 4);
        for (uint32_t at = 0; at < p->cells; at++) {
            const uint32_t from = grid_neighbour(p->now, at, side ^ 1);
            const bool pushes = from != UINT32_MAX && is_inside(p->now, from);
            const int32_t least = pushes ? -(int32_t)p->rounds : 0;
            check_that(p->run->result, p->pull[at] <= 0 && p->pull[at] >= least,
                       "pull count %u of cell %u is %d", side, at, p->pull[at]);
        }
    }
}

/* Is cell `at`, still unlabelled, one step from a cell with label `step`? */
static bool is_next(const struct program *p, uint32_t at, int32_t step)
{
    for (unsigned side = 0; side < SIDES; side++) {
        const uint32_t from = grid_neighbour(p->now, at, side);
        if (p->labels[from] == step && p->now->cap[(side ^ 1) * p->cells + from] > 0) {
            return true;
        }
    }
    return false;
}

static void check_labels(struct program *p)
{
    bool more = true;
    for (uint32_t at = 0; at < p->cells; at++) {
        const bool begins = is_inside(p->now, at) && p->now->excess[at] > 0;
        const bool ends = p->now->cap[SINK * p->cells + at] > 0;
        p->labels[at] = begins ? 1 : ends ? -1 : 0;
    }
    for (int32_t step = 1; more; step++) {
        more = false;
        for (uint32_t at = 0; at < p->cells; at++) {
            if (p->labels[at] == 0 && is_inside(p->now, at) && is_next(p, at, step)) {
                p->labels[at] = step + 1;
                more = true;
            }
        }
    }
    run_download(p->run, p->read, p->dev_height[0], (size_t)p->cells * 4);
    check_u32(p->run->result, "labels", (const uint32_t *)p->read, (const uint32_t *)p->labels,
              p->cells);
}

/* --- The program ---------------------------------------------------------------------------- */

/* Rounds until it was over twice; returns the array whose heights the last one wrote. */
static unsigned push_and_relabel(struct program *p)
{
    enum { KEEP = 10, COMPARE = 11, TIMES = 2, MOST = 230 };
    uint32_t over = 0;
    for (uint32_t round = 1; round <= MOST && over < TIMES && !host_error(p->run->host); round++) {
        const unsigned from = round & 1; /* the start wrote array 1 */
        p->rounds = round;
        if (round % KEEP == 0) {
            over += keep(p);
            check_kept(p);
        }
        if (round % COMPARE == 0) {
            compare(p);
            check_changed(p);
        }
        launch_push(p, p->dev_height[from]);
        launch_relabel(p, "cudacuts_relabel", p->dev_height[from], p->dev_height[!from]);
    }
    check_that(p->run->result, over == TIMES, "it is not over after %u rounds", p->rounds);
    return !(p->rounds & 1);
}

void program_run(struct run *run, struct grid_flow *now, uint32_t across, uint32_t down)
{
    struct program p = make_program(run, now, across, down);
    if (run->failed) {
        return;
    }
    upload(&p);
    launch_relabel(&p, "cudacuts_start", p.dev_height[0], p.dev_height[1]);
    check_relabel(&p, p.dev_height[0], p.dev_height[1], true);
    const unsigned last = push_and_relabel(&p);
    check_relabel(&p, p.dev_height[!last], p.dev_height[last], false);
    check_pulls(&p);
    label(&p);
    if (!host_error(run->host)) {
        check_labels(&p);
    }
}

/* What the second round pushes to cell `at`, one step above the sink: into it only cells at
 * height 2 push, which nothing goes to, so that it does not depend on their order. */
static int64_t pushed_first(const struct grid_flow *start, uint32_t at)
{
    static const unsigned order[SIDES] = {WEST, NORTH, EAST, SOUTH};
    const uint32_t cells = start->width * start->height;
    int64_t sum = 0;
    for (unsigned k = 0; k < SIDES; k++) {
        const uint32_t from = grid_neighbour(start, at, k);
        int32_t left = from != UINT32_MAX && is_inside(start, from) ? start->excess[from] : 0;
        for (unsigned n = 0; n < SIDES && left > 0; n++) {
            const uint32_t to = grid_neighbour(start, from, order[n]);
            const bool low = !is_inside(start, to) || start->cap[SINK * cells + to] > 0;
            const int32_t most = low ? start->cap[order[n] * cells + from] : 0;
            const int32_t flow = most < left ? most : left;
            sum += to == at ? flow : 0;
            left -= flow;
        }
    }
    return sum;
}

void program_check_flow(struct workload_result *result, const struct grid_flow *start,
                        const struct grid_flow *now, struct grid_flow *reference, int32_t *distance,
                        uint32_t *queue)
{
    enum { AMPLE = 1 << 20 }; /* more than four edges bring */
    const uint32_t cells = start->width * start->height;
    int64_t flow = 0, least = 0;
    for (uint32_t at = 0; at < cells; at++) {
        const uint32_t sink = SINK * cells + at;
        const int64_t first = pushed_first(start, at), most = start->cap[sink];
        if (is_inside(start, at)) {
            flow += most - now->cap[sink];
            least += first < most ? first : most;
        } else {
            flow += now->excess[at] - start->excess[at];
            least += first;
            reference->cap[sink] = AMPLE;
            reference->excess[at] = 0;
        }
    }
    const int64_t most = grid_augment_all(reference, distance, queue);
    check_that(result, flow >= least && flow <= most,
               "flow: got %lld, want between %lld (first pushes) and %lld (augmenting paths)",
               (long long)flow, (long long)least, (long long)most);
}
