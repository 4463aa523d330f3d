/* pfilter.c - resampling of particles by linear search.
 *
 * The search starts as a broadcast in step (1 request); lanes leave it one by one,
 * so warps run on with few lanes: branch divergence without memory divergence.  The
 * final gather is at indices that rise from lane to lane.  Draws rise with the thread
 * (systematic resampling), so late warps search longest.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 128 };

static const struct workload_param params[] = {
    {"particles", WORKLOAD_NUMBER, 2, 1 << 16, "particles, one thread each"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "particles=400"},
    {"small", "particles=2000"},
    {"doc", "particles=4000"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "pfilter", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "draws[i]"},
    {.kernel = "pfilter", .load = 1, .nreq = 1, .stride_bytes = 0, .what = "cumulative[j]"},
    {0},
};

struct filter {
    uint32_t n;
    float *cumulative, *draws, *x, *y;
};

/* Cumulative sums are made in double and rounded once: the order stays, and both
 * sides compare the same floats, so the reference is exact. */
static void make_filter(struct run *run, struct filter *f)
{
    double sum = 0, so_far = 0;
    float *weights = RUN_ARRAY(run, float, f->n);
    f->cumulative = RUN_ARRAY(run, float, f->n);
    f->draws = RUN_ARRAY(run, float, f->n);
    f->x = run_random_f32(run, f->n);
    f->y = run_random_f32(run, f->n);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        const float w = rng_f32(&run->rng);
        weights[i] = w * w * w; /* a few heavy particles */
        sum += (double)weights[i];
    }
    const double start = (double)rng_f32(&run->rng);
    for (uint32_t i = 0; i < f->n; i++) {
        so_far += (double)weights[i];
        f->cumulative[i] = (float)(so_far / sum);
        f->draws[i] = (float)((i + start) / f->n);
    }
}

/* First entry not below the draw, by bisection; the last one when there is none. */
static uint32_t find(const struct filter *f, float draw)
{
    uint32_t low = 0, high = f->n - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->cumulative[middle] >= draw) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void check_axis(struct run *run, const struct filter *f, const char *name, gpu_ptr dev,
                       const float *in)
{
    float *got = RUN_ARRAY(run, float, f->n);
    if (!got) {
        return;
    }
    run_download(run, got, dev, f->n * sizeof(float));
    for (uint32_t i = 0; i < f->n; i++) {
        const float want = in[find(f, f->draws[i])];
        check_that(run->result, memcmp(&got[i], &want, sizeof want) == 0,
                   "%s[%u] is %.9g; the reference is %.9g", name, i, (double)got[i], (double)want);
    }
}

static int run_pfilter(struct host *host, const struct workload_size *size, uint64_t seed,
                       struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "pfilter/pfilter.ptx");
    struct filter f = {.n = run_u32(&run, "particles")};
    const size_t bytes = f.n * sizeof(float);
    make_filter(&run, &f);
    if (run.failed) {
        return run_end(&run);
    }

    gpu_ptr cumulative = run_upload(&run, "cumulative", f.cumulative, bytes);
    gpu_ptr draws = run_upload(&run, "draws", f.draws, bytes);
    gpu_ptr x = run_upload(&run, "x", f.x, bytes), y = run_upload(&run, "y", f.y, bytes);
    gpu_ptr x_out = run_alloc(&run, "x_out", bytes), y_out = run_alloc(&run, "y_out", bytes);
    RUN_LAUNCH(&run, "pfilter", dim1(cover(f.n, BLOCK_THREADS)), dim1(BLOCK_THREADS),
               host_arg_u64(cumulative), host_arg_u64(draws), host_arg_u64(x), host_arg_u64(y),
               host_arg_u64(x_out), host_arg_u64(y_out), host_arg_u32(f.n));
    check_axis(&run, &f, "x", x_out, f.x);
    check_axis(&run, &f, "y", y_out, f.y);
    return run_end(&run);
}

const struct workload workload_pfilter = {
    .name = "pfilter",
    .title = "resampling step of a particle filter",
    .source = "wang2015-divergence section 6 (PF)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_pfilter,
};
