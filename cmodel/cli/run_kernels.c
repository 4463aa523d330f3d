/* run_kernels.c - see run_kernels.h. */
#include "cli/run_kernels.h"

#include <errno.h>
#include <string.h>

static int complain(const struct run_kernels *lines)
{
    fprintf(stderr, "warplock: cannot write %s: %s; check the path\n", lines->path,
            strerror(errno));
    return -1;
}

static void write_kernel(void *self, const struct gpu *gpu)
{
    struct run_kernels *lines = self;

    gpu_stats_kernel(gpu, &lines->before, lines->file);
}

int run_kernels_open(struct run_kernels *lines, const char *path, struct gpu_options *options)
{
    *lines = (struct run_kernels){.path = path};
    if (!path) {
        return 0;
    }
    lines->file = fopen(path, "w");
    if (!lines->file) {
        return complain(lines);
    }
    options->after_launch = write_kernel;
    options->after_launch_self = lines;
    return 0;
}

int run_kernels_close(struct run_kernels *lines)
{
    return lines->file && fclose(lines->file) != 0 ? complain(lines) : 0;
}
