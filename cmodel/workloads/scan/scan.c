/* scan.c - prefix sum in three launches.
 *
 * form=lean, exclusive, of 1024 words per CTA:
 * scan_blocks: one 16-byte vector load per thread: 4 requests per warp, stride 16.
 * scan_add: the same, and a broadcast of the CTA's base.  The scan inside a CTA
 * lives in shared memory with a barrier per doubling; lanes below the distance
 * sit out (divergence in the first warp only).
 *
 * form=shoc is the suite's own level-1 scan, inclusive and in single precision: a fixed number of
 * CTAs, each with one region of the array.  The first kernel reads all, a line per warp, for the
 * sum of each region; one CTA scans the sums; the last kernel reads all again and writes it, 16
 * bytes per lane, in a loop over its region: 17 barriers a time, and an 18th that is ours, as the
 * suite's kernel has a race.  Left out: the suite's second test, of doubles.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 256, BLOCK_WORDS = 4 * BLOCK_THREADS };

static const struct workload_param params[] = {
    {"ctas", WORKLOAD_NUMBER, 1, BLOCK_WORDS, "CTAs, of 1024 words each in form=lean"},
    /* a sum of so many zeros and ones is exact in a float */
    {"words", WORKLOAD_NUMBER, 0, 1 << 24, "words of form=shoc, 4 or a multiple; 0: 1024 a CTA"},
    {"runs", WORKLOAD_NUMBER, 1, 256, "how often the three kernels are launched"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or shoc"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "ctas=16,words=0,runs=1,form=lean"},
    {"small", "ctas=256,words=0,runs=1,form=lean"},
    {"doc", "ctas=1024,words=0,runs=1,form=lean"},
    {"shoc", "ctas=64,words=262144,runs=1,form=shoc"}, /* its size 1, one of 256 equal runs */
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "scan_blocks", .load = 0, .nreq = 4, .stride_bytes = 16, .what = "in[b*256 + t]"},
    {.kernel = "scan_add", .load = 1, .nreq = 4, .stride_bytes = 16, .what = "out[b*256 + t]"},
    {.kernel = "scan_add", .load = 0, .nreq = 1, .stride_bytes = 0, .what = "before[b]"},
    {0},
};

struct problem {
    uint32_t ctas, n, runs;
};

static void run_lean(struct run *run, const struct problem *p)
{
    uint32_t *in = RUN_ARRAY(run, uint32_t, p->n), *out = RUN_ARRAY(run, uint32_t, p->n);
    uint32_t *want = RUN_ARRAY(run, uint32_t, p->n);
    if (run->failed) {
        return;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        in[i] = rng_u32(&run->rng);
        want[i] = sum;
        sum += in[i];
    }

    gpu_ptr dev_in = run_upload(run, "in", in, p->n * sizeof(uint32_t));
    gpu_ptr dev_out = run_alloc(run, "out", p->n * sizeof(uint32_t));
    /* one CTA scans the totals, hence room for its 1024 words */
    gpu_ptr dev_totals = run_alloc(run, "totals", BLOCK_WORDS * sizeof(uint32_t));
    gpu_ptr dev_before = run_alloc(run, "before", BLOCK_WORDS * sizeof(uint32_t));
    gpu_ptr dev_sum = run_alloc(run, "sum", sizeof(uint32_t));
    for (uint32_t i = 0; i < p->runs; i++) {
        RUN_LAUNCH(run, "scan_blocks", dim1(p->ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_in),
                   host_arg_u64(dev_out), host_arg_u64(dev_totals));
        RUN_LAUNCH(run, "scan_blocks", dim1(1), dim1(BLOCK_THREADS), host_arg_u64(dev_totals),
                   host_arg_u64(dev_before), host_arg_u64(dev_sum));
        RUN_LAUNCH(run, "scan_add", dim1(p->ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_out),
                   host_arg_u64(dev_before));
    }
    run_download(run, out, dev_out, p->n * sizeof(uint32_t));
    check_u32(run->result, "out", out, want, p->n);
    run_download(run, out, dev_sum, sizeof(uint32_t));
    check_u32(run->result, "sum", out, &sum, 1);
}

/* The device adds in another order; zeros and ones, as SHOC's input has, make every sum exact. */
static void check_shoc(struct run *run, const struct problem *p, const float *in, const float *out,
                       const float *sums)
{
    const uint32_t region = p->n / 4 / p->ctas * 4;
    struct approx sum = approx_exact(0);
    for (uint32_t i = 0, cta = 0; i < p->n; i++) {
        for (; cta < p->ctas && i == cta * region; cta++) {
            check_f32_part(run->result, "sums", cta, &sums[cta], &sum, 1);
        }
        sum = approx_exact(sum.value + (double)in[i]);
        check_f32_part(run->result, "out", i, &out[i], &sum, 1);
    }
}

static void run_shoc(struct run *run, const struct problem *p)
{
    const size_t bytes = p->n * sizeof(float), sums_bytes = p->ctas * sizeof(float);
    float *in = RUN_ARRAY(run, float, p->n), *out = RUN_ARRAY(run, float, p->n);
    float *sums = RUN_ARRAY(run, float, p->ctas);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        in[i] = (float)rng_below(&run->rng, 2);
    }
    gpu_ptr dev_in = run_upload(run, "in", in, bytes), dev_out = run_alloc(run, "out", bytes);
    gpu_ptr dev_sums = run_alloc(run, "sums", sums_bytes);
    for (uint32_t i = 0; i < p->runs; i++) {
        RUN_LAUNCH(run, "scan_shoc_reduce", dim1(p->ctas), dim1(BLOCK_THREADS),
                   host_arg_u64(dev_in), host_arg_u64(dev_sums), host_arg_u32(p->n));
        RUN_LAUNCH(run, "scan_shoc_sums", dim1(1), dim1(BLOCK_THREADS), host_arg_u64(dev_sums),
                   host_arg_u32(p->ctas));
        RUN_LAUNCH(run, "scan_shoc_add", dim1(p->ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_in),
                   host_arg_u64(dev_out), host_arg_u64(dev_sums), host_arg_u32(p->n));
    }
    run_download(run, out, dev_out, bytes);
    run_download(run, sums, dev_sums, sums_bytes);
    check_shoc(run, p, in, out, sums);
}

static int run_scan(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "scan/scan.ptx");
    const uint32_t ctas = run_u32(&run, "ctas"), words = run_u32(&run, "words");
    static const char *const forms[] = {"lean", "shoc"};
    const bool is_lean = run_word(&run, "form", forms, 2) == 0;
    const struct problem p = {
        .ctas = ctas, .n = words ? words : ctas * BLOCK_WORDS, .runs = run_u32(&run, "runs")};
    if (is_lean && words) {
        run_refuse(&run, "words=%u; form=lean has 1024 for each CTA, use words=0", words);
    } else if (!is_lean && (p.n % 4 || ctas > BLOCK_THREADS)) {
        run_refuse(&run, "words=%u, ctas=%u; form=shoc needs words of 4 and at most %d CTAs", p.n,
                   ctas, BLOCK_THREADS);
    } else if (is_lean) {
        run_lean(&run, &p);
    } else {
        run_shoc(&run, &p);
    }
    return run_end(&run);
}

const struct workload workload_scan = {
    .name = "scan",
    .title = "exclusive prefix sum",
    .source = "caps-prefetch section 6.1 (SCN)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_scan,
};
