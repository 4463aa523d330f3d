/* trace_commands.h - what `warplock trace` does, a function for each word. */
#ifndef WARPLOCK_CLI_TRACE_COMMANDS_H
#define WARPLOCK_CLI_TRACE_COMMANDS_H

#include "base/verdict.h"
#include "cli/trace_options.h"

struct trace_range {
    uint64_t first, last;
};

struct trace_command {
    const char *name, *path[2], *to, *json;
    uint32_t n_paths;
    struct trace_range kernels, blocks;
    struct trace_options options;
};

enum verdict trace_info(const struct trace_command *command);
enum verdict trace_check(const struct trace_command *command);
enum verdict trace_convert(const struct trace_command *command);
enum verdict trace_cut(const struct trace_command *command);
enum verdict trace_diff(const struct trace_command *command);
enum verdict trace_classes(const struct trace_command *command);

#endif
