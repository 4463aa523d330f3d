/* cudacuts.c - maximum flow for cutting an image in two, by push-relabel on a grid.
 *
 * Works after Tabbakh 2018 section 6.2 (CC): tiles push flow into each other's cells inside
 * a launch.  Between launches the host sets the heights to the distances from the sink
 * (global relabelling, Cherkassky and Goldberg 1997) and ends when no excess can get there:
 * excess that is left belongs to the source's side of the cut and need not go back.
 * Whole numbers and fixed rounds: the same work whatever the order of the warps.
 *
 * form=cudacuts is the program CUDA Cuts itself, see program.h.
 *
 * Checked: the flow into the sink is that of augmenting paths on the CPU; no residual
 * capacity is negative, both of an edge keep their sum, and no cell gains or loses flow.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/cudacuts/grid_flow.h"
#include "workloads/cudacuts/program.h"
#include "workloads/run.h"

enum { WIDE = 32, HIGH = 4, TALL = 8 }; /* a CTA's cells; TALL: of the program */
enum { MOST_TILES = 45 };               /* three on each of 15 SMs */

static const struct workload_param params[] = {
    {"across", WORKLOAD_NUMBER, 1, 64, "tiles of 32 x 4 cells in a row; cudacuts: of 32 x 8"},
    {"down", WORKLOAD_NUMBER, 1, 256, "rows of tiles; at most 45 tiles in all (cudacuts: any)"},
    {"rounds", WORKLOAD_NUMBER, 1, 10000, "rounds in a launch (cudacuts: one)"},
    {"launches", WORKLOAD_NUMBER, 1, 10000, "give up after so many (cudacuts: ends by itself)"},
    {"form", WORKLOAD_TEXT, 0, 0, "tiles or cudacuts"},
    {0},
};
static const struct workload_size sizes[] = {
    {"tiny", "across=2,down=4,rounds=12,launches=100,form=tiles"},
    {"small", "across=4,down=8,rounds=20,launches=100,form=tiles"},
    {"doc", "across=4,down=11,rounds=40,launches=200,form=tiles"},
    /* 128 x 112 cells, so that it takes about the cycles of Tabbakh's Table 3.2 (1.47 million
     * without an L1D); rounds and launches have no meaning here. */
    {"cudacuts", "across=4,down=14,rounds=1,launches=1,form=cudacuts"},
    {0},
};

struct cut {
    struct grid_flow start, now, reference; /* the network; after the GPU; after the CPU */
    uint32_t cells;
    int32_t *heights;
    uint32_t *queue, *flags;
};

static struct grid_flow make_grid(struct run *run, uint32_t width, uint32_t height)
{
    const size_t cells = (size_t)width * height;
    return (struct grid_flow){.width = width,
                              .height = height,
                              .cap = RUN_ARRAY(run, int32_t, (SIDES + 1) * cells),
                              .excess = RUN_ARRAY(run, int32_t, cells)};
}

/* An image that is brighter in the left half, with noise: bright cells get flow from the
 * source, dark ones give it to the sink. */
static void make_image(struct run *run, struct grid_flow *grid)
{
    const uint32_t cells = grid->width * grid->height;
    for (uint32_t at = 0; at < cells; at++) {
        const int32_t light = at % grid->width < grid->width / 2 ? 16 : -16;
        const int32_t bright = light + (int32_t)rng_below(&run->rng, 41) - 20;
        grid->excess[at] = bright > 0 ? bright : 0;
        grid->cap[SIDES * cells + at] = bright < 0 ? -bright : 0;
        for (unsigned side = 0; side < SIDES; side++) {
            const int32_t smooth = 1 + (int32_t)rng_below(&run->rng, 24);
            if (grid_neighbour(grid, at, side) != UINT32_MAX) {
                grid->cap[side * cells + at] = smooth;
            }
        }
    }
}

static void copy_grid(struct grid_flow *to, const struct grid_flow *from)
{
    const size_t cells = (size_t)from->width * from->height;
    memcpy(to->cap, from->cap, (SIDES + 1) * cells * sizeof *to->cap);
    memcpy(to->excess, from->excess, cells * sizeof *to->excess);
}

/* Excess that can still get to the sink, after setting the heights. */
static bool relabel_all(struct cut *cut)
{
    bool left = false;
    grid_distances(&cut->now, cut->heights, cut->queue);
    for (uint32_t at = 0; at < cut->cells; at++) {
        left |= cut->now.excess[at] > 0 && cut->heights[at] <= (int32_t)cut->cells;
    }
    return left;
}

