/* run_kernels.h - `warplock run --kernels`: what each kernel adds to each counter, a line each. */
#ifndef WARPLOCK_CLI_RUN_KERNELS_H
#define WARPLOCK_CLI_RUN_KERNELS_H

#include "machine/gpu.h"

struct run_kernels {
    const char *path;
    FILE *file; /* NULL: nothing is written */
    struct gpu_counts before;
};

/* Write to `path`, unless it is NULL; the machine that `options` make tells of its launches.
 * Returns 0, or -1 when the file cannot be written, which is then said. */
int run_kernels_open(struct run_kernels *lines, const char *path, struct gpu_options *options);
int run_kernels_close(struct run_kernels *lines);

#endif
