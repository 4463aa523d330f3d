/* gaussian.c - Gaussian elimination, two launches for each column.
 *
 * Works after Tabbakh 2018 sections 6.1 and 6.2 (GE).  As in Rodinia every launch covers the
 * whole matrix, so that more and more threads fail the bounds tests and do nothing; lanes
 * next to each other work on rows, dim * 4 bytes apart.  The pivot row and the column of
 * multipliers are shared by all CTAs of a row or column of the grid.  Back substitution is
 * the host's part in Rodinia and left out.
 *
 * Checked are all multipliers, the matrix and the right-hand side after the last step.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { FAN1_THREADS = 512, FAN2_WIDE = 4 }; /* Rodinia's */

static const struct workload_param params[] = {
    {"dim", WORKLOAD_NUMBER, 2, 2048, "rows and columns"},
    {0},
};
static const struct workload_size sizes[] = {
    {"tiny", "dim=12"},
    {"launches70", "dim=36"}, /* as many as in Fig 2.5 of the document */
    {"small", "dim=64"},
    {"doc", "dim=208"}, /* a matrix of Rodinia's */
    {0},
};

/* Random elements with a diagonal that outweighs its row: no pivoting is needed. */
static float *make(struct run *run, uint32_t dim)
{
    float *a = run_random_f32(run, (size_t)dim * dim);
    for (uint32_t i = 0; a && i < dim; i++) {
        a[(size_t)i * dim + i] += (float)dim;
    }
    return a;
}

static void eliminate(struct run *run, uint32_t dim, float *m, float *a, float *b)
{
    const size_t matrix_bytes = (size_t)dim * dim * sizeof *a, vector_bytes = dim * sizeof *b;
    const uint32_t across = cover(dim, FAN2_WIDE);
    gpu_ptr dev_m = run_alloc(run, "m", matrix_bytes);
    gpu_ptr dev_a = run_upload(run, "a", a, matrix_bytes);
    gpu_ptr dev_b = run_upload(run, "b", b, vector_bytes);
    for (uint32_t t = 0; t + 1 < dim; t++) {
        RUN_LAUNCH(run, "fan1", dim1(cover(dim, FAN1_THREADS)), dim1(FAN1_THREADS),
                   host_arg_u64(dev_m), host_arg_u64(dev_a), host_arg_u32(dim), host_arg_u32(t));
        RUN_LAUNCH(run, "fan2", dim2(across, across), dim2(FAN2_WIDE, FAN2_WIDE),
                   host_arg_u64(dev_m), host_arg_u64(dev_a), host_arg_u64(dev_b), host_arg_u32(dim),
                   host_arg_u32(t));
    }
    run_download(run, m, dev_m, matrix_bytes);
    run_download(run, a, dev_a, matrix_bytes);
    run_download(run, b, dev_b, vector_bytes);
}

/* The same operations in the same order; `b` is column dim of `a`, which has dim + 1. */
static void eliminate_reference(uint32_t dim, struct approx *m, struct approx *a)
{
    const size_t pitch = dim + 1;
    for (uint32_t t = 0; t + 1 < dim; t++) {
        const struct approx *pivot = a + t * pitch;
        for (uint32_t i = t + 1; i < dim; i++) {
            struct approx *row = a + i * pitch;
            const struct approx factor = approx_div(row[t], pivot[t]);
            m[(size_t)i * dim + t] = factor;
            for (uint32_t j = t; j < pitch; j++) {
                row[j] = approx_sub(row[j], approx_mul(factor, pivot[j]));
            }
        }
    }
}

static int run_gaussian(struct host *host, const struct workload_size *size, uint64_t seed,
                        struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "gaussian/gaussian.ptx");
    const uint32_t dim = run_u32(&run, "dim");
    const size_t elements = (size_t)dim * dim, pitch = dim + 1;
    float *a = make(&run, dim), *b = run_random_f32(&run, dim);
    float *m = RUN_ARRAY(&run, float, elements);
    struct approx *want_m = RUN_ARRAY(&run, struct approx, elements);
    struct approx *want = RUN_ARRAY(&run, struct approx, dim * pitch);

    if (!run.failed) {
        for (uint32_t i = 0; i < dim; i++) {
            for (uint32_t j = 0; j < dim; j++) {
                want[i * pitch + j] = approx_exact((double)a[(size_t)i * dim + j]);
            }
            want[i * pitch + dim] = approx_exact((double)b[i]);
        }
        eliminate(&run, dim, m, a, b);
        eliminate_reference(dim, want_m, want);
        check_f32(result, "m", m, want_m, elements);
        for (uint32_t i = 0; i < dim; i++) {
            check_f32_part(result, "a", (size_t)i * dim, a + (size_t)i * dim, want + i * pitch,
                           dim);
            check_f32_part(result, "b", i, b + i, want + i * pitch + dim, 1);
        }
    }
    return run_end(&run);
}

const struct workload workload_gaussian = {
    .name = "gaussian",
    .title = "Gaussian elimination, two launches a column (GE)",
    .source = "Tabbakh 2018 sections 6.1, 6.2",
    .params = params,
    .sizes = sizes,
    .run = run_gaussian,
};
