/* trace_copy.c - `warplock trace convert`, `cut` and `diff`. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/options.h"
#include "cli/trace_commands.h"
#include "sass/sass_compare.h"
#include "sass/sass_copy.h"
#include "sass/sass_survey.h"

struct copying {
    const struct trace_command *command;
    struct sass_scan_options options;
    double last; /* progress */
    struct trace_range kernels, blocks;
    uint64_t n, copied;
    struct sass_copied sum;
    char error[512];
};

static int copy_one(struct copying *c, char from[SASS_PATH], const char *to)
{
    struct sass_copied copied;
    int result = sass_copy(from, to, &c->options,
                           (struct sass_copy_range){c->blocks.first, c->blocks.last}, &copied,
                           c->error, sizeof c->error);

    if (result == 0) {
        c->copied++;
        c->sum.blocks += copied.blocks;
        c->sum.lines += copied.lines;
        c->sum.bytes_in += copied.bytes_in;
        c->sum.bytes_out += copied.bytes_out;
    }
    return result;
}

/* "kernel-1.traceg.xz" in the form wanted, or in its own without packing. */
static void rename_kernel(const struct copying *c, const struct sass_list_line *line, char *name,
                          size_t n)
{
    const size_t length = (size_t)(line->end - line->file);
    const char *dot = memmem(line->file, length, ".traceg", 7);

    dot = dot ? dot : memmem(line->file, length, ".tracez", 7);
    if (!dot) {
        snprintf(name, n, "%.*s.%s", (int)length, line->file,
                 c->command->to ? c->command->to : "traceg");
        return;
    }
    snprintf(name, n, "%.*s.%s", (int)(dot - line->file), line->file,
             c->command->to  ? c->command->to
             : dot[6] == 'z' ? "tracez"
                             : "traceg");
}

static int copy_kernel(struct copying *c, struct sass_input *list,
                       const struct sass_list_line *line, FILE *out)
{
    char from[SASS_PATH], to[2 * SASS_PATH], name[SASS_PATH];

    if (++c->n < c->kernels.first || c->n > c->kernels.last) {
        return 0;
    }
    if (memchr(line->file, '/', (size_t)(line->end - line->file))) {
        return sass_fail(list, "'%s' is in a folder below; name files beside the list",
                         sass_quote(line->file, line->end).text);
    }
    rename_kernel(c, line, name, sizeof name);
    snprintf(to, sizeof to, "%s/%s", c->command->path[1], name);
    if (sass_list_join(list, line, from) != 0 || copy_one(c, from, to) != 0) {
        return -1;
    }
    fprintf(out, "%s\n", name);
    return 0;
}

static int copy_list(struct copying *c, struct sass_input *list, FILE *out)
{
    struct sass_list_line line;
    int more;

    while ((more = sass_list_next(list, &line)) > 0) {
        if (line.command == SASS_COMMAND_KERNEL) {
            if (copy_kernel(c, list, &line, out) != 0) {
                return -1;
            }
        } else if (line.command == SASS_COMMAND_COPY) {
            fprintf(out, "MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n", line.address, line.bytes);
        }
    }
    if (more == 0 && c->copied == 0) {
        return sass_fail(list, "no kernel of its %" PRIu64 " is wanted", c->n);
    }
    return more;
}

static int copy_trace(struct copying *c)
{
    const char *folder = c->command->path[1];
    char from[SASS_PATH], path[2 * SASS_PATH];
    struct sass_input list;
    FILE *out = NULL;
    int result = -1;

    snprintf(from, sizeof from, "%s", c->command->path[0]);
    if (sass_is_kernel_path(from)) {
        return copy_one(c, from, folder);
    }
    if (sass_input_open(&list, from, c->error, sizeof c->error) == 0) {
        snprintf(path, sizeof path, "%s/kernelslist.g", folder);
        if (mkdir(folder, 0777) == 0 || errno == EEXIST) {
            out = fopen(path, "wx");
        }
        if (!out) {
            snprintf(c->error, sizeof c->error, "%.400s:1: %s; name a new folder", path,
                     strerror(errno));
        } else {
            result = copy_list(c, &list, out);
        }
    }
    if (out && fclose(out) != 0 && result == 0) {
        snprintf(c->error, sizeof c->error, "%.400s:1: %s", path, strerror(errno));
        result = -1;
    }
    sass_input_close(&list);
    return result;
}

static enum verdict run_copy(const struct trace_command *command, struct trace_range kernels,
                             struct trace_range blocks)
{
    struct copying c = {.command = command, .kernels = kernels, .blocks = blocks};

