/* steal.c - dynamic load balancing with work stealing between CTAs.
 *
 * Works after Tabbakh 2018 section 6.2 (DLB).  Checked: every element has its value and was
 * done once.  One CTA is a warp; queue q lies with its lock and counters in one struct.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { QUEUE_WORDS = 4 + 2 * 64, FIRST = 4, END = 4 + 64, TAIL = 2 };

static const struct workload_param params[] = {
    {"elements", WORKLOAD_NUMBER, 1, 1 << 22, "elements"},
    {"leaf", WORKLOAD_NUMBER, 1, 4096, "elements of a task that is not halved any more"},
    {"ctas", WORKLOAD_NUMBER, 1, 120, "CTAs of 32 threads; all resident together"},
    {0},
};
static const struct workload_size sizes[] = {
    {"tiny", "elements=2048,leaf=32,ctas=32"},
    {"small", "elements=16384,leaf=32,ctas=64"},
    {"doc", "elements=131072,leaf=32,ctas=96"},
    {0},
};

static uint32_t work(uint32_t i)
{
    uint32_t x = i + 1;
    for (uint32_t n = (i & 7) == 0 ? 40 : 4; n > 0; n--) {
        x = x * 1664525u + 1013904223u;
    }
    return x;
}

static void balance(struct run *run, uint32_t n, uint32_t ctas, uint32_t *queues, uint32_t *out,
                    uint32_t *times)
{
    const size_t queue_bytes = (size_t)ctas * QUEUE_WORDS * 4;
    queues[FIRST] = 0; /* one task for all, in the first queue */
    queues[END] = n;
    queues[TAIL] = 1;
    gpu_ptr dev_queues = run_upload(run, "queues", queues, queue_bytes);
    gpu_ptr done = run_alloc(run, "done", 4);
    gpu_ptr dev_out = run_alloc(run, "out", (size_t)n * 4);
    gpu_ptr dev_times = run_alloc(run, "times", (size_t)n * 4);
    RUN_LAUNCH(run, "steal", dim1(ctas), dim1(32), host_arg_u64(dev_queues), host_arg_u64(done),
               host_arg_u64(dev_out), host_arg_u64(dev_times), host_arg_u32(n),
               host_arg_u32(run_u32(run, "leaf")), host_arg_u32(2000));
    run_download(run, out, dev_out, (size_t)n * 4);
    run_download(run, times, dev_times, (size_t)n * 4);
}

static int run_steal(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "steal/steal.ptx");
    const uint32_t n = run_u32(&run, "elements"), ctas = run_u32(&run, "ctas");
    uint32_t *queues = RUN_ARRAY(&run, uint32_t, (size_t)ctas * QUEUE_WORDS);
    uint32_t *out = RUN_ARRAY(&run, uint32_t, n), *times = RUN_ARRAY(&run, uint32_t, n);
    uint32_t *want = RUN_ARRAY(&run, uint32_t, n), *once = RUN_ARRAY(&run, uint32_t, n);

    if (!run.failed) {
        balance(&run, n, ctas, queues, out, times);
        for (uint32_t i = 0; i < n; i++) {
            want[i] = work(i);
            once[i] = 1;
        }
        check_u32(result, "out", out, want, n);
        check_u32(result, "times", times, once, n);
    }
    return run_end(&run);
}

const struct workload workload_steal = {
    .name = "steal",
    .title = "dynamic load balancing, task queues with stealing (DLB)",
    .source = "Tabbakh 2018 section 6.2",
    .params = params,
    .sizes = sizes,
    .together = true,
    .run = run_steal,
};
