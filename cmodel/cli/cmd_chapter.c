/* cmd_chapter.c - `warplock chapter NAME`: the short form of a sweep on this machine and its table. */
#include <argp.h>
#include <unistd.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/options.h"
#include "cli/sweep_session.h"

struct options {
    const char *name;
    struct sweep_options sweep;
    bool json;
};

static const struct argp_option option_table[] = {
    {"size", 's', "SIZE", 0, "of every workload (standard: as the file says)", 0},
    {"jobs", 'J', "N", 0, "runs at a time (standard: one per core)", 0},
    {"database", 'd', "FILE", 0, "where runs are kept (standard: " STANDARD_DATABASE ")", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 's': options->sweep.size = arg; return 0;
    case 'J': options->sweep.jobs = (unsigned)cli_number("jobs", arg, 1, 256, state); return 0;
    case 'd': options->sweep.database = arg; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG: return cli_experiment(&options->name, arg, state);
    case ARGP_KEY_END:
        if (options->name == NULL) {
            argp_error(state,
                       "name an experiment, or a file; `warplock list experiments` shows all");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_chapter(int argc, char **argv)
{
    struct options options = {.sweep = {.jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
                                        .database = STANDARD_DATABASE,
                                        .quiet = !isatty(2)}};
    const struct argp argp = {option_table,
                              parse,
                              "NAME|FILE",
                              "Run an experiment, every scheme on every workload of its file, and "
                              "print the metrics and what becomes of the document's figures.  What "
                              "the database has is not run again; `warplock sweep` can do more.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct experiment *experiment = experiment_named(options.name);
    if (experiment == NULL) {
        return VERDICT_USAGE;
    }
    int status = sweep_session_run(&experiment, 1, &options.sweep, ENGINE_LOCAL);
    if (status == VERDICT_PASS) {
        status = sweep_session_show(experiment, options.sweep.database, options.json);
    }
    experiment_free(experiment);
    return status;
}
