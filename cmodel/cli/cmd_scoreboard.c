/* cmd_scoreboard.c - `warplock scoreboard`: all that documents say of results, beside what the runs in
 * a database gave. */
#include <argp.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/options.h"
#include "experiments/scoreboard.h"
#include "sweep/loaded.h"

struct options {
    const char *database;
    char **names; /* none: all experiments of the tree */
    int n_names;
    bool json;
};

static const struct argp_option option_table[] = {
    {"database", 'd', "FILE", 0, "where results are (standard: " STANDARD_DATABASE ")", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'd': options->database = arg; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->n_names = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool was_swept(struct database *database, const char *name)
{
    char error[256];
    sqlite3_stmt *select = database_prepare(database, error, sizeof error,
                                            "SELECT 1 FROM experiment WHERE name = %Q", name);
    const bool found = select != NULL && sqlite3_step(select) == SQLITE_ROW;
    sqlite3_finalize(select);
    return found;
}

/* Another file than was swept has results of another question: its claims are open, and a line says
 * so. */
static void take(struct scoreboard *board, struct database *database,
                 const struct experiment *experiment)
{
    char error[2048];
    struct loaded loaded;
    if (!was_swept(database, experiment->name)) {
        scoreboard_add(board, experiment, NULL, 0);
    } else if (loaded_open(&loaded, database, experiment, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        scoreboard_add(board, experiment, NULL, 0);
    } else {
        scoreboard_add(board, experiment, loaded.at, loaded.n_settings);
        loaded_close(&loaded);
    }
}

static int take_all(struct scoreboard *board, struct database *database)
{
    char root[PATH_MAX], pattern[PATH_MAX + 64], error[1024];
    glob_t found = {0};
    int status = VERDICT_PASS;
    tree_root(root, sizeof root);
    snprintf(pattern, sizeof pattern, "%s/experiments/*/*.json", root);
    const size_t n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < n; i++) {
        if (strstr(found.gl_pathv[i], "/metrics/") != NULL) {
            continue;
        }
        struct experiment *one = experiment_read(found.gl_pathv[i], error, sizeof error);
        if (one == NULL) {
            fprintf(stderr, "warplock: %s\n", error);
            status = VERDICT_USAGE;
            continue;
        }
        take(board, database, one);
        experiment_free(one);
    }
    globfree(&found);
    return status;
}

static int take_named(struct scoreboard *board, struct database *database,
                      const struct options *options)
{
    int status = VERDICT_PASS;
    for (int i = 0; i < options->n_names; i++) {
        struct experiment *one = experiment_named(options->names[i]);
        if (one == NULL) {
            status = VERDICT_USAGE;
            continue;
        }
        take(board, database, one);
        experiment_free(one);
    }
    return status;
}

int cmd_scoreboard(int argc, char **argv)
{
    struct options options = {.database = STANDARD_DATABASE};
    const struct argp argp = {
        option_table,
        parse,
        "[NAME|FILE...]",
        "Print, as Markdown, every result that a document gives, ours beside it, and what became of "
        "it; from the runs in a database.  Without names: all experiments of the documents.\v"
        "A claim whose runs are not there, or whose experiment's file has changed since they ran, "
        "is listed as not run.\n"
        "Example: warplock scoreboard -d overnight.db >reproduction.md\n"
        "Exit status: 0, 2 bad use.",
        NULL,
        NULL,
        NULL};
    char error[1024];
    struct database database;
    struct scoreboard board;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (database_open(&database, options.database, false, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    if (!scoreboard_begin(&board)) {
        database_close(&database);
        return VERDICT_USAGE;
    }
    const int status = options.n_names > 0 ? take_named(&board, &database, &options)
                                           : take_all(&board, &database);
    if (options.json) {
        cli_print_json(scoreboard_json(&board));
    } else {
        scoreboard_print(&board, stdout);
    }
    scoreboard_end(&board);
    database_close(&database);
    return status;
}
