/* srad.c - speckle-reducing anisotropic diffusion of an image.
 *
 * Works after the ACI document section 6.2 (SRAD) and Tabbakh 2018 section 6.3; kernels
 * after Rodinia's first version.  Two launches per iteration.  A pixel's four neighbours
 * are found through index arrays; with a column of 2^n pixels the pixel, its west and its
 * east neighbour and the seven equally large images start the same cache set.  All image
 * accesses are coalesced (one line, two for the shifted ones), the column indices are
 * broadcasts.  No divergence.
 *
 * form=rodinia is the kernels of the suite's second version (2.x), which simulators' copies of the
 * suite have: tiles of 16 x 16 in shared memory from an image stored row by row, nine paths by the
 * place in a tile, and constants of double precision.  The host finds the speckle scale anew before
 * each iteration and copies the image both ways.  A tile's first loads of its neighbours run a row
 * before the image and behind it; there are zeros here, which no thread uses, where the suite has
 * other arrays.
 *
 * Each iteration is checked from the device's own image before it, so the bounds stay
 * tight over any number of iterations.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 512 };
enum { TILE = 16 };     /* srad_*_rodinia's */
enum { SPECKLE = 128 }; /* Rodinia's is the first 128 x 128 pixels */

static const float lambda = 0.5f;

static const struct workload_param params[] = {
    {"rows", WORKLOAD_NUMBER, 2, 4096, "pixels per column"},
    {"cols", WORKLOAD_NUMBER, 2, 4096, "number of columns"},
    {"iterations", WORKLOAD_NUMBER, 1, 16, "diffusion steps, two launches each"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia (there rows and cols of 16, from 32)"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "rows=64,cols=32,iterations=2,form=lean"},
    {"small", "rows=256,cols=256,iterations=2,form=lean"},
    {"doc", "rows=512,cols=512,iterations=2,form=lean"},
    {"rodinia", "rows=2048,cols=2048,iterations=2,form=rodinia"}, /* the suite's run */
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "srad_coefficient", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "image[i]"},
    {0},
};

struct image {
    bool is_lean;
    uint32_t rows, cols, n;
    float *pixel;                          /* lean: [cols][rows], else [rows][cols] */
    uint32_t *north, *south, *west, *east; /* neighbour rows and columns, clamped */
};

static uint32_t index_of(const struct image *m, uint32_t row, uint32_t col)
{
    return m->is_lean ? col * m->rows + row : row * m->cols + col;
}

/* Tiles are whole, and with one row of tiles Rodinia's takes the south from behind the image. */
static void check_shape(struct run *run, const struct image *m)
{
    const uint32_t least = m->rows < m->cols ? m->rows : m->cols;
    if (!m->is_lean && (m->rows % TILE || m->cols % TILE || least < 2 * TILE)) {
        run_refuse(run, "rows=%u, cols=%u; form=rodinia needs multiples of %d, at least %d",
                   m->rows, m->cols, TILE, 2 * TILE);
    }
}

static struct image make(struct run *run)
{
    static const char *const forms[] = {"lean", "rodinia"};
    struct image m = {.is_lean = run_word(run, "form", forms, 2) == 0,
                      .rows = run_u32(run, "rows"),
                      .cols = run_u32(run, "cols")};
    check_shape(run, &m);
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

/* The same from the speckle, as Rodinia's host has it: variance over squared mean, in floats. */
static float q0_square_of(const struct image *m)
{
    const uint32_t rows = m->rows < SPECKLE ? m->rows : SPECKLE;
    const uint32_t cols = m->cols < SPECKLE ? m->cols : SPECKLE;
    float sum = 0, squares = 0;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t col = 0; col < cols; col++) {
            const float here = m->pixel[index_of(m, row, col)];
            sum += here;
            squares += here * here;
        }
    }
    const float n = (float)(rows * cols), mean = sum / n;
    return (squares / n - mean * mean) / (mean * mean);
}

/* Neighbours in the order north, south, west, east. */
static void differences(const struct image *m, uint32_t row, uint32_t col, struct approx d[4])
{
    const struct approx here = approx_exact((double)m->pixel[index_of(m, row, col)]);
    const uint32_t at[4] = {
        index_of(m, row ? row - 1 : row, col),
        index_of(m, row + 1 < m->rows ? row + 1 : row, col),
        index_of(m, row, col ? col - 1 : col),
        index_of(m, row, col + 1 < m->cols ? col + 1 : col),
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
    const struct approx here = approx_exact((double)m->pixel[index_of(m, row, col)]);
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
            uint32_t i = index_of(m, row, col);
            want[i] = approx_mad(quarter, flow, approx_exact((double)m->pixel[i]));
        }
    }
}

struct device {
    gpu_ptr image, north, south, west, east, d[4], coefficient;
};

/* An image with `beside` bytes before and behind it. */
static gpu_ptr place_image(struct run *run, const char *name, const struct image *m, size_t beside)
{
    return run_alloc(run, name, m->n * sizeof(float) + 2 * beside) + beside;
}

static struct device place(struct run *run, const struct image *m)
{
    /* a whole alignment more than a row, so that images start as they do without */
    const size_t row = m->rows * 4, col = m->cols * 4, beside = m->is_lean ? 0 : RUN_ALIGN_BYTES;
    struct device g = {.image = place_image(run, "image", m, beside),
                       .d = {place_image(run, "d_north", m, 0), place_image(run, "d_south", m, 0),
                             place_image(run, "d_west", m, 0), place_image(run, "d_east", m, 0)},
                       .coefficient = place_image(run, "coefficient", m, beside)};
    host_write(run->host, g.image, m->pixel, m->n * sizeof(float));
    if (m->is_lean) {
        g.north = run_upload(run, "north", m->north, row);
        g.south = run_upload(run, "south", m->south, row);
        g.west = run_upload(run, "west", m->west, col);
        g.east = run_upload(run, "east", m->east, col);
    }
    return g;
}

static void iterate_lean(struct run *run, const struct image *m, const struct device *g, float q0)
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

static void iterate_rodinia(struct run *run, const struct image *m, const struct device *g,
                            float q0)
{
    const struct isa_dim3 grid = dim2(m->cols / TILE, m->rows / TILE), block = dim2(TILE, TILE);
    const struct host_arg north = host_arg_u64(g->d[0]), south = host_arg_u64(g->d[1]);
    const struct host_arg west = host_arg_u64(g->d[2]), east = host_arg_u64(g->d[3]);
    host_write(run->host, g->image, m->pixel, m->n * sizeof(float));
    RUN_LAUNCH(run, "srad_coefficient_rodinia", grid, block, east, west, north, south,
               host_arg_u64(g->image), host_arg_u64(g->coefficient), host_arg_u32(m->cols),
               host_arg_u32(m->rows), host_arg_f32(q0));
    RUN_LAUNCH(run, "srad_update_rodinia", grid, block, east, west, north, south,
               host_arg_u64(g->image), host_arg_u64(g->coefficient), host_arg_u32(m->cols),
               host_arg_u32(m->rows), host_arg_f32(lambda), host_arg_f32(q0));
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
        const float q0 = m.is_lean ? q0_square_at(i) : q0_square_of(&m);
        expect_iteration(&m, q0, want);
        (m.is_lean ? iterate_lean : iterate_rodinia)(&run, &m, &device, q0);
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
