/* cmd_work.c - `warplock work FOLDER`: runs points of a sweep and leaves their results in its work
 * folder.  What sweeps start; it opens no database. */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/sweep_world.h"
#include "sweep/worker.h"

struct options {
    const char *argument[3];
    size_t n, line;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == ARGP_KEY_ARG) {
        if (options->n == 3) {
            argp_error(state, "too many words: '%s'", arg);
        }
        options->argument[options->n++] = arg;
        return 0;
    }
    if (key == ARGP_KEY_END) {
        if (options->n < 2) {
            argp_error(state, "name the work folder, and JOBS or -");
        }
        if (options->n == 3) {
            options->line = (size_t)cli_number("line", options->argument[2], 1, 100000000, state);
        }
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static int serve(const struct options *options, const struct folder *folder,
                 const struct world *world)
{
    char path[PATH_MAX];
    if (strcmp(options->argument[1], "-") == 0) {
        return worker_serve(folder, world, stdin, fdopen(dup(1), "w"), 1, SIZE_MAX);
    }
    folder_path(folder, "jobs", options->argument[1], path, sizeof path);
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        fprintf(stderr, "warplock: %s: %s; name a file of FOLDER/jobs\n", path, strerror(errno));
        return VERDICT_USAGE;
    }
    const int status = worker_serve(folder, world, in, NULL, options->line > 0 ? options->line : 1,
                                    options->line > 0 ? options->line : SIZE_MAX);
    fclose(in);
    return status;
}

int cmd_work(int argc, char **argv)
{
    struct options options = {0};
    const struct argp argp = {NULL,
                              parse,
                              "FOLDER JOBS [LINE]\nFOLDER -",
                              "Run the points of a file of the sweep's work folder, FOLDER/jobs/"
                              "JOBS: all, or that of one line; with - from standard input.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct folder folder;
    char error[PATH_MAX + 128];
    if (folder_open(&folder, options.argument[0], error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    struct world *world = sweep_world_new();
    if (world == NULL) {
        fputs("warplock: the program, its kernels or its units cannot be read\n", stderr);
        return VERDICT_USAGE;
    }
    const int status = serve(&options, &folder, world);
    sweep_world_free(world);
    return status;
}