static void push_relabel(struct run *run, struct cut *cut, uint32_t across, uint32_t down)
{
    const size_t cap_bytes = (SIDES + 1) * (size_t)cut->cells * 4, bytes = (size_t)cut->cells * 4;
    gpu_ptr cap = run_upload(run, "cap", cut->now.cap, cap_bytes);
    gpu_ptr excess = run_upload(run, "excess", cut->now.excess, bytes);
    gpu_ptr height = run_alloc(run, "height", 2 * bytes);
    gpu_ptr flags = run_alloc(run, "flags", (size_t)across * down * 4);
    bool left = relabel_all(cut);
    for (uint32_t n = run_u32(run, "launches"); left && n > 0 && !host_error(run->host); n--) {
        host_write(run->host, height, cut->heights, bytes);
        host_write(run->host, flags, cut->flags, (size_t)across * down * 4);
        RUN_LAUNCH(run, "cudacuts", dim2(across, down), dim2(WIDE, HIGH), host_arg_u64(cap),
                   host_arg_u64(excess), host_arg_u64(height), host_arg_u64(flags),
                   host_arg_u32(run_u32(run, "rounds")));
        run_download(run, cut->now.cap, cap, cap_bytes);
        run_download(run, cut->now.excess, excess, bytes);
        left = relabel_all(cut);
    }
    check_that(run->result, !left, "excess is left that could get to the sink; raise launches");
}

static void check_cell(struct workload_result *result, const struct cut *cut, uint32_t at)
{
    const int32_t *start = cut->start.cap, *now = cut->now.cap;
    const uint32_t cells = cut->cells, sink = SIDES * cells + at;
    int64_t in = cut->start.excess[at], out = (int64_t)start[sink] - now[sink];
    bool sound = now[sink] >= 0 && cut->now.excess[at] >= 0;
    for (unsigned side = 0; side < SIDES; side++) {
        const uint32_t to = grid_neighbour(&cut->now, at, side), edge = side * cells + at;
        out += (int64_t)start[edge] - now[edge];
        if (to == UINT32_MAX) {
            continue;
        }
        const uint32_t back = (side ^ 1) * cells + to;
        sound &= now[edge] >= 0;
        sound &= (int64_t)now[edge] + now[back] == (int64_t)start[edge] + start[back];
    }
    check_that(result, sound, "cell %u has a capacity or excess that cannot be", at);
    check_that(result, in - out == cut->now.excess[at],
               "cell %u: %lld came in and %lld left, but "
               "%d is there",
               at, (long long)in, (long long)out, cut->now.excess[at]);
}

static void check_cut(struct workload_result *result, struct cut *cut)
{
    int64_t flow = 0;
    for (uint32_t at = 0; at < cut->cells; at++) {
        const uint32_t sink = SIDES * cut->cells + at;
        flow += (int64_t)cut->start.cap[sink] - cut->now.cap[sink];
        check_cell(result, cut, at);
    }
    const int64_t want = grid_augment_all(&cut->reference, cut->heights, cut->queue);
    check_that(result, flow == want, "flow: got %lld, augmenting paths give %lld", (long long)flow,
               (long long)want);
}

static struct cut make_cut(struct run *run, uint32_t width, uint32_t height)
{
    struct cut cut = {.cells = width * height};
    cut.start = make_grid(run, width, height);
    cut.now = make_grid(run, width, height);
    cut.reference = make_grid(run, width, height);
    cut.heights = RUN_ARRAY(run, int32_t, cut.cells);
    cut.queue = RUN_ARRAY(run, uint32_t, cut.cells);
    cut.flags = RUN_ARRAY(run, uint32_t, MOST_TILES);
    return cut;
}

static void run_tiles(struct run *run, struct cut *cut, uint32_t across, uint32_t down)
{
    push_relabel(run, cut, across, down);
    if (!host_error(run->host)) {
        check_cut(run->result, cut);
    }
}

/* As run_tiles; the program's cut is checked by what program.h says of it. */
static void run_program(struct run *run, struct cut *cut, uint32_t across, uint32_t down)
{
    program_run(run, &cut->now, across, down);
    if (run->failed || host_error(run->host)) {
        return;
    }
    for (uint32_t at = 0; at < cut->cells; at++) {
        check_cell(run->result, cut, at);
    }
    program_check_flow(run->result, &cut->start, &cut->now, &cut->reference, cut->heights,
                       cut->queue);
}

static int run_cudacuts(struct host *host, const struct workload_size *size, uint64_t seed,
                        struct workload_result *result)
{
    static const char *const forms[] = {"tiles", "cudacuts"};
    struct run run = run_begin(host, size, seed, result, "cudacuts/cudacuts.ptx");
    const uint32_t across = run_u32(&run, "across"), down = run_u32(&run, "down");
    const bool is_tiles = run_word(&run, "form", forms, 2) == 0;
    struct cut cut = make_cut(&run, across * WIDE, down * (is_tiles ? HIGH : TALL));

    if (is_tiles && across * down > MOST_TILES) {
        run_refuse(&run, "%u tiles cannot all be resident; lower across or down", across * down);
    }
    if (!run.failed) {
        make_image(&run, &cut.start);
        copy_grid(&cut.now, &cut.start);
        copy_grid(&cut.reference, &cut.start);
        (is_tiles ? run_tiles : run_program)(&run, &cut, across, down);
    }
    return run_end(&run);
}

const struct workload workload_cudacuts = {
    .name = "cudacuts",
    .title = "maximum flow on a grid, push-relabel (CC)",
    .source = "Tabbakh 2018 section 6.2",
    .params = params,
    .sizes = sizes,
    .together = true,
    .run = run_cudacuts,
};
