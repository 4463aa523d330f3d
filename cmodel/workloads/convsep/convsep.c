/* convsep.c - separable 17-tap convolution: rows, then columns.
 *
 * Ten load instructions per kernel, each executed once per warp and followed by
 * the dependent store to shared memory.  A warp is two rows of 16 lanes: 2
 * requests, half a line each, rows one image row apart.  Lanes beside the image
 * sit out.  Taps are in constant memory.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum {
    RADIUS = 8,
    TAPS = 2 * RADIUS + 1,
    STEPS = 8,
    TILE_COLS = 16 * STEPS,
    TILE_ROWS = 8 * STEPS
};

static const struct workload_param params[] = {
    {"cols", WORKLOAD_NUMBER, TILE_COLS, 8192, "columns of the image (stride), a multiple of 128"},
    {"rows", WORKLOAD_NUMBER, TILE_ROWS, 8192, "rows of the image, a multiple of 64"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "cols=256,rows=128"},
    {"small", "cols=3072,rows=64"},
    {"doc", "cols=3072,rows=384"},
    {0},
};

#define LOAD(kernel_name, ordinal, expression) \
    { \
        .kernel = kernel_name, .load = ordinal, .nreq = 2, .stride_bytes = 4, .what = expression \
    }
#define LOADS(kernel_name, expression) \
    LOAD(kernel_name, 0, expression), LOAD(kernel_name, 1, expression), \
        LOAD(kernel_name, 2, expression), LOAD(kernel_name, 3, expression), \
        LOAD(kernel_name, 4, expression), LOAD(kernel_name, 5, expression), \
        LOAD(kernel_name, 6, expression), LOAD(kernel_name, 7, expression), \
        LOAD(kernel_name, 8, expression), LOAD(kernel_name, 9, expression)
static const struct workload_expect expect[] = {
    LOADS("convsep_rows", "in[y][x + 16*i]"),
    LOADS("convsep_cols", "in[y + 8*i][x]"),
    {0},
};

struct image {
    uint32_t cols, rows;
    float taps[TAPS];
    struct approx *in, *middle, *out;
};

/* One output of a pass: taps along a line of `n` pixels `step` apart, `at` the place in it. */
static struct approx line_reference(const float *taps, const struct approx *line, size_t step,
                                    uint32_t n, uint32_t at)
{
    struct approx sum = approx_exact(0);
    for (int j = -RADIUS; j <= RADIUS; j++) {
        const int64_t from = (int64_t)at + j;
        const struct approx pixel = from >= 0 && from < n ? line[(size_t)from * step]
                                                          : approx_exact(0);
        sum = approx_mad(approx_exact((double)taps[RADIUS - j]), pixel, sum);
    }
    return sum;
}

static void reference(const struct image *image)
{
    const size_t cols = image->cols;
    for (uint32_t y = 0; y < image->rows; y++) {
        for (uint32_t x = 0; x < cols; x++) {
            image->middle[y * cols + x] = line_reference(image->taps, image->in + y * cols, 1,
                                                         image->cols, x);
        }
    }
    for (uint32_t y = 0; y < image->rows; y++) {
        for (uint32_t x = 0; x < cols; x++) {
            image->out[y * cols + x] = line_reference(image->taps, image->middle + x, cols,
                                                      image->rows, y);
        }
    }
}

static void launch(struct run *run, const struct image *image, gpu_ptr in, gpu_ptr middle,
                   gpu_ptr out)
{
    run_write_symbol(run, "convsep_taps", image->taps, sizeof image->taps);
    RUN_LAUNCH(run, "convsep_rows", dim2(image->cols / TILE_COLS, image->rows / 4), dim2(16, 4),
               host_arg_u64(in), host_arg_u64(middle), host_arg_u32(image->cols));
    RUN_LAUNCH(run, "convsep_cols", dim2(image->cols / 16, image->rows / TILE_ROWS), dim2(16, 8),
               host_arg_u64(middle), host_arg_u64(out), host_arg_u32(image->cols),
               host_arg_u32(image->rows));
}

static int run_convsep(struct host *host, const struct workload_size *size, uint64_t seed,
                       struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "convsep/convsep.ptx");
    struct image image = {.cols = run_u32(&run, "cols"), .rows = run_u32(&run, "rows")};
    const size_t n = (size_t)image.cols * image.rows, bytes = n * sizeof(float);
    if (image.cols % TILE_COLS || image.rows % TILE_ROWS) {
        run_refuse(&run, "cols=%u, rows=%u; cols must be a multiple of %d and rows of %d",
                   image.cols, image.rows, TILE_COLS, TILE_ROWS);
    }
    float *pixels = run_random_f32(&run, n);
    image.in = RUN_ARRAY(&run, struct approx, n);
    image.middle = RUN_ARRAY(&run, struct approx, n);
    image.out = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < n; i++) {
        image.in[i] = approx_exact((double)pixels[i]);
    }
    for (int i = 0; i < TAPS; i++) {
        image.taps[i] = rng_f32(&run.rng);
    }
    reference(&image);

    gpu_ptr dev_in = run_upload(&run, "in", pixels, bytes);
    gpu_ptr dev_middle = run_alloc(&run, "middle", bytes), dev_out = run_alloc(&run, "out", bytes);
    launch(&run, &image, dev_in, dev_middle, dev_out);
    run_download(&run, pixels, dev_middle, bytes);
    check_f32(result, "rows", pixels, image.middle, n);
    run_download(&run, pixels, dev_out, bytes);
    check_f32(result, "cols", pixels, image.out, n);
    return run_end(&run);
}

const struct workload workload_convsep = {
    .name = "convsep",
    .title = "separable convolution, 17 taps",
    .source = "caps-prefetch section 6.1 (CNV), aci-iacm-blpp section 6.2 (CONV)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_convsep,
};
