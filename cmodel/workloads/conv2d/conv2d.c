/* conv2d.c - 3 x 3 convolution of a row-major image.
 *
 * Nine loads of stride 4; those one column to the left or right straddle a line
 * boundary (2 requests), the others do not (1).  Rows are 16 KB apart at 4096
 * columns: the three rows of a warp map to one set of a conventional index.
 * CTAs of 32 x 8; lanes at the image's border do nothing.
 */
#include "workloads/check.h"
#include "workloads/matrix.h"

enum { TAPS = 9 };

static const struct workload_param params[] = {
    {"rows", WORKLOAD_NUMBER, 3, 8192, "rows of the image"},
    {"cols", WORKLOAD_NUMBER, 3, 8192, "columns of the image (stride), floats"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "rows=10,cols=4096"},
    {"small", "rows=130,cols=4096"},
    {"doc", "rows=4096,cols=4096"},
    {0},
};

#define LOAD(ordinal, requests, expression) \
    { \
        .kernel = "conv2d", .load = ordinal, .nreq = requests, .stride_bytes = 4, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, 2, "a[i-1][j-1]"), LOAD(1, 1, "a[i-1][j]"),
    LOAD(2, 2, "a[i-1][j+1]"), LOAD(3, 2, "a[i][j-1]"),
    LOAD(4, 1, "a[i][j]"),     LOAD(5, 2, "a[i][j+1]"),
    LOAD(6, 2, "a[i+1][j-1]"), LOAD(7, 1, "a[i+1][j]"),
    LOAD(8, 2, "a[i+1][j+1]"), {0},
};

static struct approx pixel_reference(const struct matrix *a, const float *weights, uint32_t i,
                                     uint32_t j)
{
    struct approx sum = approx_exact(0);
    for (uint32_t tap = 0; tap < TAPS; tap++) {
        float pixel = matrix_at(a, i + tap / 3 - 1, j + tap % 3 - 1);
        sum = approx_mad(approx_exact((double)weights[tap]), approx_exact((double)pixel), sum);
    }
    return sum;
}

static void check_row(struct run *run, const struct matrix *a, const float *weights, gpu_ptr dev_b,
                      float *row, struct approx *want, uint32_t i, uint32_t rows)
{
    const uint32_t cols = a->pitch;
    run_download(run, row, dev_b + (uint64_t)i * cols * sizeof(float), cols * sizeof(float));
    for (uint32_t j = 0; j < cols; j++) {
        want[j] = i == 0 || j == 0 || i + 1 == rows || j + 1 == cols
                      ? approx_exact(0)
                      : pixel_reference(a, weights, i, j);
    }
    check_f32_part(run->result, "b", (size_t)i * cols, row, want, cols);
}

static int run_conv2d(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "conv2d/conv2d.ptx");
    const uint32_t rows = run_u32(&run, "rows"), cols = run_u32(&run, "cols");
    struct matrix a = {.seed = rng_u64(&run.rng), .pitch = cols};
    const float *weights = run_random_f32(&run, TAPS);
    float *row = RUN_ARRAY(&run, float, cols);
    struct approx *want = RUN_ARRAY(&run, struct approx, cols);
    if (run.failed) {
        return run_end(&run);
    }

    matrix_alloc(&run, &a, "a", rows);
    matrix_write(&run, &a, rows, cols);
    gpu_ptr dev_b = run_alloc(&run, "b", (size_t)rows * cols * sizeof(float));
    run_write_symbol(&run, "conv2d_weights", weights, TAPS * sizeof(float));
    RUN_LAUNCH(&run, "conv2d", dim2(cover(cols, 32), cover(rows, 8)), dim2(32, 8),
               host_arg_u64(a.base), host_arg_u64(dev_b), host_arg_u32(rows), host_arg_u32(cols));
    for (uint32_t i = 0; i < rows; i++) {
        check_row(&run, &a, weights, dev_b, row, want, i, rows);
    }
    return run_end(&run);
}

const struct workload workload_conv2d = {
    .name = "conv2d",
    .title = "3 x 3 convolution",
    .source = "aci-iacm-blpp section 6.2 (2DC), wang2015-divergence section 6",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_conv2d,
};
