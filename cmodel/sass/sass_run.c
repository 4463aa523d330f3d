/* sass_run.c - see sass_run.h. */
#include "sass/sass_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/sass_launch.h"

struct run {
    const struct host_backend *backend;
    const struct sass_scan_options *options;
    struct sass_run_result *result;
    struct sass_pages pages;
    struct sass_input list;
    char *error;
    size_t n_error;
};

/* ---- one kernel ---- */

static int place_local(struct run *run, struct sass_kernel *kernel, struct sass_input *in)
{
    uint64_t total = sass_kernel_local_total(kernel), limit = UINT64_C(1) << SASS_ADDRESS_BITS;

    if (total == 0) {
        return 0;
    }
    kernel->local_base = kernel->header.device_local_base ? kernel->header.device_local_base
                         : total < limit                  ? sass_pages_room(&run->pages, total)
                                                          : 0;
    if (kernel->local_base == 0 || total > limit - kernel->local_base) {
        return sass_fail(in,
                         "its threads' local memory, %llu bytes, finds no room in device "
                         "memory",
                         (unsigned long long)total);
    }
    kernel->local_room = sass_pages_gap(&run->pages, kernel->local_base);
    return 0;
}

static int scan(struct run *run, struct sass_kernel *kernel, char *path)
{
    struct sass_input in;
    int result = -1;

    if (sass_input_open(&in, path, run->error, run->n_error) == 0) {
        kernel->path = path;
        result = sass_kernel_scan(kernel, &in, &run->pages, run->options);
    }
    if (result == 0) {
        result = place_local(run, kernel, &in);
    }
    sass_input_close(&in);
    return result;
}

static int launch(struct run *run, const struct sass_kernel *kernel, char *path)
{
    char why[512];
    struct sass_input in;
    struct isa_launch isa;
    struct sass_launch *opened = NULL;
    int result = -1;

    if (sass_input_open(&in, path, why, sizeof why) == 0) {
        opened = sass_launch_open(kernel, &in, &isa);
    }
    if (opened) {
        run->result->status = run->backend->launch(run->backend->self, &isa, run->error,
                                                   run->n_error);
        result = run->result->status == 0 ? 0 : -1;
    } else {
        snprintf(run->error, run->n_error, "%s", why);
    }
    sass_launch_close(opened);
    sass_input_close(&in);
    return result;
}

static int run_kernel(struct run *run, char *path)
{
    struct sass_kernel *kernel = calloc(1, sizeof *kernel);
    int result = -1;

    if (!kernel) {
        return sass_fail(&run->list, "out of memory for the kernel");
    }
    if (scan(run, kernel, path) == 0) {
        run->result->kernels++;
        run->result->instructions += kernel->instructions;
        run->result->blocks += kernel->blocks;
        run->result->grid_blocks += kernel->header.blocks;
        sass_oddities_add(&run->result->odd, &kernel->odd);
        run->result->unknown += kernel->unknown;
        result = launch(run, kernel, path);
    }
    sass_kernel_free(kernel);
    free(kernel);
    return result;
}

/* ---- the list ---- */

static int run_list(struct run *run)
{
    struct sass_list_line line;
    char path[SASS_PATH];
    int more;

    while ((more = sass_list_next(&run->list, &line)) > 0) {
        if (line.command == SASS_COMMAND_COPY) {
            run->result->copies++;
            run->result->copy_bytes += line.bytes;
        } else if (line.command == SASS_COMMAND_KERNEL &&
                   (sass_list_join(&run->list, &line, path) != 0 || run_kernel(run, path) != 0)) {
            return -1;
        }
    }
    if (more == 0 && run->result->kernels == 0) {
        return sass_fail(&run->list, "the list names no kernel; its lines are 'kernel-N.traceg'");
    }
    return more;
}

int sass_run(const char *path, struct memory *memory, const struct host_backend *backend,
             const struct sass_scan_options *options, struct sass_run_result *result, char *error,
             size_t n_error)
{
    struct run run = {.backend = backend,
                      .options = options,
                      .result = result,
                      .error = error,
                      .n_error = n_error};
    char name[SASS_PATH];
    int status = -1;

    *result = (struct sass_run_result){0};
    if (strlen(path) >= sizeof name) {
        snprintf(error, n_error, "%.40s...:1: the path is longer than %d bytes; use a shorter one",
                 path, SASS_PATH);
        return -1;
    }
    strcpy(name, path);
    if (sass_input_open(&run.list, name, error, n_error) == 0) {
        if (memory_without_values(memory, "the trace's addresses") != 0) {
            snprintf(error, n_error, "out of memory for device memory");
        } else {
            status = run_list(&run);
        }
    }
    sass_input_close(&run.list);
    sass_pages_free(&run.pages);
    return status;
}
