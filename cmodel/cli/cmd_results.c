/* cmd_results.c - `warplock results`: what a database holds, as a table, CSV, JSON, or by SQL. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/options.h"
#include "cli/sweep_session.h"

enum { OPTION_SQL = 1000, OPTION_CSV, OPTION_POINT };

struct options {
    const char *name, *database, *sql, *point;
    bool json, csv;
};

static const struct argp_option option_table[] = {
    {"database", 'd', "FILE", 0, "where results are (standard: " STANDARD_DATABASE ")", 0},
    {"json", 'j', NULL, 0, "print JSON: means, values, claims", 0},
    {"csv", OPTION_CSV, NULL, 0, "print CSV: a line for each point", 0},
    {"sql", OPTION_SQL, "QUERY", 0,
     "answer a query in SQL, as CSV (docs/experiments.md has the tables)", 0},
    {"point", OPTION_POINT, "KEY", 0, "print all statistics of a point; the key's first digits do",
     0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'd': options->database = arg; return 0;
    case 'j': options->json = true; return 0;
    case OPTION_CSV: options->csv = true; return 0;
    case OPTION_SQL: options->sql = arg; return 0;
    case OPTION_POINT: options->point = arg; return 0;
    case ARGP_KEY_ARG: return cli_experiment(&options->name, arg, state);
    case ARGP_KEY_END:
        if (!!options->name + !!options->sql + !!options->point != 1) {
            argp_error(state, "give an experiment, or --sql, or --point");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int complain(const char *error)
{
    fprintf(stderr, "warplock: %s\n", error);
    return VERDICT_USAGE;
}

static int print_point(struct database *database, const char *prefix)
{
    char error[512], key[65] = "";
    int n = 0;
    sqlite3_stmt *select = database_prepare(
        database, error, sizeof error,
        "SELECT key FROM statistics WHERE key >= %Q AND key < %Q || 'g' LIMIT 2", prefix, prefix);
    for (; select != NULL && sqlite3_step(select) == SQLITE_ROW; n++) {
        snprintf(key, sizeof key, "%s", (const char *)sqlite3_column_text(select, 0));
    }
    sqlite3_finalize(select);
    if (n != 1) {
        return complain(n == 0 ? "no point with statistics has that key"
                               : "several points' keys begin so; give more digits");
    }
    json_t *run = statistics_read(database, key);
    if (run == NULL) {
        return complain("the statistics of the point are damaged");
    }
    cli_print_json(run);
    return VERDICT_PASS;
}

static int print_query(struct database *database, const char *sql)
{
    char error[1024];
    sqlite3_stmt *select = database_prepare(database, error, sizeof error, "%s", sql);
    if (select == NULL) {
        return complain(error);
    }
    const int status = database_csv(database, select, stdout, error, sizeof error);
    return status == 0 ? VERDICT_PASS : complain(error);
}

static int print_experiment(const struct options *options)
{
    char error[1024];
    struct database database;
    struct experiment *experiment = experiment_named(options->name);
    int status = VERDICT_USAGE;
    if (experiment == NULL) {
        return VERDICT_USAGE;
    }
    if (!options->csv) {
        status = sweep_session_show(experiment, options->database, options->json);
    } else if (database_open(&database, options->database, false, error, sizeof error) != 0) {
        complain(error);
    } else {
        status = loaded_csv(&database, experiment, stdout, error, sizeof error) == 0
                     ? VERDICT_PASS
                     : complain(error);
        database_close(&database);
    }
    experiment_free(experiment);
    return status;
}

int cmd_results(int argc, char **argv)
{
    struct options options = {.database = STANDARD_DATABASE};
    const struct argp argp = {
        option_table,
        parse,
        "NAME|FILE",
        "Show what has been swept: the tables and claims of an experiment, a line of CSV for each "
        "of its points, the statistics of one point, or the answer to a query.\v"
        "Examples:\n  warplock results wang2015-fup\n  warplock results mine.json --csv >mine.csv\n"
        "  warplock results --sql 'select workload, avg(ipc) from \"results mine\" group by 1'\n"
        "Exit status: 0, 1 a point is missing or failed, 2 bad use.",
        NULL,
        NULL,
        NULL};
    char error[1024];
    struct database database;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (options.name != NULL) {
        return print_experiment(&options);
    }
    if (database_open(&database, options.database, false, error, sizeof error) != 0) {
        return complain(error);
    }
    const int status = options.sql != NULL ? print_query(&database, options.sql)
                                           : print_point(&database, options.point);
    database_close(&database);
    return status;
}
