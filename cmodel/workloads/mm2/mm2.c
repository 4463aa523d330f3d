/* mm2.c - two matrix products in a row, E = (A B) C, without tiles; or the first alone, D = A B.
 *
 * Per iteration a broadcast of the left matrix and a coalesced load of the right
 * one (1 request); its row pitch is a power of two (4 KB at n = 1024), so that
 * successive iterations of a warp fall on one set of a conventional index, and
 * every row of threads reads the same rows again.  CTAs of 32 x 8.  With the sum in memory a
 * load and a store of it beside them, of one line, which the store takes from a cache that
 * writes through.
 */
#include "workloads/check.h"
#include "workloads/matrix.h"

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 32, 4096, "the matrices' width (stride), floats"},
    {"rows", WORKLOAD_NUMBER, 1, 4096, "rows of the results worked on; at most n"},
    {"trip", WORKLOAD_NUMBER, 1, 4096, "products summed per thread; at most n"},
    {"products", WORKLOAD_NUMBER, 1, 2, "matrix products in a row: 2, or 1 for GEMM"},
    {"in_memory", WORKLOAD_NUMBER, 0, 1,
     "1: each iteration reads and writes the sum in memory, as in PolyBench/GPU; 0: a register"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=1024,rows=8,trip=16,products=2,in_memory=0"},
    {"small", "n=1024,rows=32,trip=64,products=2,in_memory=0"},
    {"doc", "n=1024,rows=128,trip=128,products=2,in_memory=0"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "mm2", .load = 0, .nreq = 1, .stride_bytes = 0, .what = "a[i*n + k]"},
    {.kernel = "mm2", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "b[k*n + j]"},
    {0},
};

struct shape {
    uint32_t n, rows, trip;
    const char *kernel;
};

static void launch(struct run *run, const struct shape *s, gpu_ptr left, gpu_ptr right, gpu_ptr out)
{
    RUN_LAUNCH(run, s->kernel, dim2(cover(s->n, 32), cover(s->rows, 8)), dim2(32, 8),
               host_arg_u64(left), host_arg_u64(right), host_arg_u64(out), host_arg_u32(s->n),
               host_arg_u32(s->rows), host_arg_u32(s->trip));
}

/* out = left * right, for `right` given by its elements. */
static void reference(const struct shape *s, const struct approx *left, const struct matrix *right,
                      struct approx *out)
{
    for (size_t i = 0; i < (size_t)s->rows * s->n; i++) {
        const struct approx *row = left + i / s->n * s->n;
        out[i] = approx_exact(0);
        for (uint32_t k = 0; k < s->trip; k++) {
            const float element = matrix_at(right, k, (uint32_t)(i % s->n));
            out[i] = approx_mad(row[k], approx_exact((double)element), out[i]);
        }
    }
}

static int run_mm2(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "mm2/mm2.ptx");
    const struct shape s = {run_u32(&run, "n"), run_u32(&run, "rows"), run_u32(&run, "trip"),
                            run_u32(&run, "in_memory") ? "mm2_in_memory" : "mm2"};
    const bool twice = run_u32(&run, "products") == 2;
    const size_t n_out = (size_t)s.rows * s.n;
    struct matrix a = {.seed = rng_u64(&run.rng), .pitch = s.n};
    struct matrix b = {.seed = rng_u64(&run.rng), .pitch = s.n};
    struct matrix c = {.seed = rng_u64(&run.rng), .pitch = s.n};
    struct approx *want_a = RUN_ARRAY(&run, struct approx, n_out);
    struct approx *want_d = RUN_ARRAY(&run, struct approx, n_out);
    float *got = RUN_ARRAY(&run, float, n_out);
    if (s.rows > s.n || s.trip > s.n) {
        run_refuse(&run, "n=%u, rows=%u, trip=%u; needs rows <= n and trip <= n", s.n, s.rows,
                   s.trip);
    }
    if (run.failed) {
        return run_end(&run);
    }

    matrix_alloc(&run, &a, "a", s.rows);
    matrix_write(&run, &a, s.rows, s.trip);
    matrix_alloc(&run, &b, "b", s.trip);
    matrix_write(&run, &b, s.trip, s.n);
    matrix_alloc(&run, &c, "c", s.trip);
    matrix_write(&run, &c, s.trip, s.n);
    gpu_ptr dev_d = run_alloc(&run, "d", n_out * sizeof(float));
    gpu_ptr dev_e = run_alloc(&run, "e", n_out * sizeof(float));
    launch(&run, &s, a.base, b.base, dev_d);
    if (twice) {
        launch(&run, &s, dev_d, c.base, dev_e);
    }

    for (size_t i = 0; i < n_out; i++) {
        want_a[i] = approx_exact((double)matrix_at(&a, (uint32_t)(i / s.n), (uint32_t)(i % s.n)));
    }
    reference(&s, want_a, &b, want_d);
    run_download(&run, got, dev_d, n_out * sizeof(float));
    check_f32(result, "d", got, want_d, n_out);
    if (twice) {
        reference(&s, want_d, &c, want_a);
        run_download(&run, got, dev_e, n_out * sizeof(float));
        check_f32(result, "e", got, want_a, n_out);
    }
    return run_end(&run);
}

const struct workload workload_mm2 = {
    .name = "mm2",
    .title = "two matrix multiplications, no tiles",
    .source = "aci-iacm-blpp section 6.2 (2MM, GE), wang2015-divergence section 6",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_mm2,
};
