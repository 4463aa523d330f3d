/* cmd_scoreboard.c - `warplock scoreboard`: all that documents say of results, beside what the runs in
 * databases gave, or gave earlier. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/options.h"
#include "experiments/scoreboard.h"
#include "sweep/loaded.h"

enum { MOST_DATABASES = 64 };

struct options {
    const char *path[MOST_DATABASES];
    size_t n_paths;
    const char *earlier; /* NULL: nothing is kept */
    char **names;        /* none: all experiments of the tree */
    int n_names;
    bool json;
};

static const struct argp_option option_table[] = {
    {"database", 'd', "FILE", 0,
     "where results are (standard: " STANDARD_DATABASE "); of several, the first that has an "
     "experiment as its file stands, and each setting of "
     "it from a later one that has more of its runs",
     0},
    {"earlier", 'e', "FILE", 0,
     "what --json printed before: a claim without runs has the figure that it had there, if its "
     "experiment asks for the same runs; without --database that alone is shown",
     0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'd':
        if (options->n_paths == MOST_DATABASES) {
            argp_error(state, "at most %d databases", MOST_DATABASES);
        }
        options->path[options->n_paths++] = arg;
        return 0;
    case 'e': options->earlier = arg; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->n_names = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* False where the database has no such experiment.  A point that one before it has counts there. */
static bool was_swept(struct database *database, const char *name, struct swept *swept)
{
    char error[256];
    sqlite3_stmt *select = database_prepare(
        database, error, sizeof error,
        "SELECT date(e.swept), substr(e.program, 1, 8), count(p.key), total(p.seconds) "
        "FROM experiment e LEFT JOIN point p ON p.key IN (SELECT key FROM member WHERE experiment "
        "= %Q EXCEPT SELECT key FROM temp.counted) WHERE e.name = %Q GROUP BY e.name",
        name, name);
    const bool found = select != NULL && sqlite3_step(select) == SQLITE_ROW;
    if (found) {
        snprintf(swept->when, sizeof swept->when, "%s by program %s",
                 (const char *)sqlite3_column_text(select, 0),
                 (const char *)sqlite3_column_text(select, 1));
        swept->points = sqlite3_column_double(select, 2);
        swept->seconds = sqlite3_column_double(select, 3);
    }
    sqlite3_finalize(select);
    return found;
}

/* The points of this experiment, for those that follow. */
static void count_points(struct database *database, const char *name)
{
    char error[256];
    sqlite3_stmt *insert = database_prepare(
        database, error, sizeof error,
        "INSERT OR IGNORE INTO temp.counted SELECT key FROM member WHERE experiment = %Q", name);
    if (insert != NULL) {
        sqlite3_step(insert);
    }
    sqlite3_finalize(insert);
}

struct databases {
    struct database at[MOST_DATABASES];
    size_t n;
};

static bool open_all(struct databases *databases, const struct options *options)
{
    char error[1024];
    for (size_t i = 0; i < options->n_paths; i++) {
        struct database *database = &databases->at[i];
        const int opened = database_open(database, options->path[i], false, error, sizeof error);
        databases->n += opened == 0;
        if (opened != 0 || database_do(database, "CREATE TEMP TABLE counted (key TEXT PRIMARY KEY)",
                                       error, sizeof error) != 0) {
            fprintf(stderr, "warplock: %s\n", error);
            return false;
        }
    }
    return true;
}

static void close_all(struct databases *databases)
{
    while (databases->n > 0) {
        database_close(&databases->at[--databases->n]);
    }
}

static void add_swept(struct swept *swept, const struct swept *more, const char *words)
{
    const size_t used = strlen(swept->when);
    snprintf(swept->when + used, sizeof swept->when - used, "%s", words);
    swept->points += more->points;
    swept->seconds += more->seconds;
}

/* From the first database that has the experiment as its file stands, and settings of which runs are
 * missing there from later ones; a setting is of one database, so that no figure is of two programs.
 * Another file than was swept has results of another question: where there is nothing else its claims
 * are open, and a line says so. */
static void take(struct scoreboard *board, struct databases *databases,
                 const struct experiment *experiment)
{
    struct swept swept = {.points = 0}, when;
    char error[2048] = "", also[sizeof when.when + 20];
    struct loaded loaded = {.at = NULL}, other;
    for (size_t i = 0; i < databases->n && (loaded.at == NULL || loaded.n_missing > 0); i++) {
        struct database *database = &databases->at[i];
        struct loaded *read = loaded.at == NULL ? &loaded : &other;
        if (!was_swept(database, experiment->name, &when) ||
            loaded_open(read, database, experiment, error, sizeof error) != 0) {
            continue;
        }
        if (read == &loaded) {
            swept = when;
            count_points(database, experiment->name);
            continue;
        }
        snprintf(also, sizeof also, ", some settings %s", when.when);
        if (loaded_complete(&loaded, &other) > 0) {
            add_swept(&swept, &when, strstr(swept.when, also) == NULL ? also : "");
            count_points(database, experiment->name);
        }
        loaded_close(&other);
    }
    swept.all = loaded.at != NULL && loaded.n_missing == 0;
    if (loaded.at == NULL && *error != '\0') {
        fprintf(stderr, "warplock: %s\n", error);
    }
    scoreboard_add(board, experiment, loaded.at, loaded.at != NULL ? loaded.n_settings : 0, &swept);
    loaded_close(&loaded);
}

/* What is filled, from where, and how that went. */
struct taking {
    struct scoreboard *board;
    struct databases *databases;
    int status;
};

static void take_one(void *context, struct experiment *one, const char *path, const char *error)
{
    struct taking *taking = context;
    (void)path; /* the line names it */
    if (one == NULL) {
        fprintf(stderr, "warplock: %s\n", error);
        taking->status = VERDICT_USAGE;
    } else {
        take(taking->board, taking->databases, one);
    }
    experiment_free(one);
}

static int take_all(struct scoreboard *board, struct databases *databases)
{
    struct taking taking = {board, databases, VERDICT_PASS};
    experiment_each(take_one, &taking);
    return taking.status;
}

static int take_named(struct scoreboard *board, struct databases *databases,
                      const struct options *options)
{
    int status = VERDICT_PASS;
    for (int i = 0; i < options->n_names; i++) {
        struct experiment *one = experiment_named(options->names[i]);
        if (one == NULL) {
            status = VERDICT_USAGE;
            continue;
        }
        take(board, databases, one);
        experiment_free(one);
    }
    return status;
}

static bool open_earlier(struct earlier *earlier, const struct options *options)
{
    char error[1024];
    if (options->earlier != NULL &&
        earlier_open(earlier, options->earlier, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return false;
    }
    return true;
}

static int show(struct databases *databases, const struct earlier *earlier,
                const struct options *options)
{
    struct scoreboard board;
    if (!scoreboard_begin(&board, earlier)) {
        return VERDICT_USAGE;
    }
    const int status = options->n_names > 0 ? take_named(&board, databases, options)
                                            : take_all(&board, databases);
    if (options->json) {
        cli_print_json(scoreboard_json(&board));
    } else {
        scoreboard_print(&board, stdout);
    }
    scoreboard_end(&board);
    return status;
}

int cmd_scoreboard(int argc, char **argv)
{
    struct options options = {.n_paths = 0};
    const struct argp argp = {
        option_table,
        parse,
        "[NAME|FILE...]",
        "Print, as Markdown, every result that a document gives, ours beside it, and what became of "
        "it; from the runs in databases.  Without names: all experiments of the documents.\v"
        "A claim whose runs are not there, or whose experiment's file has changed since they ran, "
        "is listed as not run.\n"
        "Examples: warplock scoreboard -d overnight.db >reproduction.md\n"
        "  warplock scoreboard -e docs/reproduction.json -d mine.db caps\n"
        "Exit status: 0, 2 bad use.",
        NULL,
        NULL,
        NULL};
    struct databases databases = {.n = 0};
    struct earlier earlier = {.file = {.root = NULL}};
    int status = VERDICT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (options.n_paths == 0 && options.earlier == NULL) {
        options.path[options.n_paths++] = STANDARD_DATABASE;
    }
    if (open_earlier(&earlier, &options) && open_all(&databases, &options)) {
        status = show(&databases, options.earlier != NULL ? &earlier : NULL, &options);
    }
    close_all(&databases);
    earlier_close(&earlier);
    return status;
}
