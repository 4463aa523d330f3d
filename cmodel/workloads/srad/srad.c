/* srad.c - speckle-reducing anisotropic diffusion of an image.
 *
 * Works after the ACI document section 6.2 (SRAD) and Tabbakh 2018 section 6.3; kernels
 * after Rodinia's first version.  Two launches per iteration.  A pixel's four neighbours
 * are found through index arrays; with a column of 2^n pixels the pixel, its west and its
 * east neighbour and the seven equally large images start the same cache set.  All image
 * accesses are coalesced (one line, two for the shifted ones), the column indices are
 * broadcasts.  No divergence.
 *
 * Each iteration is checked from the device's own image before it, so the bounds stay
 * tight over any number of iterations.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 512 };

static const float lambda = 0.5f;

static const struct workload_param params[] = {
    {"rows", WORKLOAD_NUMBER, 2, 4096, "pixels per column"},
    {"cols", WORKLOAD_NUMBER, 2, 4096, "number of columns"},
    {"iterations", WORKLOAD_NUMBER, 1, 16, "diffusion steps, two launches each"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "rows=64,cols=32,iterations=2"},
    {"small", "rows=256,cols=256,iterations=2"},
    {"doc", "rows=512,cols=512,iterations=2"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "srad_coefficient", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "image[i]"},
    {0},
};

struct image {
    uint32_t rows, cols, n;
    float *pixel;                          /* [cols][rows] */
    uint32_t *north, *south, *west, *east; /* neighbour rows and columns, clamped */
};

static struct image make(struct run *run)
{
    struct image m = {.rows = run_u32(run, "rows"), .cols = run_u32(run, "cols")};
    m.n = m.rows * m.cols;
    m.pixel = RUN_ARRAY(run, float, m.n);
    m.north = RUN_ARRAY(run, uint32_t, m.rows);
    m.south = RUN_ARRAY(run, uint32_t, m.rows);
    m.west = RUN_ARRAY(run, uint32_t, m.cols);
    m.east = RUN_ARRAY(run, uint32_t, m.cols);
    if (run->failed) {
        return m;
    }
    for (uint32_t i = 0; i < m.n; i++) {
        m.pixel[i] = expf(rng_f32(&run->rng)); /* 1 to e, as the source's extraction gives */
    }
    for (uint32_t r = 0; r < m.rows; r++) {
        m.north[r] = r ? r - 1 : 0;
        m.south[r] = r + 1 < m.rows ? r + 1 : r;
    }
    for (uint32_t c = 0; c < m.cols; c++) {
        m.west[c] = c ? c - 1 : 0;
        m.east[c] = c + 1 < m.cols ? c + 1 : c;
    }
    return m;
}

/* The square of the speckle scale: at first the image's own variance over squared mean, then
 * falling with time as exp(-t / 6) squared (Yu and Acton 2002, equation 36). */
static float q0_square_at(uint32_t iteration)
{
    const double e = exp(1), mean = e - 1, mean_square = (e * e - 1) / 2;
    return (float)((mean_square / (mean * mean) - 1) * exp(-(double)iteration / 3));
}

/* Neighbours in the order north, south, west, east. */
static void differences(const struct image *m, uint32_t row, uint32_t col, struct approx d[4])
{
    const struct approx here = approx_exact((double)m->pixel[col * m->rows + row]);
    const uint32_t at[4] = {
        col * m->rows + (row ? row - 1 : row),
        col * m->rows + (row + 1 < m->rows ? row + 1 : row),
        (col ? col - 1 : col) * m->rows + row,
        (col + 1 < m->cols ? col + 1 : col) * m->rows + row,
    };
    for (int k = 0; k < 4; k++) {
        d[k] = approx_sub(approx_exact((double)m->pixel[at[k]]), here);
    }
}

static struct approx square(struct approx a)
{
    return approx_mul(a, a);
}

