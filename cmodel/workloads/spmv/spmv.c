/* spmv.c - sparse matrix by vector, CSR, one row per thread.
 *
 * Works after Wang 2015 section 6 (SPMV, SHOC's scalar kernel) and the ACI document
 * section 6.2.  Loads: row[r] and row[r + 1] are affine; val[i] and col[i] start at
 * another row in every lane (up to 32 lines, the strides vary with the row lengths) and
 * are reused along the row; x[col[i]] is indirect and random.  Lanes diverge by row
 * length.  SHOC's default is 1024 rows with 1 % of the elements; class 2 has 8192.
 * A file's own values are used when graph names one.
 */
#include <float.h>

#include "workloads/check.h"
#include "workloads/graph_run.h"

static const struct workload_param params[] = {GRAPH_PARAMS, GRAPH_BLOCK_PARAM, {0}};

static const struct workload_size sizes[] = {
    {"tiny", "graph=uniform,vertices=1000,edges=10000,block=128"},
    {"small", "graph=rmat,vertices=16384,edges=131072,block=128"},
    {"doc", "graph=uniform,vertices=1024,edges=10485,block=128"},
    {"class2", "graph=uniform,vertices=8192,edges=671088,block=128"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "spmv", .load = 0, .nreq = 2, .stride_bytes = 4, .what = "row[r + 1]"},
    {.kernel = "spmv", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "row[r]"},
    {0},
};

enum { MAX_ELEMENT = 1024 }; /* generated elements are whole numbers from 1 */

/* The matrix elements as floats; refuses what only a double can hold. */
static float *elements(struct run *run, const struct graph *matrix)
{
    float *val = RUN_ARRAY(run, float, matrix->n_edges);
    for (uint32_t i = 0; val && i < matrix->n_edges; i++) {
        if (fabs(matrix->value[i]) > (double)FLT_MAX) {
            run_refuse(run, "matrix element %g does not fit in a float; scale the matrix",
                       matrix->value[i]);
            return NULL;
        }
        val[i] = (float)matrix->value[i];
    }
    return val;
}

static struct approx *expected(struct run *run, const struct graph *matrix, const float *val,
                               const float *x)
{
    struct approx *y = RUN_ARRAY(run, struct approx, matrix->n_vertices);
    for (uint32_t r = 0; y && r < matrix->n_vertices; r++) {
        for (uint32_t i = matrix->row[r]; i < matrix->row[r + 1]; i++) {
            struct approx element = approx_exact((double)val[i]);
            y[r] = approx_mad(element, approx_exact((double)x[matrix->col[i]]), y[r]);
        }
    }
    return y;
}

static void multiply(struct run *run, const struct graph *matrix, const float *val, const float *x,
                     float *y)
{
    const uint32_t n = matrix->n_vertices;
    const struct isa_dim3 block = dim1(run_u32(run, "block"));
    gpu_ptr dev_val = run_alloc(run, "val", ((size_t)matrix->n_edges + 1) * sizeof *val);
    host_write(run->host, dev_val, val, matrix->n_edges * sizeof *val);
    gpu_ptr col = graph_upload_edges(run, matrix), row = graph_upload_rows(run, matrix);
    gpu_ptr dev_x = run_upload(run, "x", x, n * sizeof *x);
    gpu_ptr dev_y = run_alloc(run, "y", n * sizeof *y);
    RUN_LAUNCH(run, "spmv", dim1(cover(n, block.x)), block, host_arg_u64(dev_val),
               host_arg_u64(col), host_arg_u64(row), host_arg_u64(dev_x), host_arg_u64(dev_y),
               host_arg_u32(n));
    run_download(run, y, dev_y, n * sizeof *y);
}

static int run_spmv(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "spmv/spmv.ptx");
    struct graph matrix = graph_input(&run, MAX_ELEMENT, GRAPH_AS_GIVEN);
    const uint32_t n = matrix.n_vertices;
    float *val = elements(&run, &matrix);
    float *x = run_random_f32(&run, n);
    float *y = RUN_ARRAY(&run, float, n);
    const struct approx *want = run.failed ? NULL : expected(&run, &matrix, val, x);
    if (!run.failed) {
        multiply(&run, &matrix, val, x, y);
        check_f32(result, "y", y, want, n);
    }
    graph_free(&matrix);
    return run_end(&run);
}

const struct workload workload_spmv = {
    .name = "spmv",
    .title = "sparse matrix by vector, CSR, row per thread",
    .source = "Wang 2015 section 6; ACI document section 6.2",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_spmv,
};
