/* sweep_session.c - see sweep_session.h. */
#include "cli/sweep_session.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/verdict.h"
#include "cli/options.h"
#include "cli/sweep_world.h"

static int complain(const char *error)
{
    fprintf(stderr, "warplock: %s\n", error);
    return VERDICT_USAGE;
}

/* Whatever an engine says: what is not in the database has not run. */
static int check_whole(struct sweep *sweep)
{
    char error[1024];
    size_t missing = 0;
    if (sweep_refresh(sweep, error, sizeof error) != 0) {
        return complain(error);
    }
    for (size_t r = 0; r < sweep->n_runs; r++) {
        missing += sweep->states[r] == POINT_MISSING;
    }
    if (missing == 0) {
        return VERDICT_PASS;
    }
    fprintf(stderr, "warplock: %zu points gave no result; the same command tries them again\n",
            missing);
    return VERDICT_LIMIT;
}

static int run_on(struct sweep *sweep, enum sweep_engine engine)
{
    char error[2048];
    const int status = engine == ENGINE_LOCAL   ? sweep_local(sweep, error, sizeof error)
                       : engine == ENGINE_SLURM ? sweep_slurm(sweep, error, sizeof error)
                                                : sweep_list(sweep, stdout, error, sizeof error);
    if (status != 0) {
        return complain(error);
    }
    if (sweep_interrupted()) {
        fprintf(stderr, "warplock: interrupted; what has run is in %s, the same command goes on\n",
                sweep->options->database);
        return VERDICT_LIMIT;
    }
    return engine == ENGINE_LIST || sweep->options->no_wait ? VERDICT_PASS : check_whole(sweep);
}

int sweep_session_run(struct experiment *const *experiments, size_t n_experiments,
                      const struct sweep_options *options, enum sweep_engine engine)
{
    char error[2048];
    struct sweep sweep;
    struct world *world = sweep_world_new();
    int status = VERDICT_USAGE;
    if (world == NULL) {
        return complain(
            "the program, its kernels or its units cannot be read; run it where it was built");
    }
    if (sweep_open(&sweep, experiments, n_experiments, world, options, error, sizeof error) != 0) {
        complain(error);
    } else {
        status = run_on(&sweep, engine);
        sweep_close(&sweep);
    }
    sweep_world_free(world);
    return status;
}

/* What failed first, and how to see why. */
static void say_failed(struct database *database, const struct loaded *loaded)
{
    char error[256];
    if (loaded->n_failed == 0) {
        fprintf(stderr, "warplock: %zu of %zu points have not been run\n", loaded->n_missing,
                loaded->n_points);
        return;
    }
    sqlite3_stmt *select = database_prepare(
        database, error, sizeof error, "SELECT command FROM point WHERE key = %Q", loaded->failed);
    if (select != NULL && sqlite3_step(select) == SQLITE_ROW) {
        fprintf(stderr, "warplock: %zu of %zu runs failed; run one alone to see why: %s\n",
                loaded->n_failed, loaded->n_points, (const char *)sqlite3_column_text(select, 0));
    }
    sqlite3_finalize(select);
}

int sweep_session_show(const struct experiment *experiment, const char *path, bool json)
{
    char error[2048];
    struct database database;
    struct loaded loaded;
    if (database_open(&database, path, false, error, sizeof error) != 0) {
        return complain(error);
    }
    if (loaded_open(&loaded, &database, experiment, error, sizeof error) != 0) {
        database_close(&database);
        return complain(error);
    }
    if (json) {
        cli_print_json(loaded_json(&loaded));
    } else {
        loaded_print(&loaded, stdout);
    }
    const bool whole = loaded.n_failed + loaded.n_missing == 0;
    if (!whole) {
        say_failed(&database, &loaded);
    }
    loaded_close(&loaded);
    database_close(&database);
    return whole ? VERDICT_PASS : VERDICT_MISMATCH;
}
