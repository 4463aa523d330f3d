/* gesummv.c - GESUMMV: y = alpha A x + beta B x.
 *
 * Two fully divergent matrix loads per iteration (stride 4n bytes: 16 KB, 32
 * requests, each line used again for 32 iterations) and broadcasts of x; the two
 * sums are read and written every iteration, coalesced.  No branch divergence.
 */
#include "workloads/check.h"
#include "workloads/first_column.h"
#include "workloads/matrix.h"

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 32, 16384, "the matrix width (stride), floats"},
    {"threads", WORKLOAD_NUMBER, 1, 16384, "rows worked on; at most n"},
    {"trip", WORKLOAD_NUMBER, 1, 16384, "products summed per thread; at most n"},
    {"skew", WORKLOAD_NUMBER, 0, 1024, "columns between the starts of neighbouring warps' rows"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=4096,threads=256,trip=32,skew=0"},
    {"small", "n=4096,threads=1024,trip=128,skew=0"},
    {"cut", "n=4096,threads=4096,trip=128,skew=0"},
    {"drift", "n=4096,threads=4096,trip=128,skew=32"},
    {"doc", "n=4096,threads=4096,trip=4096,skew=0"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "gesummv", .load = 0, .nreq = 32, .stride_bytes = 4096 * 4, .what = "a[i*n + j]"},
    {.kernel = "gesummv", .load = 1, .nreq = 1, .stride_bytes = 0, .what = "x[j]"},
    {.kernel = "gesummv", .load = 2, .nreq = 1, .stride_bytes = 4, .what = "tmp[i]"},
    {.kernel = "gesummv", .load = 3, .nreq = 32, .stride_bytes = 4096 * 4, .what = "b[i*n + j]"},
    {.kernel = "gesummv", .load = 4, .nreq = 1, .stride_bytes = 0, .what = "x[j]"},
    {.kernel = "gesummv", .load = 5, .nreq = 1, .stride_bytes = 4, .what = "y[i]"},
    {0},
};

/* The reference, in the kernel's order of operations. */
static struct approx row_reference(const struct matrix *a, const struct matrix *b, const float *x,
                                   struct approx alpha, struct approx beta, uint32_t i,
                                   uint32_t first, uint32_t trip)
{
    struct approx tmp = approx_exact(0), y = approx_exact(0);
    for (uint32_t j = first; j < first + trip; j++) {
        struct approx xj = approx_exact((double)x[j]);
        tmp = approx_mad(approx_exact((double)matrix_at(a, i, j)), xj, tmp);
        y = approx_mad(approx_exact((double)matrix_at(b, i, j)), xj, y);
    }
    return approx_add(approx_mul(alpha, tmp), approx_mul(beta, y));
}

static int run_gesummv(struct host *host, const struct workload_size *size, uint64_t seed,
                       struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "gesummv/gesummv.ptx");
    const uint32_t n = run_u32(&run, "n"), threads = run_u32(&run, "threads");
    const uint32_t trip = run_u32(&run, "trip"), skew = run_u32(&run, "skew");
    struct matrix a = {.seed = rng_u64(&run.rng), .pitch = n};
    struct matrix b = {.seed = rng_u64(&run.rng), .pitch = n};
    const float alpha = rng_f32_signed(&run.rng), beta = rng_f32_signed(&run.rng);
    float *x = run_random_f32(&run, n), *y = RUN_ARRAY(&run, float, threads);
    float *line = RUN_ARRAY(&run, float, trip);
    struct approx *want = RUN_ARRAY(&run, struct approx, threads);
    if (threads > n || trip > n) {
        run_refuse(&run, "n=%u, threads=%u, trip=%u; needs threads <= n and trip <= n", n, threads,
                   trip);
    }
    if (run.failed) {
        return run_end(&run);
    }

    matrix_alloc(&run, &a, "a", threads);
    matrix_alloc(&run, &b, "b", threads);
    for (uint32_t row = 0; row < threads; row++) {
        matrix_write_row(&run, &a, row, FIRST_COLUMN(row, n, trip, skew), trip, line);
        matrix_write_row(&run, &b, row, FIRST_COLUMN(row, n, trip, skew), trip, line);
    }
    gpu_ptr dev_x = run_upload(&run, "x", x, n * sizeof(float));
    gpu_ptr dev_tmp = run_alloc(&run, "tmp", threads * sizeof(float));
    gpu_ptr dev_y = run_alloc(&run, "y", threads * sizeof(float));
    RUN_LAUNCH(&run, "gesummv", dim1(cover(threads, 256)), dim1(256), host_arg_u64(a.base),
               host_arg_u64(b.base), host_arg_u64(dev_x), host_arg_u64(dev_tmp),
               host_arg_u64(dev_y), host_arg_f32(alpha), host_arg_f32(beta), host_arg_u32(n),
               host_arg_u32(threads), host_arg_u32(trip), host_arg_u32(skew));
    run_download(&run, y, dev_y, threads * sizeof(float));

    for (uint32_t i = 0; i < threads; i++) {
        want[i] = row_reference(&a, &b, x, approx_exact((double)alpha), approx_exact((double)beta),
                                i, FIRST_COLUMN(i, n, trip, skew), trip);
    }
    check_f32(result, "y", y, want, threads);
    return run_end(&run);
}

const struct workload workload_gesummv = {
    .name = "gesummv",
    .title = "GESUMMV: y = alpha A x + beta B x",
    .source = "wang2015-divergence section 6 (GES), aci-iacm-blpp section 6.2 (GSM)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_gesummv,
};