    c.options = (struct sass_scan_options){.opcodes = command->options.opcodes,
                                           .unknown = SASS_UNKNOWN_ALU, /* copied as they are */
                                           .progress = trace_show_progress,
                                           .progress_self = &c.last};
    if (strlen(command->path[0]) >= SASS_PATH || strlen(command->path[1]) >= SASS_PATH) {
        fprintf(stderr, "warplock: a path is longer than %d bytes; use a shorter one\n", SASS_PATH);
        return VERDICT_USAGE;
    }
    if (copy_trace(&c) != 0) {
        fprintf(stderr, "warplock: %s\n", c.error);
        return VERDICT_USAGE;
    }
    printf("%" PRIu64 " kernels, %" PRIu64 " thread blocks, %" PRIu64 " lines; %" PRIu64
           " bytes became %" PRIu64 "\n",
           c.copied, c.sum.blocks, c.sum.lines, c.sum.bytes_in, c.sum.bytes_out);
    return VERDICT_PASS;
}

enum verdict trace_convert(const struct trace_command *command)
{
    if (!command->to && !sass_is_kernel_path(command->path[0])) {
        fprintf(stderr, "warplock: trace convert needs --to=traceg or --to=tracez\n");
        return VERDICT_USAGE;
    }
    return run_copy(command, (struct trace_range){1, UINT64_MAX},
                    (struct trace_range){0, UINT64_MAX});
}

enum verdict trace_cut(const struct trace_command *command)
{
    return run_copy(command, command->kernels, command->blocks);
}

/* ---- diff ---- */

struct comparing {
    struct sass_input list[2];
    struct sass_difference sum;
    uint64_t kernels;
    char path[2][SASS_PATH], error[512], first[SASS_PATH + 640];
};

/* The next kernel of a list, or the file itself, once: 1, 0, -1. */
static int next_kernel(struct comparing *c, int side, const char *given)
{
    struct sass_list_line line;
    int more;

    if (sass_is_kernel_path(given)) {
        snprintf(c->path[side], SASS_PATH, "%s", given);
        return c->kernels == 0;
    }
    do {
        more = sass_list_next(&c->list[side], &line);
    } while (more > 0 && line.command != SASS_COMMAND_KERNEL);
    return more <= 0 ? more : sass_list_join(&c->list[side], &line, c->path[side]) != 0 ? -1 : 1;
}

static void add(struct comparing *c, const struct sass_difference *more)
{
    c->sum.blocks += more->blocks;
    c->sum.lines += more->lines;
    c->sum.heads += more->heads;
    c->sum.blocks_differ += more->blocks_differ;
    c->sum.warps_differ += more->warps_differ;
    c->sum.lines_differ += more->lines_differ;
    if (more->first[0] && !c->first[0]) {
        snprintf(c->first, sizeof c->first, "%s: %s", c->path[0], more->first);
    }
}

static int compare_all(struct comparing *c, const struct trace_command *command)
{
    for (;;) {
        struct sass_difference difference;
        int a = next_kernel(c, 0, command->path[0]), b = next_kernel(c, 1, command->path[1]);

        if (a < 0 || b < 0) {
            return -1;
        }
        if (a != b && !c->first[0]) {
            snprintf(c->first, sizeof c->first, "%s names more kernels than %s",
                     command->path[a ? 0 : 1], command->path[a ? 1 : 0]);
        }
        if (!a || !b) {
            return 0;
        }
        c->kernels++;
        if (sass_compare(c->path[0], c->path[1], &difference, c->error, sizeof c->error) != 0) {
            return -1;
        }
        add(c, &difference);
    }
}

static int open_lists(struct comparing *c, const struct trace_command *command)
{
    c->list[0].file = c->list[1].file = -1;
    for (int side = 0; side < 2; side++) {
        if (strlen(command->path[side]) >= SASS_PATH) {
            snprintf(c->error, sizeof c->error, "a path is longer than %d bytes; use a shorter one",
                     SASS_PATH);
            return -1;
        }
    }
    for (int side = 0; side < 2; side++) {
        char name[SASS_PATH];

        snprintf(name, sizeof name, "%s", command->path[side]);
        if (!sass_is_kernel_path(name) &&
            sass_input_open(&c->list[side], name, c->error, sizeof c->error) != 0) {
            return -1;
        }
        c->list[side].path = command->path[side];
    }
    return 0;
}

enum verdict trace_diff(const struct trace_command *command)
{
    struct comparing *c = calloc(1, sizeof *c);
    enum verdict verdict = VERDICT_USAGE;

    if (!c) {
        fprintf(stderr, "warplock: out of memory\n");
        return verdict;
    }
    if (open_lists(c, command) != 0 || compare_all(c, command) != 0) {
        fprintf(stderr, "warplock: %s\n", c->error);
    } else {
        verdict = c->first[0] ? VERDICT_MISMATCH : VERDICT_PASS;
        printf("%" PRIu64 " kernels, %" PRIu64 " thread blocks, %" PRIu64 " lines compared\n",
               c->kernels, c->sum.blocks, c->sum.lines);
        printf("different: %" PRIu64 " head lines, %" PRIu64 " blocks, %" PRIu64 " warps, %" PRIu64
               " lines\n",
               c->sum.heads, c->sum.blocks_differ, c->sum.warps_differ, c->sum.lines_differ);
        if (c->first[0]) {
            printf("first: %s\n", c->first);
        }
    }
    sass_input_close(&c->list[0]);
    sass_input_close(&c->list[1]);
    free(c);
    return verdict;
}