/* The diffusion coefficient of one pixel (Yu and Acton 2002, equations 33 and 35). */
static struct approx coefficient(const struct image *m, uint32_t row, uint32_t col, float q0)
{
    const struct approx one = approx_exact(1), q0_square = approx_exact((double)q0);
    const struct approx here = approx_exact((double)m->pixel[col * m->rows + row]);
    struct approx d[4], sum = approx_exact(0), squares = approx_exact(0);
    differences(m, row, col, d);
    for (int k = 0; k < 4; k++) {
        sum = approx_add(sum, d[k]);
        squares = approx_add(squares, square(d[k]));
    }
    struct approx gradient = approx_div(squares, square(here)), laplace = approx_div(sum, here);
    struct approx above = approx_sub(approx_mul(approx_exact(0.5), gradient),
                                     approx_mul(approx_exact(0.0625), square(laplace)));
    struct approx below = approx_add(one, approx_mul(approx_exact(0.25), laplace));
    struct approx q_square = approx_div(above, square(below));
    struct approx excess = approx_div(approx_sub(q_square, q0_square),
                                      approx_mul(q0_square, approx_add(one, q0_square)));
    struct approx c = approx_div(one, approx_add(one, excess));
    c.value = fmin(fmax(c.value, 0), 1); /* clamping never widens an error */
    return c;
}

/* The image after one iteration, pixel by pixel from the image before it. */
static void expect_iteration(const struct image *m, float q0, struct approx *want)
{
    const struct approx quarter = approx_mul(approx_exact(0.25), approx_exact((double)lambda));
    for (uint32_t col = 0; col < m->cols; col++) {
        for (uint32_t row = 0; row < m->rows; row++) {
            struct approx d[4], flow = approx_exact(0);
            differences(m, row, col, d);
            const struct approx c[4] = {
                coefficient(m, row, col, q0),
                coefficient(m, row + 1 < m->rows ? row + 1 : row, col, q0),
                coefficient(m, row, col, q0),
                coefficient(m, row, col + 1 < m->cols ? col + 1 : col, q0),
            };
            for (int k = 0; k < 4; k++) {
                flow = approx_mad(c[k], d[k], flow);
            }
            uint32_t i = col * m->rows + row;
            want[i] = approx_mad(quarter, flow, approx_exact((double)m->pixel[i]));
        }
    }
}

struct device {
    gpu_ptr image, north, south, west, east, d[4], coefficient;
};

static struct device place(struct run *run, const struct image *m)
{
    const size_t image = m->n * sizeof(float), row = m->rows * 4, col = m->cols * 4;
    return (struct device){
        .image = run_upload(run, "image", m->pixel, image),
        .d = {run_alloc(run, "d_north", image), run_alloc(run, "d_south", image),
              run_alloc(run, "d_west", image), run_alloc(run, "d_east", image)},
        .coefficient = run_alloc(run, "coefficient", image),
        .north = run_upload(run, "north", m->north, row),
        .south = run_upload(run, "south", m->south, row),
        .west = run_upload(run, "west", m->west, col),
        .east = run_upload(run, "east", m->east, col),
    };
}

static void iterate(struct run *run, const struct image *m, const struct device *g, float q0)
{
    const struct isa_dim3 grid = dim1(cover(m->n, BLOCK)), block = dim1(BLOCK);
    RUN_LAUNCH(run, "srad_coefficient", grid, block, host_arg_u64(g->image), host_arg_u64(g->north),
               host_arg_u64(g->south), host_arg_u64(g->west), host_arg_u64(g->east),
               host_arg_u64(g->d[0]), host_arg_u64(g->d[1]), host_arg_u64(g->d[2]),
               host_arg_u64(g->d[3]), host_arg_u64(g->coefficient), host_arg_u32(m->rows),
               host_arg_u32(m->n), host_arg_f32(q0));
    RUN_LAUNCH(run, "srad_update", grid, block, host_arg_u64(g->image), host_arg_u64(g->south),
               host_arg_u64(g->east), host_arg_u64(g->d[0]), host_arg_u64(g->d[1]),
               host_arg_u64(g->d[2]), host_arg_u64(g->d[3]), host_arg_u64(g->coefficient),
               host_arg_u32(m->rows), host_arg_u32(m->n), host_arg_f32(lambda));
}

static int run_srad(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "srad/srad.ptx");
    const struct image m = make(&run);
    struct approx *want = RUN_ARRAY(&run, struct approx, m.n);
    if (run.failed) {
        return run_end(&run);
    }
    const struct device device = place(&run, &m);
    for (uint32_t i = 0; i < run_u32(&run, "iterations"); i++) {
        expect_iteration(&m, q0_square_at(i), want);
        iterate(&run, &m, &device, q0_square_at(i));
        run_download(&run, m.pixel, device.image, m.n * sizeof(float));
        check_f32(result, "image", m.pixel, want, m.n);
    }
    return run_end(&run);
}

const struct workload workload_srad = {
    .name = "srad",
    .title = "speckle-reducing anisotropic diffusion",
    .source = "ACI document section 6.2; Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_srad,
};
