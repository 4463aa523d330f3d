/* cmd_report.c - `warplock report`: an experiment's results as one page of HTML. */
#include <argp.h>
#include <limits.h>
#include <stdio.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/options.h"
#include "sweep/report.h"

struct options {
    const char *name, *database, *output;
};

static const struct argp_option option_table[] = {
    {"database", 'd', "FILE", 0, "where results are (standard: " STANDARD_DATABASE ")", 0},
    {"output", 'o', "FILE", 0, "the page (standard: the experiment's name and .html)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'd': options->database = arg; return 0;
    case 'o': options->output = arg; return 0;
    case ARGP_KEY_ARG: return cli_experiment(&options->name, arg, state);
    case ARGP_KEY_END:
        if (options->name == NULL) {
            argp_error(state, "name an experiment; `warplock status` shows what has been swept");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int write_report(const struct options *options, const struct experiment *experiment)
{
    char error[2048], path[PATH_MAX];
    struct database database;
    struct loaded loaded;
    int status = database_open(&database, options->database, false, error, sizeof error);
    if (status == 0) {
        status = loaded_open(&loaded, &database, experiment, error, sizeof error);
        if (status == 0) {
            snprintf(path, sizeof path, "%s.html", experiment->name);
            status = report_write(&loaded, &database, experiment,
                                  options->output != NULL ? options->output : path, error,
                                  sizeof error);
            loaded_close(&loaded);
        }
        database_close(&database);
    }
    if (status != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    printf("page: %s\n", options->output != NULL ? options->output : path);
    return VERDICT_PASS;
}

int cmd_report(int argc, char **argv)
{
    struct options options = {.database = STANDARD_DATABASE};
    const struct argp argp = {option_table,
                              parse,
                              "NAME|FILE",
                              "Write an experiment's results as one page of HTML: what becomes of "
                              "the document's figures, plots, tables; a click on a bar shows the "
                              "point's statistics and the command that repeats it.  The page needs "
                              "no network; each plot can be saved as SVG.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct experiment *experiment = experiment_named(options.name);
    if (experiment == NULL) {
        return VERDICT_USAGE;
    }
    const int status = write_report(&options, experiment);
    experiment_free(experiment);
    return status;
}
