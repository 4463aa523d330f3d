/* conv3d.c - 3 x 3 x 3 convolution, one launch per plane.
 *
 * Twenty-seven loads of stride 4; those one column to the left or right straddle
 * a line boundary (2 requests), the others do not (1).  Rows and planes are
 * powers of two apart (1 KB and 256 KB).  CTAs of 32 x 8; lanes at the border do
 * nothing.  The document's volume is cut to 18 planes, that is to 16 launches.
 */
#include "workloads/check.h"
#include "workloads/matrix.h"

enum { TAPS = 27 };

static const struct workload_param params[] = {
    {"planes", WORKLOAD_NUMBER, 3, 512, "planes of the volume"},
    {"rows", WORKLOAD_NUMBER, 3, 512, "rows of a plane"},
    {"cols", WORKLOAD_NUMBER, 3, 512, "columns of a plane (stride), floats"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "planes=4,rows=18,cols=256"},
    {"small", "planes=4,rows=256,cols=256"},
    {"doc", "planes=18,rows=256,cols=256"},
    {0},
};

#define LOAD(ordinal, requests, expression) \
    { \
        .kernel = "conv3d", .load = ordinal, .nreq = requests, .stride_bytes = 4, \
        .what = expression \
    }
#define ROW(ordinal, expression) \
    LOAD(ordinal, 2, expression "[k-1]"), LOAD(ordinal + 1, 1, expression "[k]"), \
        LOAD(ordinal + 2, 2, expression "[k+1]")
static const struct workload_expect expect[] = {
    ROW(0, "a[i-1][j-1]"),  ROW(3, "a[i-1][j]"),
    ROW(6, "a[i-1][j+1]"),  ROW(9, "a[i][j-1]"),
    ROW(12, "a[i][j]"),     ROW(15, "a[i][j+1]"),
    ROW(18, "a[i+1][j-1]"), ROW(21, "a[i+1][j]"),
    ROW(24, "a[i+1][j+1]"), {0},
};

struct volume {
    struct matrix a; /* a row of the volume is a row of the matrix */
    uint32_t planes, rows, cols;
};

static struct approx point_reference(const struct volume *v, const float *weights, uint32_t i,
                                     uint32_t j, uint32_t k)
{
    struct approx sum = approx_exact(0);
    for (uint32_t tap = 0; tap < TAPS; tap++) {
        uint32_t row = (i + tap / 9 - 1) * v->rows + j + tap / 3 % 3 - 1;
        sum = approx_mad(approx_exact((double)weights[tap]),
                         approx_exact((double)matrix_at(&v->a, row, k + tap % 3 - 1)), sum);
    }
    return sum;
}

static bool at_border(const struct volume *v, uint32_t i, uint32_t j, uint32_t k)
{
    return i == 0 || j == 0 || k == 0 || i + 1 == v->planes || j + 1 == v->rows || k + 1 == v->cols;
}

static void check_volume(struct run *run, const struct volume *v, const float *weights,
                         gpu_ptr dev_b)
{
    const size_t bytes = v->cols * sizeof(float);
    float *line = RUN_ARRAY(run, float, v->cols);
    struct approx *want = RUN_ARRAY(run, struct approx, v->cols);
    for (uint32_t row = 0; !run->failed && row < v->planes * v->rows; row++) {
        const uint32_t i = row / v->rows, j = row % v->rows;
        run_download(run, line, dev_b + row * bytes, bytes);
        for (uint32_t k = 0; k < v->cols; k++) {
            want[k] = at_border(v, i, j, k) ? approx_exact(0)
                                            : point_reference(v, weights, i, j, k);
        }
        check_f32_part(run->result, "b", (size_t)row * v->cols, line, want, v->cols);
    }
}

static int run_conv3d(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "conv3d/conv3d.ptx");
    struct volume v = {
        .planes = run_u32(&run, "planes"),
        .rows = run_u32(&run, "rows"),
        .cols = run_u32(&run, "cols"),
    };
    v.a = (struct matrix){.seed = rng_u64(&run.rng), .pitch = v.cols};
    const float *weights = run_random_f32(&run, TAPS);
    if (run.failed) {
        return run_end(&run);
    }

    matrix_alloc(&run, &v.a, "a", v.planes * v.rows);
    matrix_write(&run, &v.a, v.planes * v.rows, v.cols);
    gpu_ptr dev_b = run_alloc(&run, "b", (size_t)v.planes * v.rows * v.cols * sizeof(float));
    run_write_symbol(&run, "conv3d_weights", weights, TAPS * sizeof(float));
    for (uint32_t plane = 1; plane + 1 < v.planes; plane++) {
        RUN_LAUNCH(&run, "conv3d", dim2(cover(v.cols, 32), cover(v.rows, 8)), dim2(32, 8),
                   host_arg_u64(v.a.base), host_arg_u64(dev_b), host_arg_u32(plane),
                   host_arg_u32(v.rows), host_arg_u32(v.cols));
    }
    check_volume(&run, &v, weights, dev_b);
    return run_end(&run);
}

const struct workload workload_conv3d = {
    .name = "conv3d",
    .title = "3 x 3 x 3 convolution",
    .source = "wang2015-divergence section 6 (3DC)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_conv3d,
};
