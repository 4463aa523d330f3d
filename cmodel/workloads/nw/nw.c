/* nw.c - Needleman-Wunsch: global alignment of two sequences.
 *
 * Works after the ACI document section 6.2 (NW); the kernel is Rodinia's.  CTAs of 16
 * threads, one launch per anti-diagonal of 16 x 16 tiles, so many small kernels.  Rows
 * have a pitch of (n + 1) * 4 bytes: a lane's step down the tile's left edge is that
 * pitch (16 lines for 16 lanes, 8196 bytes at n = 2048), rows of the tile are coalesced
 * (64 bytes, one or two lines).
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { TILE = 16, MAX_SCORE = 10 };

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 16, 8192, "length of both sequences, a multiple of 16"},
    {"penalty", WORKLOAD_NUMBER, 0, 1000, "cost of a gap"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=64,penalty=10"},
    {"small", "n=512,penalty=10"},
    {"doc", "n=2048,penalty=10"},
    {0},
};

struct problem {
    uint32_t n, pitch; /* the matrices have n + 1 rows and columns */
    int32_t penalty;
    int32_t *similarity, *matrix;
};

static struct problem make(struct run *run)
{
    struct problem p = {.n = run_u32(run, "n"), .penalty = (int32_t)run_u32(run, "penalty")};
    p.pitch = p.n + 1;
    p.similarity = RUN_ARRAY(run, int32_t, (size_t)p.pitch * p.pitch);
    p.matrix = RUN_ARRAY(run, int32_t, (size_t)p.pitch * p.pitch);
    if (p.n % TILE) {
        run_refuse(run, "n=%u is no multiple of %d; use %u", p.n, TILE, p.n / TILE * TILE);
    }
    for (size_t i = 0; !run->failed && i < (size_t)p.pitch * p.pitch; i++) {
        p.similarity[i] = (int32_t)rng_below(&run->rng, 2 * MAX_SCORE + 1) - MAX_SCORE;
    }
    for (uint32_t i = 0; !run->failed && i < p.pitch; i++) {
        p.matrix[i] = p.matrix[(size_t)i * p.pitch] = -(int32_t)i * p.penalty;
    }
    return p;
}

static int32_t largest(int32_t a, int32_t b, int32_t c)
{
    int32_t ab = a > b ? a : b;
    return ab > c ? ab : c;
}

/* The recurrence row by row over the whole matrix, in place. */
static void align(const struct problem *p)
{
    for (uint32_t y = 1; y < p->pitch; y++) {
        int32_t *here = p->matrix + (size_t)y * p->pitch, *above = here - p->pitch;
        const int32_t *similar = p->similarity + (size_t)y * p->pitch;
        for (uint32_t x = 1; x < p->pitch; x++) {
            here[x] = largest(above[x - 1] + similar[x], here[x - 1] - p->penalty,
                              above[x] - p->penalty);
        }
    }
}

/* The anti-diagonals of tiles: first growing from the top left, then shrinking. */
static void align_on_gpu(struct run *run, const struct problem *p, gpu_ptr similarity,
                         gpu_ptr matrix)
{
    const uint32_t tiles = p->n / TILE;
    for (uint32_t diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        uint32_t first_y = diagonal < tiles ? diagonal : tiles - 1;
        uint32_t first_x = diagonal - first_y;
        RUN_LAUNCH(run, "nw", dim1(first_y - first_x + 1), dim1(TILE), host_arg_u64(similarity),
                   host_arg_u64(matrix), host_arg_u32(p->pitch), host_arg_u32((uint32_t)p->penalty),
                   host_arg_u32(first_x), host_arg_u32(first_y));
    }
}

static int run_nw(struct host *host, const struct workload_size *size, uint64_t seed,
                  struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "nw/nw.ptx");
    struct problem p = make(&run);
    const size_t n_cells = (size_t)p.pitch * p.pitch, bytes = n_cells * sizeof(int32_t);
    int32_t *got = RUN_ARRAY(&run, int32_t, n_cells);
    if (run.failed) {
        return run_end(&run);
    }
    gpu_ptr similarity = run_upload(&run, "similarity", p.similarity, bytes);
    gpu_ptr matrix = run_upload(&run, "matrix", p.matrix, bytes);
    align_on_gpu(&run, &p, similarity, matrix);
    run_download(&run, got, matrix, bytes);
    align(&p);
    for (size_t i = 0; i < n_cells; i++) {
        check_that(result, got[i] == p.matrix[i], "score[%zu][%zu] is %d; the reference is %d",
                   i / p.pitch, i % p.pitch, got[i], p.matrix[i]);
    }
    return run_end(&run);
}

const struct workload workload_nw = {
    .name = "nw",
    .title = "Needleman-Wunsch alignment by tiles",
    .source = "ACI document section 6.2",
    .params = params,
    .sizes = sizes,
    .expect = NULL, /* 16 lanes per warp: the table is for 32 */
    .run = run_nw,
};
