/* run_trace.c - see run_trace.h. */
#include "cli/run_trace.h"

#include "cli/trace_options.h"
#include "sass/sass_survey.h"

enum verdict run_trace_verdict(int status)
{
    switch (status) {
    case GPU_STUCK: return VERDICT_STUCK;
    case GPU_LIMIT: return VERDICT_LIMIT;
    case GPU_INTERNAL: return VERDICT_ASSERT;
    default: return VERDICT_USAGE;
    }
}

/* How many more there are. */
static int list_unknown(void *self, const struct sass_kernel *kernel)
{
    *(uint64_t *)self += trace_print_unknown(kernel, stdout);
    return 0;
}

static enum verdict list_all_unknown(const char *path, const struct sass_scan_options *options,
                                     char *error, size_t n_error)
{
    uint64_t n = 0;
    const struct sass_survey survey = {.self = &n, .kernel = list_unknown};

    if (sass_survey(path, options, &survey, error, n_error) != 0) {
        return VERDICT_USAGE;
    }
    printf("%llu unknown opcodes%s\n", (unsigned long long)n,
           n ? "; rows 'OPCODE,CLASS,version' in a file, with --opcodes FILE, make them known"
             : "");
    return n ? VERDICT_USAGE : VERDICT_PASS;
}

enum verdict run_trace(struct gpu *gpu, const char *path, const struct trace_options *how,
                       struct sass_run_result *result, char *error, size_t n_error)
{
    double last = 0;
    struct host_backend backend = host_timed(gpu);
    struct sass_scan_options options = {.opcodes = how->opcodes,
                                        .unknown = how->unknown,
                                        .streams_in_turn = how->streams_in_turn,
                                        .keep_bytes = SASS_KEEP_BYTES,
                                        .progress = trace_show_progress,
                                        .progress_self = &last};

    if (how->list_unknown) {
        return list_all_unknown(path, &options, error, n_error);
    }
    gpu->allocations = how->allocations.n > 0 ? &how->allocations : NULL;
    if (sass_run(path, gpu->memory, &backend, &options, result, error, n_error) != 0) {
        return run_trace_verdict(result->status);
    }
    gpu->launch_seconds += result
                               ->reading_seconds; /* of PTX, values are computed in a launch, too */
    printf("result         not checked (trace has no values)\n");
    printf("trace          %llu kernels, %llu warp instructions, %llu opcodes taken for ALU, "
           "%llu copies of %llu bytes\n",
           (unsigned long long)result->kernels, (unsigned long long)result->instructions,
           (unsigned long long)result->unknown, (unsigned long long)result->copies,
           (unsigned long long)result->copy_bytes);
    if (result->together) {
        printf("streams        %llu kernels ran beside others\n",
               (unsigned long long)result->together);
    }
    if (result->blocks != result->grid_blocks) {
        printf("note           %llu of the grids' %llu blocks were traced, and run\n",
               (unsigned long long)result->blocks, (unsigned long long)result->grid_blocks);
    }
    trace_print_oddities(&result->odd, stdout);
    return VERDICT_PASS;
}

json_t *run_trace_json(const struct sass_run_result *result)
{
    const struct sass_oddities *odd = &result->odd;
    json_t *notes = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "lanes_left_out", (json_int_t)odd->lanes,
        "warps_without_exit", (json_int_t)odd->exits, "opcodes_of_other_versions",
        (json_int_t)odd->foreign, "accesses_without_address", (json_int_t)odd->no_address,
        "mbarriers_without_values", (json_int_t)odd->no_values, "copies_without_mbarrier",
        (json_int_t)odd->no_mbarrier, "without_clusters", odd->clusters);

    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "kernels",
                     (json_int_t)result->kernels, "kernels_beside_others",
                     (json_int_t)result->together, "thread_blocks", (json_int_t)result->blocks,
                     "thread_blocks_of_grids", (json_int_t)result->grid_blocks, "warp_instructions",
                     (json_int_t)result->instructions, "unknown_opcodes_as_alu",
                     (json_int_t)result->unknown, "copies", (json_int_t)result->copies,
                     "copy_bytes", (json_int_t)result->copy_bytes, "notes", notes);
}
