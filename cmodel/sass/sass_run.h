/* sass_run.h - a whole trace: its command list, kernel after kernel on a machine.
 *
 * Works after the trace format, section 1.  Kernels run in the order of the list, each after
 * those of its stream; of different streams at once, between two copies and up to 64 of them.
 * Where one has clusters they run one after the other.  A copy is of a host that waits: kernels
 * behind it start when those before have ended.  It takes no time and leaves the L2 as it is.  A trace does not say where its buffers end: any address may be accessed, also by a
 * prefetcher that runs past an array, where a host program's buffers would stop it.  It must
 * not know which machine is behind the backend.
 */
#ifndef WARPLOCK_SASS_RUN_H
#define WARPLOCK_SASS_RUN_H

#include "machine/host/host_machine.h"
#include "sass/sass_kernel.h"

/* A usual sass_scan_options.keep_bytes: for all kernels that are at hand at once. */
enum { SASS_KEEP_BYTES = 256 << 20 };

struct sass_run_result {
    uint64_t kernels, copies, copy_bytes;
    uint64_t instructions, unknown; /* warp instructions; of them taken for ALU instructions */
    uint64_t blocks, grid_blocks;   /* that the files have, that the grids have */
    uint64_t together;              /* kernels that ran beside others */
    struct sass_oddities odd;       /* of all kernels */
    int status;                     /* the backend's, of the launch that failed; else 0 */
    double reading_seconds;         /* before launches; no part of the statistics */
};

/* Run the trace whose command list is `path`, or the kernel whose file it is.  `memory` must have no buffers yet.  0; or -1
 * with `file:line: what; remedy` in `error`, or the backend's error when status is not 0. */
int sass_run(const char *path, struct memory *memory, const struct host_backend *backend,
             const struct sass_scan_options *options, struct sass_run_result *result, char *error,
             size_t n_error);

/* Is the path that of a kernel's file, not of a list? */
bool sass_is_kernel_path(const char *path);

/* One line of a command list. */
enum sass_command { SASS_COMMAND_NONE, SASS_COMMAND_COPY, SASS_COMMAND_KERNEL };
struct sass_list_line {
    enum sass_command command;
    uint64_t address, bytes; /* of a copy */
    const char *file, *end;  /* of a kernel */
};
/* The file of a kernel, beside its list: a relative path without "..".  0, or -1 and the error. */
int sass_list_join(struct sass_input *in, const struct sass_list_line *line, char path[SASS_PATH]);
/* The next line of the list: 1, 0 at its end, -1 and the error. */
int sass_list_next(struct sass_input *in, struct sass_list_line *line);

#endif
