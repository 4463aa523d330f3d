/* nqueens.c - counting the placements of n queens: branches above all.
 *
 * Lanes backtrack through trees of different shapes: every branch of the loop
 * diverges and warps end when their slowest lane does.  The few global loads are
 * the start states (12 bytes per lane: 3 requests, stride 12); the stack lies in
 * local memory at per-lane depths.  The input has no randomness: the seed is not
 * used.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { MAX_N = 16, BLOCK_THREADS = 128 };

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 4, MAX_N, "queens, and the board's side"},
    {"depth", WORKLOAD_NUMBER, 1, 6, "rows placed by the host; less than n"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=8,depth=2"},
    {"small", "n=9,depth=3"},
    {"doc", "n=11,depth=4"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "nqueens", .load = 0, .nreq = 3, .stride_bytes = 12, .what = "start[i].cols"},
    {.kernel = "nqueens", .load = 1, .nreq = 3, .stride_bytes = 12, .what = "start[i].left"},
    {.kernel = "nqueens", .load = 2, .nreq = 3, .stride_bytes = 12, .what = "start[i].right"},
    {0},
};

struct attacked {
    uint32_t cols, left, right;
};

struct board {
    uint8_t n, col[MAX_N];
}; /* column of the queen in each row */

static bool allowed(const struct board *board, unsigned row, unsigned col)
{
    for (unsigned r = 0; r < row; r++) {
        const unsigned c = board->col[r], apart = row - r;
        if (c == col || c + apart == col || col + apart == c) {
            return false;
        }
    }
    return true;
}

/* Placements of all n queens that continue the first `row` rows: the reference,
 * which checks queen against queen instead of using masks. */
static uint32_t count_below(struct board *board, unsigned row)
{
    uint32_t count = 0;
    if (row == board->n) {
        return 1;
    }
    for (uint8_t col = 0; col < board->n; col++) {
        if (allowed(board, row, col)) {
            board->col[row] = col;
            count += count_below(board, row + 1);
        }
    }
    return count;
}

static struct attacked attacked_in_next_row(const struct board *board, unsigned rows)
{
    struct attacked a = {0};
    const uint32_t all = (1u << board->n) - 1;
    for (unsigned r = 0; r < rows; r++) {
        const unsigned col = board->col[r], apart = rows - r;
        a.cols |= 1u << col;
        a.left |= 1u << (col + apart) & all;
        a.right |= 1u << col >> apart;
    }
    return a;
}

struct starts {
    uint32_t count, depth;
    struct attacked *start; /* NULL while counting */
    uint32_t *want;
};

/* Every placement of the first `depth` rows, and how many solutions continue it. */
static void enumerate(struct starts *starts, struct board *board, unsigned row)
{
    if (row == starts->depth) {
        if (starts->start) {
            starts->start[starts->count] = attacked_in_next_row(board, row);
            starts->want[starts->count] = count_below(board, row);
        }
        starts->count++;
        return;
    }
    for (uint8_t col = 0; col < board->n; col++) {
        if (allowed(board, row, col)) {
            board->col[row] = col;
            enumerate(starts, board, row + 1);
        }
    }
}

static int run_nqueens(struct host *host, const struct workload_size *size, uint64_t seed,
                       struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "nqueens/nqueens.ptx");
    const uint32_t n = run_u32(&run, "n"), depth = run_u32(&run, "depth");
    struct board board = {.n = (uint8_t)n};
    struct starts starts = {.depth = depth};
    if (depth >= n) {
        run_refuse(&run, "depth=%u; needs depth < n=%u", depth, n);
    }
    if (run.failed) {
        return run_end(&run);
    }
    enumerate(&starts, &board, 0);
    const uint32_t threads = starts.count;
    starts = (struct starts){
        .depth = depth,
        .start = RUN_ARRAY(&run, struct attacked, threads),
        .want = RUN_ARRAY(&run, uint32_t, threads),
    };
    uint32_t *got = RUN_ARRAY(&run, uint32_t, threads);
    if (run.failed) {
        return run_end(&run);
    }
    enumerate(&starts, &board, 0);

    gpu_ptr dev_start = run_upload(&run, "start", starts.start, threads * sizeof *starts.start);
    gpu_ptr dev_solutions = run_alloc(&run, "solutions", threads * sizeof *got);
    RUN_LAUNCH(&run, "nqueens", dim1(cover(threads, BLOCK_THREADS)), dim1(BLOCK_THREADS),
               host_arg_u64(dev_start), host_arg_u64(dev_solutions), host_arg_u32(threads),
               host_arg_u32(n), host_arg_u32(depth));
    run_download(&run, got, dev_solutions, threads * sizeof *got);
    check_u32(result, "solutions", got, starts.want, threads);
    return run_end(&run);
}

const struct workload workload_nqueens = {
    .name = "nqueens",
    .title = "counting placements of n queens",
    .source = "a baseline of this project for branch divergence",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_nqueens,
};
