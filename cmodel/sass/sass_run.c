/* sass_run.c - see sass_run.h. */
#include "sass/sass_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"
#include "sass/sass_launch.h"
#include "sass/sass_together.h"

/* Kernels that are looked at for what may run at once. */
enum { MAX_BATCH = 64 };

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

/* One of so many kernels that are there at once. */
static int scan(struct run *run, struct sass_kernel *kernel, char *path, uint32_t n)
{
    struct sass_scan_options options = *run->options;
    const double start = seconds_now();
    struct sass_input in;
    int result = -1;

    if (sass_input_open(&in, path, run->error, run->n_error) == 0) {
        kernel->path = path;
        options.keep_bytes /= n;
        result = sass_kernel_scan(kernel, &in, &run->pages, &options);
    }
    if (result == 0) {
        result = place_local(run, kernel, &in);
    }
    sass_input_close(&in);
    run->result->reading_seconds += seconds_now() - start;
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

static void count(struct run *run, const struct sass_kernel *kernel)
{
    run->result->kernels++;
    run->result->instructions += kernel->instructions;
    run->result->blocks += kernel->blocks;
    run->result->grid_blocks += kernel->header.blocks;
    sass_oddities_add(&run->result->odd, &kernel->odd);
    run->result->unknown += kernel->unknown;
}

static int run_kernel(struct run *run, char *path)
{
    struct sass_kernel *kernel = calloc(1, sizeof *kernel);
    int result = -1;

    if (!kernel) {
        return sass_fail(&run->list, "out of memory for the kernel");
    }
    if (scan(run, kernel, path, 1) == 0) {
        count(run, kernel);
        result = launch(run, kernel, path);
    }
    sass_kernel_free(kernel);
    free(kernel);
    return result;
}

/* ---- kernels of several streams at once ---- */

/* One of them. */
struct item {
    char path[SASS_PATH];
    struct sass_kernel kernel;
    struct sass_input in;
    struct isa_launch isa;
    struct sass_launch *opened;
    char why[512];
};

/* Local memory of kernels that run at once must not be in one place. */
static int reserve_local(struct run *run, const struct sass_kernel *kernel)
{
    const uint64_t total = sass_kernel_local_total(kernel);

    for (uint64_t at = 0; at < total; at += UINT64_C(1) << SASS_PAGE_SHIFT) {
        if (sass_pages_add(&run->pages, kernel->local_base + at) < 0) {
            snprintf(run->error, run->n_error, "%s:1: out of memory for the pages touched",
                     kernel->path);
            return -1;
        }
    }
    return 0;
}

static int open_item(struct run *run, struct item *item, uint32_t n)
{
    if (scan(run, &item->kernel, item->path, n) != 0 || reserve_local(run, &item->kernel) != 0) {
        return -1;
    }
    count(run, &item->kernel);
    if (sass_input_open(&item->in, item->path, item->why, sizeof item->why) == 0) {
        item->opened = sass_launch_open(&item->kernel, &item->in, &item->isa);
    }
    if (!item->opened) {
        snprintf(run->error, run->n_error, "%s", item->why);
    }
    return item->opened ? 0 : -1;
}

static int launch_together(struct run *run, struct item *item, uint32_t n)
{
    struct sass_together_part part[MAX_BATCH];
    struct sass_together *together;
    struct isa_launch isa;

    for (uint32_t k = 0; k < n; k++) {
        part[k] = (struct sass_together_part){&item[k].kernel, &item[k].isa};
    }
    together = sass_together_open(part, n, &isa);
    if (!together) {
        return sass_fail(&run->list, "out of memory for %u kernels at once", n);
    }
    run->result->together += n;
    run->result->status = run->backend->launch(run->backend->self, &isa, run->error, run->n_error);
    sass_together_close(together);
    return run->result->status == 0 ? 0 : -1;
}

static int run_together(struct run *run, char (*path)[SASS_PATH], uint32_t n)
{
    struct item *item = calloc(n, sizeof *item);
    bool clusters = false;
    int result = item ? 0 : sass_fail(&run->list, "out of memory for %u kernels", n);

    for (uint32_t k = 0; item && k < n; k++) {
        item[k].in.file = -1;
        strcpy(item[k].path, path[k]);
    }
    for (uint32_t k = 0; k < n && result == 0; k++) {
        result = open_item(run, &item[k], n);
        clusters |= item[k].kernel.cluster.blocks > 1;
    }
    if (result == 0 && !clusters) {
        result = launch_together(run, item, n);
    }
    for (uint32_t k = 0; k < n && result == 0 && clusters; k++) {
        run->result->status = run->backend->launch(run->backend->self, &item[k].isa, run->error,
                                                   run->n_error);
        result = run->result->status == 0 ? 0 : -1;
    }
    for (uint32_t k = 0; item && k < n; k++) {
        sass_launch_close(item[k].opened);
        sass_input_close(&item[k].in);
        sass_kernel_free(&item[k].kernel);
    }
    free(item);
    return result;
}

/* ---- the list ---- */

/* Kernels between two copies. */
struct batch {
    char path[MAX_BATCH][SASS_PATH];
    uint32_t n;
};

/* Are they of more than one stream?  A file that cannot be read is found when it is its turn. */
static bool has_streams(char (*path)[SASS_PATH], uint32_t n)
{
    uint64_t first = 0;
    bool differ = false;

    for (uint32_t k = 0; k < n && n > 1 && !differ; k++) {
        struct sass_header *head = malloc(sizeof *head);
        struct sass_input in;
        char error[256];

        if (sass_input_open(&in, path[k], error, sizeof error) == 0 && head &&
            sass_header_read(&in, head) == 0) {
            differ = k > 0 && head->stream != first;
            first = k > 0 ? first : head->stream;
        }
        sass_input_close(&in);
        free(head);
    }
    return differ;
}

static int run_batch(struct run *run, struct batch *batch)
{
    const uint32_t n = batch->n;
    int result = 0;

    batch->n = 0;
    if (!run->options->streams_in_turn && has_streams(batch->path, n)) {
        return run_together(run, batch->path, n);
    }
    for (uint32_t k = 0; k < n && result == 0; k++) {
        result = run_kernel(run, batch->path[k]);
    }
    return result;
}

static int run_line(struct run *run, struct batch *batch, const struct sass_list_line *line)
{
    if (line->command == SASS_COMMAND_COPY) {
        run->result->copies++;
        run->result->copy_bytes += line->bytes;
        return run_batch(run, batch);
    }
    if (line->command == SASS_COMMAND_KERNEL) {
        if (sass_list_join(&run->list, line, batch->path[batch->n]) != 0) {
            return -1;
        }
        batch->n++;
    }
    return batch->n == MAX_BATCH ? run_batch(run, batch) : 0;
}

static int run_list(struct run *run)
{
    struct batch *batch = calloc(1, sizeof *batch);
    struct sass_list_line line;
    int more;

    if (!batch) {
        return sass_fail(&run->list, "out of memory for the list");
    }
    while ((more = sass_list_next(&run->list, &line)) > 0 && run_line(run, batch, &line) == 0) {
    }
    more = more > 0 ? -1 : more;
    if (more == 0) {
        more = run_batch(run, batch);
    }
    if (more == 0 && run->result->kernels == 0) {
        more = sass_fail(&run->list, "the list names no kernel; its lines are 'kernel-N.traceg'");
    }
    free(batch);
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
    const bool alone = sass_is_kernel_path(path);
    int status = -1;

    *result = (struct sass_run_result){0};
    if (strlen(path) >= sizeof name) {
        snprintf(error, n_error, "%.40s...:1: the path is longer than %d bytes; use a shorter one",
                 path, SASS_PATH);
        return -1;
    }
    strcpy(name, path);
    error[0] = '\0';
    run.list = (struct sass_input){.path = path, .file = -1, .error = error, .n_error = n_error};
    if (alone || sass_input_open(&run.list, name, error, n_error) == 0) {
        if (memory_without_values(memory, "the trace's addresses") != 0) {
            snprintf(error, n_error, "out of memory for device memory");
        } else {
            status = alone ? run_kernel(&run, name) : run_list(&run);
        }
    }
    sass_input_close(&run.list);
    sass_pages_free(&run.pages);
    return status;
}
