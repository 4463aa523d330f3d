/* histogram.c - histogram of bytes with shared-memory atomics.
 *
 * One global load per iteration: coalesced (1 request, stride 4), moving on by a
 * whole grid (184,320 bytes at the document's 240 CTAs of 192 threads) each time.
 * Bank and address conflicts in shared memory follow the data: `skew` percent of
 * the bytes fall into 4 bins.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BINS = 256, BLOCK_THREADS = 192, HOT_BINS = 4 };

static const struct workload_param params[] = {
    {"ctas", WORKLOAD_NUMBER, 1, 65535, "CTAs of 192 threads"},
    {"trip", WORKLOAD_NUMBER, 1, 1024, "words of four bytes per thread"},
    {"skew", WORKLOAD_NUMBER, 0, 100, "percent of the bytes that fall into 4 bins"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "ctas=8,trip=4,skew=0"},
    {"small", "ctas=60,trip=16,skew=0"},
    {"doc", "ctas=240,trip=16,skew=0"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "histogram",
     .load = 0,
     .nreq = 1,
     .stride_bytes = 4,
     .what = "data[b*192 + t + i*grid]"},
    {0},
};

static uint8_t random_byte(struct rng *rng, uint32_t skew)
{
    return (uint8_t)rng_below(rng, rng_below(rng, 100) < skew ? HOT_BINS : BINS);
}

static int run_histogram(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "histogram/histogram.ptx");
    const uint32_t ctas = run_u32(&run, "ctas"), trip = run_u32(&run, "trip");
    const uint32_t skew = run_u32(&run, "skew");
    const size_t n_bytes = (size_t)ctas * BLOCK_THREADS * trip * 4;
    uint8_t *data = RUN_ARRAY(&run, uint8_t, n_bytes);
    uint32_t bins[BINS] = {0}, want[BINS] = {0};
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < n_bytes; i++) {
        data[i] = random_byte(&run.rng, skew);
        want[data[i]]++;
    }

    gpu_ptr dev_data = run_upload(&run, "data", data, n_bytes);
    gpu_ptr dev_bins = run_alloc(&run, "bins", sizeof bins);
    RUN_LAUNCH(&run, "histogram", dim1(ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_data),
               host_arg_u64(dev_bins), host_arg_u32(trip));
    run_download(&run, bins, dev_bins, sizeof bins);
    check_u32(result, "bins", bins, want, BINS);
    return run_end(&run);
}

const struct workload workload_histogram = {
    .name = "histogram",
    .title = "histogram of bytes, shared-memory atomics",
    .source = "caps-prefetch section 6.1 (HST)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_histogram,
};
