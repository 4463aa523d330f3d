/* cmd_status.c - `warplock status`: what of each experiment has run, what failed and why, what runs. */
#include <argp.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/options.h"
#include "sweep/database.h"

enum { TAIL_LINES = 3, MOST_FAILED = 20 };

struct options {
    const char *name, *database;
    bool json;
};

static const struct argp_option option_table[] = {
    {"database", 'd', "FILE", 0, "where results are (standard: " STANDARD_DATABASE ")", 0},
    {"json", 'j', NULL, 0, "print JSON: all failed points, with their last lines", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'd': options->database = arg; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG: return cli_experiment(&options->name, arg, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* "folder/name.json" is swept under "name". */
static const char *name_of(const char *given, char *out, size_t n)
{
    const char *slash = strrchr(given, '/');
    snprintf(out, n, "%s", slash != NULL ? slash + 1 : given);
    out[strcspn(out, ".")] = '\0';
    return out;
}

static const char *text_at(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text != NULL ? text : "";
}

/* ---- what runs ---- */

static json_t *running_points(const char *database)
{
    char path[PATH_MAX], line[200];
    json_t *list = json_array();
    snprintf(path, sizeof path, "%s.work/running", database);
    DIR *all = opendir(path);
    for (struct dirent *one; all != NULL && (one = readdir(all)) != NULL;) {
        snprintf(path, sizeof path, "%s.work/running/%s", database, one->d_name);
        FILE *file = one->d_name[0] != '.' ? fopen(path, "r") : NULL;
        if (file != NULL && fgets(line, sizeof line, file) != NULL) {
            line[strcspn(line, ".\n")] = '\0';
            json_array_append_new(list, json_pack("{s:s, s:s}", "key", one->d_name, "on", line));
        }
        if (file != NULL) {
            fclose(file);
        }
    }
    if (all != NULL) {
        closedir(all);
    }
    return list;
}

/* ---- what failed ---- */

static json_t *failed_points(struct database *database, const char *name, char *error,
                             size_t n_error)
{
    json_t *list = json_array();
    sqlite3_stmt *select = database_prepare(
        database, error, n_error,
        "SELECT DISTINCT p.key, p.state, p.command, coalesce(p.reason, 'exit status ' || p.exit), "
        "p.tail FROM member m JOIN point p USING (key) WHERE p.state <> 'done' AND "
        "m.experiment GLOB %Q ORDER BY p.command",
        name);
    while (select != NULL && sqlite3_step(select) == SQLITE_ROW) {
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "key", text_at(select, 0),
                                        "state", text_at(select, 1), "command", text_at(select, 2),
                                        "reason", text_at(select, 3), "tail", text_at(select, 4)));
    }
    sqlite3_finalize(select);
    return list;
}

static const char *last_lines(const char *text)
{
    const char *at = text + strlen(text);
    int lines = 0;
    while (at > text) {
        lines += at[-1] == '\n' && at[0] != '\0';
        if (lines == TAIL_LINES) {
            break;
        }
        at--;
    }
    return at;
}

static void print_failed(const json_t *list)
{
    const json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (i == MOST_FAILED) {
            printf("... %zu more; --json shows all\n", json_array_size(list) - i);
            return;
        }
        printf("\n%s  %.12s  %s\n  %s\n", json_string_value(json_object_get(one, "state")),
               json_string_value(json_object_get(one, "key")),
               json_string_value(json_object_get(one, "reason")),
               json_string_value(json_object_get(one, "command")));
        const char *at = last_lines(json_string_value(json_object_get(one, "tail")));
        while (*at != '\0') {
            const size_t n = strcspn(at, "\n");
            printf("  | %.*s\n", (int)(n < 94 ? n : 94), at);
            at += n + (at[n] == '\n');
        }
    }
}

/* ---- all of it ---- */

/* Points, those done, those failed and seconds, from `column` on: of an experiment, or of all. */
static json_t *counts(sqlite3_stmt *row, int column)
{
    const json_int_t points = sqlite3_column_int64(row, column);
    const json_int_t done = sqlite3_column_int64(row, column + 1);
    const json_int_t failed = sqlite3_column_int64(row, column + 2);
    return json_pack("{s:I, s:I, s:I, s:I, s:f}", "points", points, "done", done, "failed", failed,
                     "missing", points - done - failed, "seconds",
                     sqlite3_column_double(row, column + 3));
}

