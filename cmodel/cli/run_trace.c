/* run_trace.c - see run_trace.h. */
#include "cli/run_trace.h"

#include <unistd.h>

#include "base/seconds.h"

enum verdict run_trace_verdict(int status)
{
    switch (status) {
    case GPU_STUCK: return VERDICT_STUCK;
    case GPU_LIMIT: return VERDICT_LIMIT;
    case GPU_INTERNAL: return VERDICT_ASSERT;
    default: return VERDICT_USAGE;
    }
}

/* Looking through a large file takes a while: say so every few seconds. */
static void show_progress(void *self, const char *path, uint64_t bytes, uint64_t total)
{
    const double now = seconds_now();
    double *last = self;
    bool terminal = isatty(STDERR_FILENO);

    if (now - *last < (terminal ? 1 : 10)) {
        return;
    }
    *last = now;
    fprintf(stderr, "%slooking through %s: %llu%%%s", terminal ? "\r" : "", path,
            (unsigned long long)(total ? 100 * bytes / total : 0), terminal ? "  " : "\n");
}

enum verdict run_trace(struct gpu *gpu, const char *path, bool unknown_as_alu,
                       struct sass_run_result *result, char *error, size_t n_error)
{
    double last = seconds_now();
    struct host_backend backend = host_timed(gpu);
    struct sass_scan_options options = {
        .unknown_as_alu = unknown_as_alu, .progress = show_progress, .progress_self = &last};

    if (sass_run(path, gpu->memory, &backend, &options, result, error, n_error) != 0) {
        return run_trace_verdict(result->status);
    }
    printf("result         not checked (trace has no values)\n");
    printf("trace          %llu kernels, %llu warp instructions, %llu opcodes taken for ALU, "
           "%llu copies of %llu bytes\n",
           (unsigned long long)result->kernels, (unsigned long long)result->instructions,
           (unsigned long long)result->unknown, (unsigned long long)result->copies,
           (unsigned long long)result->copy_bytes);
    return VERDICT_PASS;
}

json_t *run_trace_json(const struct sass_run_result *result)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "kernels", (json_int_t)result->kernels,
                     "warp_instructions", (json_int_t)result->instructions,
                     "unknown_opcodes_as_alu", (json_int_t)result->unknown, "copies",
                     (json_int_t)result->copies, "copy_bytes", (json_int_t)result->copy_bytes);
}
