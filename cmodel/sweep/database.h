/* database.h - all that was run, in one SQLite file (docs/experiments.md, "The database").
 *
 * Points are stored by key, once, whatever experiments they belong to.  It knows no processes; what
 * comes from workers is collect.h's. */
#ifndef WARPLOCK_SWEEP_DATABASE_H
#define WARPLOCK_SWEEP_DATABASE_H

#include <sqlite3.h>
#include <stdio.h>

#include "sweep/plan.h"

struct database {
    sqlite3 *db;
    const char *path; /* the caller's */
};

/* What became of a point. */
enum point_state { POINT_MISSING, POINT_DONE, POINT_WRONG, POINT_FAILED };

/* Made where it is not there and `write` is set.  0, or -1 with one line in `error`. */
int database_open(struct database *database, const char *path, bool write, char *error,
                  size_t n_error);
void database_close(struct database *database);

/* One statement, or several, without an answer.  0, or -1 with one line in `error`. */
int database_do(struct database *database, const char *sql, char *error, size_t n_error);
/* NULL with one line in `error`; `sql` may hold %w, %q as sqlite3_mprintf has them. */
sqlite3_stmt *database_prepare(struct database *database, char *error, size_t n_error,
                               const char *sql, ...);
/* The line for the last thing that went wrong; -1. */
int database_failed(const struct database *database, char *error, size_t n_error);

/* The whole answer as CSV, its columns' names first; finalizes `select`. */
int database_csv(struct database *database, sqlite3_stmt *select, FILE *out, char *error,
                 size_t n_error);

/* Which points an experiment has now, and the texts of their machines.  Its metrics are dropped
 * where the file has changed since. */
int database_put_plan(struct database *database, const struct plan *plan, char *error,
                      size_t n_error);
/* Of the point of each key: [n] both. */
int database_states(struct database *database, const char *const *keys, size_t n,
                    enum point_state *states, char *error, size_t n_error);

/* ---- metrics ---- */

struct metric_writer {
    struct database *database;
    const struct experiment *experiment;
    sqlite3_stmt *insert;
};
int metric_writer_open(struct metric_writer *writer, struct database *database,
                       const struct experiment *experiment, char *error, size_t n_error);
void metric_writer_close(struct metric_writer *writer);
/* The metrics of one run, as `warplock run --json` writes it. */
int metric_writer_put(struct metric_writer *writer, const char *key, const json_t *run, char *error,
                      size_t n_error);
/* Those of all points of the experiment that have none yet. */
int metric_writer_put_missing(struct metric_writer *writer, char *error, size_t n_error);

/* ---- statistics, whole ---- */

/* Compressed with zlib; `*n` bytes; the caller frees. */
void *statistics_pack(const char *text, size_t n_text, size_t *n);
/* Of a point; a new reference, NULL where it has none. */
json_t *statistics_read(struct database *database, const char *key);

#endif
