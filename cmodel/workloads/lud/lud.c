/* lud.c - LU decomposition by blocks.
 *
 * Works after Tabbakh 2018 sections 6.1 and 6.3 (LUD): the row panel is shared by all CTAs
 * of a column of blocks, the column panel by all of a row.  Loads of lud_internal: two
 * rows of 16 elements per warp, dim * 4 bytes apart (two lines).  The diagonal runs in one
 * half warp, the perimeter diverges between its two panels.
 *
 * The result is checked backwards (Higham, Accuracy and Stability of Numerical Algorithms,
 * lemma 8.4 and theorem 9.3): after k steps A = L U + S with |A - L U - S| <= gamma_c (|L|
 * |U| + |S|), where S is the part not yet decomposed and c counts the roundings on the
 * longest way of a term: one product, 16 additions per inner product, one subtraction per
 * step, and in the last block at most 16 more and a division.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 16 };

static const struct workload_param params[] = {
    {"dim", WORKLOAD_NUMBER, BLOCK, 4096, "rows and columns, a multiple of 16"},
    {"steps", WORKLOAD_NUMBER, 1, 256, "steps of 16 columns; dim / 16 complete the matrix"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "dim=64,steps=4"},   {"small", "dim=128,steps=8"},
    {"doc", "dim=256,steps=16"}, /* Rodinia's default */
    {"wide", "dim=2048,steps=1"}, {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "lud_internal",
     .load = 0,
     .nreq = 2,
     .stride_bytes = 4,
     .what = "m[(offset + ty) * dim + global_col_id + tx]"},
    {.kernel = "lud_internal",
     .load = 1,
     .nreq = 2,
     .stride_bytes = 4,
     .what = "m[(global_row_id + ty) * dim + offset + tx]"},
    {.kernel = "lud_internal",
     .load = 2,
     .nreq = 2,
     .stride_bytes = 4,
     .what = "m[(global_row_id + ty) * dim + global_col_id + tx]"},
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

static void decompose(struct run *run, gpu_ptr m, uint32_t dim, uint32_t steps)
{
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t offset = step * BLOCK, blocks = dim / BLOCK - step - 1;
        RUN_LAUNCH(run, "lud_diagonal", dim1(1), dim1(BLOCK), host_arg_u64(m), host_arg_u32(dim),
                   host_arg_u32(offset));
        if (blocks == 0) {
            break;
        }
        RUN_LAUNCH(run, "lud_perimeter", dim1(blocks), dim1(2 * BLOCK), host_arg_u64(m),
                   host_arg_u32(dim), host_arg_u32(offset));
        RUN_LAUNCH(run, "lud_internal", dim2(blocks, blocks), dim2(BLOCK, BLOCK), host_arg_u64(m),
                   host_arg_u32(dim), host_arg_u32(offset));
    }
}

/* Adds the first `terms` columns of L times rows of U of one row: values and magnitudes.
 * L has a diagonal of ones, which the matrix does not store. */
static void multiply_row(const float *m, uint32_t dim, uint32_t row, uint32_t terms, double *value,
                         double *magnitude)
{
    for (uint32_t k = 0; k < terms && k <= row; k++) {
        const double l = k == row ? 1 : (double)m[(size_t)row * dim + k];
        for (uint32_t col = k; col < dim; col++) {
            const double product = l * (double)m[(size_t)k * dim + col];
            value[col] += product;
            magnitude[col] += fabs(product);
        }
    }
}

static void check_row(struct run *run, const float *a, const float *m, uint32_t dim, uint32_t row,
                      uint32_t steps, double *value, double *magnitude)
{
    const uint32_t done = steps * BLOCK;
    const double c = 1 + BLOCK + steps + BLOCK + 1;
    const double gamma = c * APPROX_U / (1 - c * APPROX_U);
    for (uint32_t col = 0; col < dim; col++) {
        value[col] = magnitude[col] = 0;
    }
    multiply_row(m, dim, row, done, value, magnitude);
    for (uint32_t col = 0; col < dim; col++) {
        const size_t i = (size_t)row * dim + col;
        const double rest = row >= done && col >= done ? (double)m[i] : 0;
        const double error = fabs((double)a[i] - value[col] - rest);
        const double bound = gamma * (magnitude[col] + fabs(rest)) * (1 + 0x1p-20);
        check_that(run->result, error <= bound,
                   "row %u, column %u of L U differs from A by "
                   "%.3g; the bound is %.3g",
                   row, col, error, bound);
    }
}

static int run_lud(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "lud/lud.ptx");
    const uint32_t dim = run_u32(&run, "dim"), steps = run_u32(&run, "steps");
    const size_t bytes = (size_t)dim * dim * sizeof(float);
    if (dim % BLOCK || steps > dim / BLOCK) {
        run_refuse(&run,
                   "dim=%u with steps=%u is not possible; use a multiple of %d and at most "
                   "dim / %d steps",
                   dim, steps, BLOCK, BLOCK);
    }
    float *a = make(&run, dim), *m = RUN_ARRAY(&run, float, (size_t)dim *dim);
    double *value = RUN_ARRAY(&run, double, dim), *magnitude = RUN_ARRAY(&run, double, dim);
    if (run.failed) {
        return run_end(&run);
    }
    gpu_ptr dev_m = run_upload(&run, "m", a, bytes);
    decompose(&run, dev_m, dim, steps);
    run_download(&run, m, dev_m, bytes);
    for (uint32_t row = 0; row < dim; row++) {
        check_row(&run, a, m, dim, row, steps, value, magnitude);
    }
    return run_end(&run);
}

const struct workload workload_lud = {
    .name = "lud",
    .title = "LU decomposition by blocks",
    .source = "Tabbakh 2018 section 6.1",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_lud,
};
