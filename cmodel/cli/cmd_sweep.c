/* cmd_sweep.c - `warplock sweep FILE...`: every point of experiments once, here or on a cluster. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/options.h"
#include "cli/sweep_session.h"

enum { OPTION_ON = 1000, OPTION_RETRY, OPTION_SBATCH, OPTION_NO_WAIT };

struct options {
    char **names;
    int n_names;
    bool all; /* of the tree */
    struct sweep_options sweep;
    enum sweep_engine engine;
};

static const struct argp_option option_table[] = {
    {"all", 'a', NULL, 0, "every experiment of the documents", 0},
    {"on", OPTION_ON, "ENGINE", 0,
     "local (standard), slurm, or list: commands for another engine, a line each", 0},
    {"jobs", 'J', "N", 0, "points at a time (standard: one per core; on slurm: no limit)", 0},
    {"size", 's', "SIZE", 0, "of every workload (standard: as the file says)", 0},
    {"database", 'd', "FILE", 0, "where results go (standard: " STANDARD_DATABASE ")", 0},
    {"retry", OPTION_RETRY, NULL, 0, "run points that failed once more", 0},
    {"sbatch", OPTION_SBATCH, "OPTIONS", 0, "more options for Slurm's sbatch, in one word", 0},
    {"no-wait", OPTION_NO_WAIT, NULL, 0, "on slurm: submit and end; the same command collects", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    static const char *const engines[] = {"local", "slurm", "list"};
    switch (key) {
    case OPTION_ON:
        for (int e = 0; e < 3; e++) {
            if (strcmp(engines[e], arg) == 0) {
                options->engine = (enum sweep_engine)e;
                return 0;
            }
        }
        argp_error(state, "--on %s: there is local, slurm and list", arg);
        return 0;
    case 'J': options->sweep.jobs = (unsigned)cli_number("jobs", arg, 1, 256, state); return 0;
    case 's': options->sweep.size = arg; return 0;
    case 'd': options->sweep.database = arg; return 0;
    case 'q': options->sweep.quiet = true; return 0;
    case OPTION_RETRY: options->sweep.retry = true; return 0;
    case OPTION_SBATCH: options->sweep.sbatch = arg; return 0;
    case OPTION_NO_WAIT: options->sweep.no_wait = true; return 0;
    case 'a': options->all = true; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->n_names = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (options->all == (options->n_names > 0)) {
            argp_error(state, "name experiments, or files, or --all; `warplock list experiments` "
                              "shows all");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the experiments ---- */

struct chosen {
    struct experiment **all;
    size_t n;
    bool good;
};

/* `one` is the list's from now on; NULL where it cannot be read, which has been said. */
static void choose(struct chosen *chosen, struct experiment *one, const char *name)
{
    struct experiment **more = one != NULL ? realloc(chosen->all, (chosen->n + 1) * sizeof *more)
                                           : NULL;
    if (more == NULL) {
        if (one != NULL) {
            fprintf(stderr, "warplock: out of memory\n");
        }
        experiment_free(one);
        chosen->good = false;
        return;
    }
    chosen->all = more;
    for (size_t i = 0; i < chosen->n; i++) {
        if (strcmp(chosen->all[i]->name, one->name) == 0) {
            fprintf(stderr,
                    "warplock: %s: there is another experiment '%s' before it; a sweep has each "
                    "name once\n",
                    name, one->name);
            chosen->good = false;
        }
    }
    chosen->all[chosen->n++] = one;
}

static void choose_each(void *context, struct experiment *one, const char *path, const char *error)
{
    if (one == NULL) {
        fprintf(stderr, "warplock: %s\n", error);
    }
    choose(context, one, path);
}

int cmd_sweep(int argc, char **argv)
{
    struct options options = {.sweep = {.database = STANDARD_DATABASE}};
    const struct argp argp = {
        option_table,
        parse,
        "NAME|FILE...\n--all",
        "Run every point of experiments once and keep the results.  A point that is there is "
        "not run again; one of which anything has changed that determines its result is.  Points "
        "of several experiments are run as those of one, each once.\v"
        "The sweep may be killed at any time, the same command goes on.  `warplock status` shows "
        "what has run, `results` its numbers, `report` a page; docs/experiments.md the format.\n"
        "Exit status: 0 all points ran, failed ones included (`status` shows them), 2 bad use, 5 "
        "interrupted.",
        NULL,
        NULL,
        NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (options.sweep.jobs == 0 && options.engine == ENGINE_LOCAL) {
        options.sweep.jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    }
    struct chosen chosen = {.good = true};
    if (options.all) {
        experiment_each(choose_each, &chosen);
    }
    for (int n = 0; n < options.n_names; n++) {
        choose(&chosen, experiment_named(options.names[n]), options.names[n]);
    }
    const int status = chosen.good
                           ? sweep_session_run(chosen.all, chosen.n, &options.sweep, options.engine)
                           : VERDICT_USAGE;
    for (size_t i = 0; i < chosen.n; i++) {
        experiment_free(chosen.all[i]);
    }
    free(chosen.all);
    return status;
}
