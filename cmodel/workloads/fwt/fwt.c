/* fwt.c - fast Walsh transform of 2^log2_n points.
 *
 * fwt_far: two coalesced loads and stores (1 request each), a power-of-two stride
 * apart that halves from launch to launch: streaming with set conflicts.
 * fwt_near: 1024 points per CTA in shared memory.  No divergence.
 *
 * The reference sums by the definition, sign (-1)^popcount(i & k), for a sample of
 * the results, with the error bound of log2(n) levels of additions (Higham,
 * section 4.2: each result's error is at most gamma_levels times the sum of the
 * magnitudes).
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { POINTS = 1024, BLOCK_THREADS = 256, SAMPLES = 1024 };

static const struct workload_param params[] = {
    {"n", WORKLOAD_POWER2, 2 * POINTS, 1 << 22, "points, a power of two"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=8192"},
    {"small", "n=131072"},
    {"doc", "n=1048576"},
    {0},
};

#define LOAD(which, ordinal, expression) \
    { \
        .kernel = "fwt_" which, .load = ordinal, .nreq = 1, .stride_bytes = 4, .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD("far", 0, "data[i]"),
    LOAD("far", 1, "data[i + stride]"),
    LOAD("near", 0, "data[b*1024 + i]"),
    {0},
};

static void check_point(struct run *run, const float *in, const float *out, uint32_t n, uint32_t k)
{
    const unsigned levels = (unsigned)__builtin_ctz(n);
    const double gamma = levels * APPROX_U / (1 - levels * APPROX_U);
    double sum = 0, magnitude = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += __builtin_popcount(i & k) % 2 ? -(double)in[i] : (double)in[i];
        magnitude += fabs((double)in[i]);
    }
    const struct approx want = {.value = sum, .bound = gamma * magnitude};
    check_f32_part(run->result, "data", k, &out[k], &want, 1);
}

static int run_fwt(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "fwt/fwt.ptx");
    const uint32_t n = run_u32(&run, "n");
    const float *in = run_random_f32(&run, n);
    float *out = RUN_ARRAY(&run, float, n);
    if (run.failed) {
        return run_end(&run);
    }

    gpu_ptr data = run_upload(&run, "data", in, n * sizeof(float));
    for (uint32_t stride = n / 2; stride >= POINTS; stride /= 2) {
        RUN_LAUNCH(&run, "fwt_far", dim1(n / 2 / BLOCK_THREADS), dim1(BLOCK_THREADS),
                   host_arg_u64(data), host_arg_u32(stride));
    }
    RUN_LAUNCH(&run, "fwt_near", dim1(n / POINTS), dim1(BLOCK_THREADS), host_arg_u64(data));
    run_download(&run, out, data, n * sizeof(float));

    /* an odd step, so that the sample has every residue of the small powers of two */
    const uint32_t step = n / SAMPLES | 1;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        check_point(&run, in, out, n, (uint32_t)((uint64_t)i * step % n));
    }
    return run_end(&run);
}

const struct workload workload_fwt = {
    .name = "fwt",
    .title = "fast Walsh transform",
    .source = "aci-iacm-blpp section 6.2 (FWT)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_fwt,
};