static json_t *experiments(struct database *database, const char *name, char *error, size_t n_error)
{
    json_t *list = json_array();
    sqlite3_stmt *select = database_prepare(
        database, error, n_error,
        "SELECT e.name, e.title, e.swept, p.points, p.done, p.failed, (SELECT sum(seconds) FROM "
        "point WHERE key IN (SELECT key FROM member WHERE experiment = e.name)) FROM experiment e "
        "JOIN progress p ON p.experiment = e.name WHERE e.name GLOB %Q ORDER BY e.name",
        name);
    while (select != NULL && sqlite3_step(select) == SQLITE_ROW) {
        json_t *one = json_pack("{s:s, s:s, s:s}", "experiment", text_at(select, 0), "title",
                                text_at(select, 1), "swept", text_at(select, 2));
        json_object_update_new(one, counts(select, 3));
        json_array_append_new(list, one);
    }
    sqlite3_finalize(select);
    return list;
}

/* What the experiments take together: a point that several of them have counts once. */
static json_t *total(struct database *database, const char *name, char *error, size_t n_error)
{
    sqlite3_stmt *select = database_prepare(
        database, error, n_error,
        "SELECT count(*), coalesce(sum(p.state = 'done'), 0), coalesce(sum(p.state <> 'done'), 0), "
        "total(p.seconds) FROM (SELECT DISTINCT key FROM member WHERE experiment GLOB %Q) LEFT "
        "JOIN point p USING (key)",
        name);
    json_t *all = select != NULL && sqlite3_step(select) == SQLITE_ROW ? counts(select, 0) : NULL;
    sqlite3_finalize(select);
    return all;
}

/* Of an experiment, or of all: the columns after its name. */
static void print_counts(const json_t *one)
{
    static const char *const columns[] = {"points", "done", "failed", "missing"};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        printf(" %7lld", (long long)json_integer_value(json_object_get(one, columns[c])));
    }
    printf(" %9.1f", json_number_value(json_object_get(one, "seconds")));
}

static void print_experiments(const json_t *list, const json_t *all)
{
    const json_t *one;
    size_t i;
    int width = (int)strlen("experiment");
    json_array_foreach(list, i, one)
    {
        const int length = (int)json_string_length(json_object_get(one, "experiment"));
        width = length > width ? length : width;
    }
    printf("%-*s %7s %7s %7s %7s %9s  %s\n", width, "experiment", "points", "done", "failed",
           "missing", "seconds", "swept (UTC)");
    json_array_foreach(list, i, one)
    {
        printf("%-*s", width, json_string_value(json_object_get(one, "experiment")));
        print_counts(one);
        printf("  %s\n", json_string_value(json_object_get(one, "swept")));
    }
    if (json_array_size(list) > 1) {
        printf("%-*s", width, "all");
        print_counts(all);
        printf("  %.1f h, one point at a time\n",
               json_number_value(json_object_get(all, "seconds")) / 3600);
    }
}

static void print_status(const json_t *status)
{
    const json_t *one;
    size_t i;
    print_experiments(json_object_get(status, "experiments"), json_object_get(status, "all"));
    json_array_foreach(json_object_get(status, "running"), i, one)
    {
        printf("%srunning  %.12s on %s\n", i == 0 ? "\n" : "",
               json_string_value(json_object_get(one, "key")),
               json_string_value(json_object_get(one, "on")));
    }
    print_failed(json_object_get(status, "failed"));
}

int cmd_status(int argc, char **argv)
{
    struct options options = {.database = STANDARD_DATABASE};
    const struct argp argp = {
        option_table,
        parse,
        "[NAME|FILE]",
        "Show how far each experiment of a database is: points that have run, "
        "failed with their last lines, are missing or run now, and the time they took.\v"
        "Exit status: 0 nothing failed, 1 something did.",
        NULL,
        NULL,
        NULL};
    char error[1024] = "", name[256] = "*";
    struct database database;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (options.name != NULL) {
        name_of(options.name, name, sizeof name);
    }
    if (database_open(&database, options.database, false, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    json_t *status = json_object();
    json_object_set_new(status, "experiments", experiments(&database, name, error, sizeof error));
    json_object_set_new(status, "all", total(&database, name, error, sizeof error));
    json_object_set_new(status, "running", running_points(options.database));
    json_object_set_new(status, "failed", failed_points(&database, name, error, sizeof error));
    database_close(&database);
    const bool any = json_array_size(json_object_get(status, "failed")) > 0;
    const bool there = json_array_size(json_object_get(status, "experiments")) > 0;
    if (*error != '\0' || (options.name != NULL && !there)) {
        fprintf(stderr, "warplock: %s\n",
                *error != '\0' ? error
                               : "no such experiment has been swept into the database; "
                                 "`warplock status` shows all");
        json_decref(status);
        return VERDICT_USAGE;
    }
    if (options.json) {
        cli_print_json(status);
    } else {
        print_status(status);
        json_decref(status);
    }
    return any ? VERDICT_MISMATCH : VERDICT_PASS;
}
