/* trace_options.h - the options of whatever reads a trace: --opcodes, --unknown-opcodes,
 * --allocations. */
#ifndef WARPLOCK_CLI_TRACE_OPTIONS_H
#define WARPLOCK_CLI_TRACE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "machine/memory/allocations.h"
#include "sass/sass_kernel.h"

struct trace_options {
    struct sass_opcodes *opcodes; /* made when the options are parsed */
    enum sass_unknown unknown;
    bool list_unknown; /* what to do is to list them */
    bool streams_in_turn;
    struct allocations allocations; /* of the trace's program; none: not told */
};

/* A child parser, whose input is a struct trace_options. */
extern const struct argp trace_options_argp;
void trace_options_free(struct trace_options *options);

/* "opcode FROB.X: 12 times, first in file:line", all that were met; how many. */
uint32_t trace_print_unknown(const struct sass_kernel *kernel, FILE *out);
/* What a trace had that it should not have, a line each. */
void trace_print_oddities(const struct sass_oddities *odd, FILE *out);
/* Looking through a large file takes a while: say so every few seconds.  `last` is a double,
 * 0 at first. */
void trace_show_progress(void *last, const char *path, uint64_t bytes, uint64_t total);

#endif
