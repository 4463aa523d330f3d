/* run_trace.h - `warplock run --trace` and `--dump-trace`: traces in and out of a simulation. */
#ifndef WARPLOCK_CLI_RUN_TRACE_H
#define WARPLOCK_CLI_RUN_TRACE_H

#include <jansson.h>

#include "base/verdict.h"
#include "cli/trace_options.h"
#include "machine/gpu.h"
#include "sass/sass_run.h"

/* Run the trace whose command list is `path` on the machine and print what it was.  PASS: it
 * ran to its end; values cannot be checked. */
enum verdict run_trace(struct gpu *gpu, const char *path, const struct trace_options *how,
                       struct sass_run_result *result, char *error, size_t n_error);

/* What the trace was, for the statistics. */
json_t *run_trace_json(const struct sass_run_result *result);

/* The verdict on a launch that ended with `status` (enum gpu_status). */
enum verdict run_trace_verdict(int status);

#endif
