/* sass_dump_launch.h - one launch on its way to a trace file.  Private to the dump. */
#ifndef WARPLOCK_SASS_DUMP_LAUNCH_H
#define WARPLOCK_SASS_DUMP_LAUNCH_H

#include <stdio.h>

#include "isa/isa.h"
#include "sass/sass_writer.h"

struct sass_dump_launch;

/* The head of the launch's trace, as text. */
void sass_dump_head(const struct isa_launch *launch, FILE *file);
/* Put `out` between the machine and `inner`, writing the body of a trace.  NULL and one line in
 * `error`. */
struct sass_dump_launch *sass_dump_launch_begin(const struct isa_launch *inner,
                                                struct sass_writer *writer, struct isa_launch *out,
                                                char *error, size_t n_error);
/* The machine is done with it: 0 when every block was written, else -1 (out of memory, or the
 * launch did not end). */
int sass_dump_launch_end(struct sass_dump_launch *launch);

#endif
