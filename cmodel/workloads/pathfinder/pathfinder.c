/* pathfinder.c - cheapest way down a grid, row by row.
 *
 * Works after Tabbakh 2018 section 6.3 (Pathfinder); the kernel is Rodinia's: each launch
 * advances several rows, with a halo of as many columns per CTA.  Loads: costs[col] and
 * wall[row][col] are coalesced; a CTA starts at a multiple of (256 - 2 * steps) columns, so
 * most warps straddle two lines.  Divergence at the grid's edges only.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 256, MAX_COST = 10 };

static const struct workload_param params[] = {
    {"rows", WORKLOAD_NUMBER, 2, 1 << 14, "number of rows"},
    {"cols", WORKLOAD_NUMBER, 1, 1 << 20, "number of columns"},
    {"steps", WORKLOAD_NUMBER, 1, BLOCK / 2 - 1, "rows per launch"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "rows=20,cols=1000,steps=8"},
    {"small", "rows=41,cols=20000,steps=20"},
    {"doc", "rows=100,cols=100000,steps=20"}, /* Rodinia's default */
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "pathfinder",
     .load = 0,
     .nreq = 1,
     .nreq_max = 2,
     .stride_bytes = 4,
     .what = "costs[col]"},
    {.kernel = "pathfinder",
     .load = 1,
     .nreq = 1,
     .nreq_max = 2,
     .stride_bytes = 4,
     .what = "wall[cols * row + col]"},
    {0},
};

/* The recurrence over whole rows, from the first row's costs. */
static void descend(const int32_t *wall, uint32_t rows, uint32_t cols, int32_t *cost, int32_t *next)
{
    for (uint32_t c = 0; c < cols; c++) {
        cost[c] = wall[c];
    }
    for (uint32_t r = 1; r < rows; r++) {
        for (uint32_t c = 0; c < cols; c++) {
            int32_t best = cost[c];
            best = c > 0 && cost[c - 1] < best ? cost[c - 1] : best;
            best = c + 1 < cols && cost[c + 1] < best ? cost[c + 1] : best;
            next[c] = best + wall[(size_t)r * cols + c];
        }
        for (uint32_t c = 0; c < cols; c++) {
            cost[c] = next[c];
        }
    }
}

/* Launches over all rows; returns where the last costs are. */
static gpu_ptr descend_on_gpu(struct run *run, const int32_t *wall, uint32_t rows, uint32_t cols)
{
    const size_t row_bytes = cols * sizeof *wall;
    const uint32_t most = run_u32(run, "steps");
    gpu_ptr dev_wall = run_upload(run, "wall", wall, rows * row_bytes);
    gpu_ptr from = run_upload(run, "costs0", wall, row_bytes);
    gpu_ptr to = run_alloc(run, "costs1", row_bytes);
    for (uint32_t row = 1; row < rows; row += most) {
        uint32_t steps = rows - row < most ? rows - row : most;
        RUN_LAUNCH(run, "pathfinder", dim1(cover(cols, BLOCK - 2 * steps)), dim1(BLOCK),
                   host_arg_u64(dev_wall), host_arg_u64(from), host_arg_u64(to), host_arg_u32(cols),
                   host_arg_u32(row), host_arg_u32(steps));
        gpu_ptr done = to;
        to = from;
        from = done;
    }
    return from;
}

static int run_pathfinder(struct host *host, const struct workload_size *size, uint64_t seed,
                          struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "pathfinder/pathfinder.ptx");
    const uint32_t rows = run_u32(&run, "rows"), cols = run_u32(&run, "cols");
    const size_t n = (size_t)rows * cols;
    if (n > INT32_MAX) {
        run_refuse(&run, "%u x %u cells overflow the kernel's 32-bit index; use fewer", rows, cols);
        return run_end(&run);
    }
    int32_t *wall = RUN_ARRAY(&run, int32_t, n);
    int32_t *want = RUN_ARRAY(&run, int32_t, cols), *next = RUN_ARRAY(&run, int32_t, cols);
    int32_t *got = RUN_ARRAY(&run, int32_t, cols);
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < n; i++) {
        wall[i] = (int32_t)rng_below(&run.rng, MAX_COST);
    }
    run_download(&run, got, descend_on_gpu(&run, wall, rows, cols), cols * sizeof *got);
    descend(wall, rows, cols, want, next);
    for (uint32_t c = 0; c < cols; c++) {
        check_that(result, got[c] == want[c], "cost[%u] is %d; the reference is %d", c, got[c],
                   want[c]);
    }
    return run_end(&run);
}

const struct workload workload_pathfinder = {
    .name = "pathfinder",
    .title = "cheapest way down a grid",
    .source = "Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_pathfinder,
};
