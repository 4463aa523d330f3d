/* gemm.c - C = A B, launched several times.
 *
 * form=tile: a warp is two rows of a 16 x 16 tile: each load asks for 2 lines (64 bytes of
 * each), both used in shared memory only; two barriers per tile.  No divergence.
 * form=parboil: the suite's own sgemm: 128 threads hold 128 x 16 elements of C in registers and load
 * whole lines of A, column by column; only 8 x 16 elements of B are in shared memory.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { TILE = 16 };
enum { WIDE = 16, DEEP = 8, TALL = 128 }; /* gemm_parboil's: columns, rows of B, rows of a CTA */
enum form { TILES, PARBOIL };

static const struct workload_param params[] = {
    {"m", WORKLOAD_NUMBER, TILE, 4096, "rows of A and C, a multiple of 16"},
    {"k", WORKLOAD_NUMBER, TILE, 4096, "columns of A and rows of B, a multiple of 16"},
    {"n", WORKLOAD_NUMBER, TILE, 4096, "columns of B and C, a multiple of 16"},
    {"runs", WORKLOAD_NUMBER, 1, 1000, "launches"},
    {"form", WORKLOAD_TEXT, 0, 0, "tile or parboil (there m of 128, k of 8)"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "m=80,k=80,n=128,runs=1,form=tile"},
    {"small", "m=256,k=128,n=256,runs=1,form=tile"},
    {"doc", "m=80,k=80,n=128,runs=10,form=tile"},
    {"parboil", "m=1024,k=992,n=1056,runs=1,form=parboil"}, /* its medium input */
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "gemm", .load = 0, .nreq = 2, .stride_bytes = 4, .what = "a[row*k + it*16 + tx]"},
    {.kernel = "gemm", .load = 1, .nreq = 2, .stride_bytes = 4, .what = "b[(it*16 + ty)*n + col]"},
    {0},
};

struct matrices {
    enum form form;
    uint32_t m, k, n;
    float *a, *b, *c;
    gpu_ptr dev_a, dev_b, dev_c;
};

/* A and C lie row by row, in Parboil's form column by column; B always row by row. */
static struct approx element_reference(const struct matrices *x, uint32_t row, uint32_t col)
{
    const bool by_rows = x->form == TILES;
    struct approx sum = approx_exact(0);
    for (uint32_t i = 0; i < x->k; i++) {
        const float a = x->a[by_rows ? row * x->k + i : i * x->m + row], b = x->b[i * x->n + col];
        sum = approx_mad(approx_exact((double)a), approx_exact((double)b), sum);
    }
    return sum;
}

static void check_shape(struct run *run, const struct matrices *x)
{
    const uint32_t of_m = x->form == TILES ? TILE : TALL, of_k = x->form == TILES ? TILE : DEEP;
    if (x->m % of_m || x->k % of_k || x->n % WIDE) {
        run_refuse(run, "m=%u, k=%u, n=%u; they must be multiples of %u, %u and %d", x->m, x->k,
                   x->n, of_m, of_k, WIDE);
    }
}

static void launch(struct run *run, const struct matrices *x)
{
    const struct host_arg a = host_arg_u64(x->dev_a), b = host_arg_u64(x->dev_b);
    const struct host_arg c = host_arg_u64(x->dev_c);
    if (x->form == TILES) {
        RUN_LAUNCH(run, "gemm", dim2(x->n / TILE, x->m / TILE), dim2(TILE, TILE), a, b, c,
                   host_arg_u32(x->k), host_arg_u32(x->n));
        return;
    }
    RUN_LAUNCH(run, "gemm_parboil", dim2(x->m / TALL, x->n / WIDE), dim2(WIDE, DEEP), a, b, c,
               host_arg_u32(x->m), host_arg_u32(x->k), host_arg_u32(x->n), host_arg_f32(1),
               host_arg_f32(0));
}

static int run_gemm(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    static const char *const forms[] = {"tile", "parboil"};
    struct run run = run_begin(host, size, seed, result, "gemm/gemm.ptx");
    struct matrices x = {.form = (enum form)run_word(&run, "form", forms, 2),
                         .m = run_u32(&run, "m"),
                         .k = run_u32(&run, "k"),
                         .n = run_u32(&run, "n")};
    const uint32_t runs = run_u32(&run, "runs"), n_c = x.m * x.n;
    check_shape(&run, &x);
    x.a = run_random_f32(&run, x.m * x.k);
    x.b = run_random_f32(&run, x.k * x.n);
    x.c = RUN_ARRAY(&run, float, n_c);
    struct approx *want = RUN_ARRAY(&run, struct approx, n_c);
    if (run.failed) {
        return run_end(&run);
    }

    x.dev_a = run_upload(&run, "a", x.a, x.m * x.k * sizeof(float));
    x.dev_b = run_upload(&run, "b", x.b, x.k * x.n * sizeof(float));
    x.dev_c = run_alloc(&run, "c", n_c * sizeof(float));
    for (uint32_t i = 0; i < runs; i++) {
        launch(&run, &x);
    }
    run_download(&run, x.c, x.dev_c, n_c * sizeof(float));

    for (uint32_t i = 0; i < n_c; i++) {
        want[i] = x.form == TILES ? element_reference(&x, i / x.n, i % x.n)
                                  : element_reference(&x, i % x.m, i / x.m);
    }
    check_f32(result, "c", x.c, want, n_c);
    return run_end(&run);
}

const struct workload workload_gemm = {
    .name = "gemm",
    .title = "matrix multiplication, tiled in shared memory",
    .source = "caps-prefetch section 6.1 (MM), tabbakh2018-coherence section 6.2 (SGM)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_gemm,
};
