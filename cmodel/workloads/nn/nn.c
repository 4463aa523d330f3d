/* nn.c - nearest neighbour: the distance of every record to one place.
 *
 * Works after the ACI document sections 6.1 and 6.2 (NN); the kernel is Rodinia's.
 * Loads: latitude and longitude of 8-byte records, each two lines per warp with a stride
 * of 8 bytes, streamed once; no divergence but in the last warp.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 256 };

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 1, 1 << 24, "number of records"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=1000"},
    {"small", "n=65536"},
    {"doc", "n=42764"}, /* Rodinia's default list of records */
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "nn", .load = 0, .nreq = 2, .stride_bytes = 8, .what = "places[t].latitude"},
    {.kernel = "nn", .load = 1, .nreq = 2, .stride_bytes = 8, .what = "places[t].longitude"},
    {0},
};

static struct approx distance_between(const float *place, const float *target)
{
    struct approx sum = approx_exact(0);
    for (int k = 0; k < 2; k++) {
        struct approx difference = approx_sub(approx_exact((double)target[k]),
                                              approx_exact((double)place[k]));
        sum = approx_mad(difference, difference, sum);
    }
    return approx_sqrt(sum);
}

static int run_nn(struct host *host, const struct workload_size *size, uint64_t seed,
                  struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "nn/nn.ptx");
    const uint32_t n = run_u32(&run, "n");
    const float target[2] = {rng_f32_signed(&run.rng) * 90, rng_f32_signed(&run.rng) * 180};
    float *places = RUN_ARRAY(&run, float, 2 * (size_t)n);
    float *distance = RUN_ARRAY(&run, float, n);
    struct approx *want = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }
    for (uint32_t i = 0; i < n; i++) {
        places[2 * i] = rng_f32_signed(&run.rng) * 90;
        places[2 * i + 1] = rng_f32_signed(&run.rng) * 180;
        want[i] = distance_between(&places[2 * i], target);
    }
    gpu_ptr dev_places = run_upload(&run, "places", places, 2 * (size_t)n * sizeof *places);
    gpu_ptr dev_distance = run_alloc(&run, "distance", n * sizeof *distance);
    RUN_LAUNCH(&run, "nn", dim1(cover(n, BLOCK)), dim1(BLOCK), host_arg_u64(dev_places),
               host_arg_u64(dev_distance), host_arg_u32(n), host_arg_f32(target[0]),
               host_arg_f32(target[1]));
    run_download(&run, distance, dev_distance, n * sizeof *distance);
    check_f32(result, "distance", distance, want, n);
    return run_end(&run);
}

const struct workload workload_nn = {
    .name = "nn",
    .title = "nearest neighbour: distances to one place",
    .source = "ACI document section 6.2",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_nn,
};
