/* database_metrics.c - an experiment's metrics of each of its points, one column each: see
 * database.h.
 *
 * Beside them two breakdowns as JSON: issue slots by class, loads by what the L1D did. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/results.h"
#include "sweep/database.h"

/* ---- the table ---- */

static int make_table(struct database *database, const struct experiment *e, char *error,
                      size_t n_error)
{
    sqlite3_str *sql = sqlite3_str_new(database->db);
    sqlite3_str_appendf(sql,
                        "CREATE TABLE IF NOT EXISTS \"metrics %w\" (key TEXT PRIMARY KEY, slots "
                        "TEXT, loads TEXT",
                        e->name);
    for (size_t m = 0; m < e->n_metrics; m++) {
        sqlite3_str_appendf(sql, ", \"%w\" REAL, \"%w weight\" REAL", e->metrics[m].name,
                            e->metrics[m].name);
    }
    sqlite3_str_appendf(sql,
                        ") WITHOUT ROWID; CREATE VIEW IF NOT EXISTS \"results %w\" AS SELECT "
                        "s.parameters, m.workload_name AS workload, m.scheme_name AS scheme, "
                        "p.seed, p.state, p.seconds, t.* FROM member m JOIN setting s ON "
                        "s.experiment = m.experiment AND s.setting = m.setting LEFT JOIN point p "
                        "ON p.key = m.key LEFT JOIN \"metrics %w\" t ON t.key = m.key WHERE "
                        "m.experiment = %Q",
                        e->name, e->name, e->name);
    char *text = sqlite3_str_finish(sql);
    const int status = text != NULL ? database_do(database, text, error, n_error) : -1;
    sqlite3_free(text);
    return status;
}

int metric_writer_open(struct metric_writer *writer, struct database *database,
                       const struct experiment *e, char *error, size_t n_error)
{
    *writer = (struct metric_writer){.database = database, .experiment = e};
    if (make_table(database, e, error, n_error) != 0) {
        return -1;
    }
    sqlite3_str *sql = sqlite3_str_new(database->db);
    sqlite3_str_appendf(sql, "INSERT OR REPLACE INTO \"metrics %w\" VALUES (?, ?, ?", e->name);
    for (size_t m = 0; m < e->n_metrics; m++) {
        sqlite3_str_appendall(sql, ", ?, ?");
    }
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    writer->insert = text != NULL ? database_prepare(database, error, n_error, "%s", text) : NULL;
    sqlite3_free(text);
    return writer->insert != NULL ? 0 : -1;
}

void metric_writer_close(struct metric_writer *writer)
{
    sqlite3_finalize(writer->insert);
    writer->insert = NULL;
}

/* ---- the breakdowns ---- */

static json_t *member_of(const json_t *run, const char *a, const char *b)
{
    return json_object_get(json_object_get(run, a), b);
}

/* Over all schedulers. */
static char *slots_text(const json_t *run)
{
    json_t *sums = json_object(), *one, *value;
    const char *class;
    size_t i;
    json_array_foreach(member_of(run, "statistics", "issue_slots"), i, one)
    {
        json_object_foreach(one, class, value)
        {
            const json_int_t sum = json_integer_value(json_object_get(sums, class));
            json_object_set_new(sums, class, json_integer(sum + json_integer_value(value)));
        }
    }
    char *text = json_dumps(sums, JSON_COMPACT);
    json_decref(sums);
    return text;
}

static char *loads_text(const json_t *run)
{
    static const char *const outcomes[] = {"hits", "merges", "misses", "bypasses"};
    static const char *const kinds[] = {"coherent", "divergent"};
    const json_t *total = member_of(run, "statistics", "sm_total");
    json_t *loads = json_object();
    for (size_t k = 0; k < 2; k++) {
        for (size_t o = 0; o < 4; o++) {
            char counter[64], name[64];
            snprintf(counter, sizeof counter, "load_%s_%s", outcomes[o], kinds[k]);
            snprintf(name, sizeof name, "%s %s", kinds[k], outcomes[o]);
            json_object_set_new(loads, name,
                                json_integer(json_integer_value(json_object_get(total, counter))));
        }
    }
    char *text = json_dumps(loads, JSON_COMPACT);
    json_decref(loads);
    return text;
}

/* ---- values ---- */

static void bind_number(sqlite3_stmt *statement, int at, double value)
{
    if (isfinite(value)) {
        sqlite3_bind_double(statement, at, value);
    } else {
        sqlite3_bind_null(statement, at);
    }
}

int metric_writer_put(struct metric_writer *writer, const char *key, const json_t *run, char *error,
                      size_t n_error)
{
    const struct experiment *e = writer->experiment;
    sqlite3_stmt *insert = writer->insert;
    for (size_t m = 0; m < e->n_metrics; m++) {
        struct measured measured;
        char why[400];
        if (!metric_measure(&e->metrics[m], run, &measured, why, sizeof why)) {
            snprintf(error, n_error, "%s: the metric '%s': %s", e->metrics[m].place,
                     e->metrics[m].name, why);
            return -1;
        }
        bind_number(insert, (int)(4 + 2 * m), measured.value);
        if (e->metrics[m].n_launches > 0) {
            sqlite3_bind_text(insert, (int)(5 + 2 * m), by_launch_text(&measured.launches), -1,
                              free);
        } else {
            bind_number(insert, (int)(5 + 2 * m), measured.weight);
        }
        by_launch_free(&measured.launches);
    }
    sqlite3_bind_text(insert, 1, key, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 2, slots_text(run), -1, free);
    sqlite3_bind_text(insert, 3, loads_text(run), -1, free);
    const int status = sqlite3_step(insert) == SQLITE_DONE
                           ? 0
                           : database_failed(writer->database, error, n_error);
    sqlite3_reset(insert);
    return status;
}

int metric_writer_put_missing(struct metric_writer *writer, char *error, size_t n_error)
{
    struct database *database = writer->database;
    const char *name = writer->experiment->name;
    sqlite3_stmt *select = database_prepare(
        database, error, n_error,
        "SELECT s.key, sqlar_uncompress(s.data, s.size) FROM statistics s WHERE s.key IN (SELECT "
        "key FROM member WHERE experiment = %Q EXCEPT SELECT key FROM \"metrics %w\")",
        name, name);
    int status = select != NULL ? database_do(database, "BEGIN IMMEDIATE", error, n_error) : -1;
    int row = SQLITE_DONE;
    while (status == 0 && (row = sqlite3_step(select)) == SQLITE_ROW) {
        json_t *run = json_loads((const char *)sqlite3_column_text(select, 1), 0, NULL);
        status = metric_writer_put(writer, (const char *)sqlite3_column_text(select, 0), run, error,
                                   n_error);
        json_decref(run);
    }
    if (status == 0 && row != SQLITE_DONE) {
        status = database_failed(database, error, n_error);
    }
    sqlite3_finalize(select);
    char ignored[64];
    if (status != 0) {
        database_do(database, "ROLLBACK", ignored, sizeof ignored);
        return -1;
    }
    return database_do(database, "COMMIT", error, n_error);
}
