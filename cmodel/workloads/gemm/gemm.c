/* gemm.c - C = A B, tiled in shared memory, launched several times.
 *
 * A warp is two rows of a 16 x 16 tile: each load asks for 2 lines (64 bytes of
 * each), both used in shared memory only; two barriers per tile.  No divergence.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { TILE = 16 };

static const struct workload_param params[] = {
    {"m", WORKLOAD_NUMBER, TILE, 4096, "rows of A and C, a multiple of 16"},
    {"k", WORKLOAD_NUMBER, TILE, 4096, "columns of A and rows of B, a multiple of 16"},
    {"n", WORKLOAD_NUMBER, TILE, 4096, "columns of B and C, a multiple of 16"},
    {"runs", WORKLOAD_NUMBER, 1, 1000, "launches"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "m=80,k=80,n=128,runs=1"},
    {"small", "m=256,k=128,n=256,runs=1"},
    {"doc", "m=80,k=80,n=128,runs=10"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "gemm", .load = 0, .nreq = 2, .stride_bytes = 4, .what = "a[row*k + it*16 + tx]"},
    {.kernel = "gemm", .load = 1, .nreq = 2, .stride_bytes = 4, .what = "b[(it*16 + ty)*n + col]"},
    {0},
};

static struct approx element_reference(const float *a, const float *b, uint32_t k, uint32_t n,
                                       uint32_t row, uint32_t col)
{
    struct approx sum = approx_exact(0);
    for (uint32_t i = 0; i < k; i++) {
        sum = approx_mad(approx_exact((double)a[row * k + i]), approx_exact((double)b[i * n + col]),
                         sum);
    }
    return sum;
}

static int run_gemm(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "gemm/gemm.ptx");
    const uint32_t m = run_u32(&run, "m"), k = run_u32(&run, "k"), n = run_u32(&run, "n");
    const uint32_t runs = run_u32(&run, "runs"), n_c = m * n;
    if (m % TILE || k % TILE || n % TILE) {
        run_refuse(&run, "m=%u, k=%u, n=%u; each must be a multiple of %d", m, k, n, TILE);
    }
    float *a = run_random_f32(&run, m * k), *b = run_random_f32(&run, k * n);
    float *c = RUN_ARRAY(&run, float, n_c);
    struct approx *want = RUN_ARRAY(&run, struct approx, n_c);
    if (run.failed) {
        return run_end(&run);
    }

    gpu_ptr dev_a = run_upload(&run, "a", a, m * k * sizeof(float));
    gpu_ptr dev_b = run_upload(&run, "b", b, k * n * sizeof(float));
    gpu_ptr dev_c = run_alloc(&run, "c", n_c * sizeof(float));
    for (uint32_t i = 0; i < runs; i++) {
        RUN_LAUNCH(&run, "gemm", dim2(n / TILE, m / TILE), dim2(TILE, TILE), host_arg_u64(dev_a),
                   host_arg_u64(dev_b), host_arg_u64(dev_c), host_arg_u32(k), host_arg_u32(n));
    }
    run_download(&run, c, dev_c, n_c * sizeof(float));

    for (uint32_t i = 0; i < n_c; i++) {
        want[i] = element_reference(a, b, k, n, i / n, i % n);
    }
    check_f32(result, "c", c, want, n_c);
    return run_end(&run);
}

const struct workload workload_gemm = {
    .name = "gemm",
    .title = "matrix multiplication, tiled in shared memory",
    .source = "caps-prefetch section 6.1 (MM)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_gemm,
};
