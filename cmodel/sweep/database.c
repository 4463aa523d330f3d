/* database.c - the file, its tables, what an experiment's points are: see database.h. */
#include "sweep/database.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum { SCHEMA = 1, APPLICATION = 0x57504c4b /* "WPLK" */ };

static const char schema[] =
    "CREATE TABLE machine (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE point (key TEXT PRIMARY KEY, state TEXT NOT NULL, machine TEXT NOT NULL,"
    " machine_digest TEXT NOT NULL, workload TEXT NOT NULL, size TEXT NOT NULL,"
    " mechanisms TEXT NOT NULL, settings TEXT NOT NULL, seed INTEGER NOT NULL,"
    " command TEXT NOT NULL, program TEXT NOT NULL, host TEXT, ended TEXT, seconds REAL,"
    " peak_kb INTEGER, exit INTEGER, reason TEXT, tail TEXT) WITHOUT ROWID;"
    "CREATE TABLE statistics (key TEXT PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL);"
    "CREATE TABLE experiment (name TEXT PRIMARY KEY, title TEXT, digest TEXT, size TEXT,"
    " program TEXT, swept TEXT) WITHOUT ROWID;"
    "CREATE TABLE setting (experiment TEXT, setting INTEGER, parameters TEXT,"
    " PRIMARY KEY (experiment, setting)) WITHOUT ROWID;"
    "CREATE TABLE member (experiment TEXT, setting INTEGER, workload INTEGER, scheme INTEGER,"
    " seed INTEGER, workload_name TEXT, scheme_name TEXT, key TEXT NOT NULL,"
    " PRIMARY KEY (experiment, setting, workload, scheme, seed)) WITHOUT ROWID;"
    "CREATE INDEX member_key ON member (key);"
    "CREATE VIEW failed AS SELECT key, command, reason, exit, tail FROM point"
    " WHERE state <> 'done';"
    "CREATE VIEW progress AS SELECT m.experiment, count(DISTINCT m.key) AS points,"
    " count(DISTINCT CASE WHEN p.state = 'done' THEN m.key END) AS done,"
    " count(DISTINCT CASE WHEN p.state <> 'done' THEN m.key END) AS failed"
    " FROM member m LEFT JOIN point p USING (key) GROUP BY m.experiment;"
    "CREATE VIEW statistics_text AS SELECT key, sqlar_uncompress(data, size) AS text"
    " FROM statistics;";

int database_failed(const struct database *database, char *error, size_t n_error)
{
    snprintf(error, n_error, "%s: %s", database->path, sqlite3_errmsg(database->db));
    return -1;
}

int database_do(struct database *database, const char *sql, char *error, size_t n_error)
{
    return sqlite3_exec(database->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : database_failed(database, error, n_error);
}

sqlite3_stmt *database_prepare(struct database *database, char *error, size_t n_error,
                               const char *sql, ...)
{
    sqlite3_stmt *statement = NULL;
    va_list args;
    va_start(args, sql);
    char *text = sqlite3_vmprintf(sql, args);
    va_end(args);
    if (text == NULL || sqlite3_prepare_v2(database->db, text, -1, &statement, NULL) != SQLITE_OK) {
        database_failed(database, error, n_error);
    }
    sqlite3_free(text);
    return statement;
}

/* ---- compressed texts; the function has the name that the sqlite3 shell gives it ---- */

static void uncompress_value(sqlite3_context *context, int n, sqlite3_value **values)
{
    (void)n;
    uLongf size = (uLongf)sqlite3_value_int64(values[1]);
    Bytef *text = sqlite3_malloc64(size + 1);
    if (text == NULL || uncompress(text, &size, sqlite3_value_blob(values[0]),
                                   (uLong)sqlite3_value_bytes(values[0])) != Z_OK) {
        sqlite3_free(text);
        sqlite3_result_error(context, "the statistics of a point are damaged", -1);
        return;
    }
    sqlite3_result_text64(context, (char *)text, size, sqlite3_free, SQLITE_UTF8);
}

void *statistics_pack(const char *text, size_t n_text, size_t *n)
{
    uLongf size = compressBound((uLong)n_text);
    void *data = malloc(size);
    if (data != NULL && compress2(data, &size, (const Bytef *)text, (uLong)n_text, 6) != Z_OK) {
        free(data);
        return NULL;
    }
    *n = size;
    return data;
}

json_t *statistics_read(struct database *database, const char *key)
{
    char error[256];
    json_t *run = NULL;
    sqlite3_stmt *statement = database_prepare(
        database, error, sizeof error,
        "SELECT sqlar_uncompress(data, size) FROM statistics "
        "WHERE key = %Q",
        key);
    if (statement != NULL && sqlite3_step(statement) == SQLITE_ROW) {
        run = json_loads((const char *)sqlite3_column_text(statement, 0), 0, NULL);
    }
    sqlite3_finalize(statement);
    return run;
}

/* ---- opening ---- */

static int number_of(struct database *database, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int value = -1;
    if (sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        value = sqlite3_column_int(statement, 0);
    }
    sqlite3_finalize(statement);
    return value;
}

static int check_schema(struct database *database, bool write, char *error, size_t n_error)
{
    const int application = number_of(database, "PRAGMA application_id");
    const int version = number_of(database, "PRAGMA user_version");
    const int tables = number_of(database, "SELECT count(*) FROM sqlite_master");
    if (application == APPLICATION && version == SCHEMA) {
        return 0;
    }
    if (tables < 0) {
        return database_failed(database, error, n_error);
    }
    if (tables > 0 || !write) {
        snprintf(error, n_error, "%s: this is no database of sweeps%s; name another file",
                 database->path, application == APPLICATION ? " of this version" : "");
        return -1;
    }
    char sql[sizeof schema + 200];
    snprintf(sql, sizeof sql, "BEGIN; %s PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;",
             schema, APPLICATION, SCHEMA);
    return database_do(database, sql, error, n_error);
}

int database_open(struct database *database, const char *path, bool write, char *error,
                  size_t n_error)
{
    *database = (struct database){.path = path};
    if (sqlite3_open_v2(path, &database->db,
                        write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY,
                        NULL) != SQLITE_OK) {
        snprintf(error, n_error, "%s: %s; `warplock sweep` makes it, --database names another",
                 path, sqlite3_errmsg(database->db));
        database_close(database);
        return -1;
    }
    sqlite3_busy_timeout(database->db, 60000);
    sqlite3_create_function(database->db, "sqlar_uncompress", 2,
                            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                            uncompress_value, NULL, NULL);
    if (check_schema(database, write, error, n_error) != 0) {
        database_close(database);
        return -1;
    }
    return 0;
}

void database_close(struct database *database)
{
    sqlite3_close(database->db);
    database->db = NULL;
}

/* ---- what an experiment's points are ---- */

static int put_machines(struct database *database, const struct plan *plan, char *error,
                        size_t n_error)
{
    const char *last = "";
    sqlite3_stmt *insert = database_prepare(database, error, n_error,
                                            "INSERT OR IGNORE INTO machine VALUES (?, ?)");
    int status = insert != NULL ? 0 : -1;
    for (size_t r = 0; r < plan->n_runs && status == 0; r++) {
        const struct run *run = &plan->runs[r];
        struct plan_point point;
        if (strcmp(run->machine_digest, last) == 0 ||
            !plan_point(plan->experiment, &plan->cells[run->cell], plan->size, &point, error,
                        n_error)) {
            continue;
        }
        last = run->machine_digest;
        const char *text = plan->world->machine(plan->world->self, &point.point, error, n_error);
        sqlite3_bind_text(insert, 1, run->machine_digest, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 2, text, -1, SQLITE_STATIC);
        status = text == NULL                          ? -1
                 : sqlite3_step(insert) == SQLITE_DONE ? 0
                                                       : database_failed(database, error, n_error);
        sqlite3_reset(insert);
        plan_point_free(&point);
    }
    sqlite3_finalize(insert);
    return status;
}

static int put_settings(struct database *database, const struct experiment *e, char *error,
                        size_t n_error)
{
    sqlite3_stmt *insert = database_prepare(database, error, n_error,
                                            "INSERT INTO setting VALUES (%Q, ?, ?)", e->name);
    int status = insert != NULL ? 0 : -1;
    for (size_t s = 0; s < e->parameters.n_settings && status == 0; s++) {
        json_t *values = parameters_json(&e->parameters, s);
        char *text = json_dumps(values, JSON_COMPACT);
        sqlite3_bind_int64(insert, 1, (sqlite3_int64)s);
        sqlite3_bind_text(insert, 2, text, -1, SQLITE_STATIC);
        status = sqlite3_step(insert) == SQLITE_DONE ? 0
                                                     : database_failed(database, error, n_error);
        sqlite3_reset(insert);
        free(text);
        json_decref(values);
    }
    sqlite3_finalize(insert);
    return status;
}

static int put_members(struct database *database, const struct plan *plan, char *error,
                       size_t n_error)
{
    const struct experiment *e = plan->experiment;
    sqlite3_stmt *insert = database_prepare(
        database, error, n_error, "INSERT INTO member VALUES (%Q, ?, ?, ?, ?, ?, ?, ?)", e->name);
    int status = insert != NULL ? 0 : -1;
    char row[ROW_NAME];
    for (size_t c = 0; c < plan->n_cells && status == 0; c++) {
        const struct cell *cell = &plan->cells[c];
        /* Cells of a row stand together. */
        if (c == 0 || cell[-1].workload != cell->workload || cell[-1].setting != cell->setting) {
            experiment_row_name(e, cell->setting, cell->workload, row);
        }
        sqlite3_bind_int64(insert, 1, (sqlite3_int64)cell->setting);
        sqlite3_bind_int64(insert, 2, (sqlite3_int64)cell->workload);
        sqlite3_bind_int64(insert, 3, (sqlite3_int64)cell->scheme);
        sqlite3_bind_int64(insert, 4, (sqlite3_int64)cell->seed);
        sqlite3_bind_text(insert, 5, row, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 6, e->schemes[cell->scheme].name, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 7, plan->runs[cell->run].key, -1, SQLITE_STATIC);
        status = sqlite3_step(insert) == SQLITE_DONE ? 0
                                                     : database_failed(database, error, n_error);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return status;
}

/* The table is made again by the metric writer. */
static int drop_stale_metrics(struct database *database, const struct experiment *e, char *error,
                              size_t n_error)
{
    bool same = false;
    sqlite3_stmt *select = database_prepare(
        database, error, n_error, "SELECT digest FROM experiment WHERE name = %Q", e->name);
    if (select == NULL) {
        return -1;
    }
    if (sqlite3_step(select) == SQLITE_ROW) {
        same = strcmp((const char *)sqlite3_column_text(select, 0), e->digest) == 0;
    }
    sqlite3_finalize(select);
    if (same) {
        return 0;
    }
    char *sql = sqlite3_mprintf("DROP VIEW IF EXISTS \"results %w\"; "
                                "DROP TABLE IF EXISTS \"metrics %w\"",
                                e->name, e->name);
    const int status = database_do(database, sql, error, n_error);
    sqlite3_free(sql);
    return status;
}

int database_put_plan(struct database *database, const struct plan *plan, char *error,
                      size_t n_error)
{
    const struct experiment *e = plan->experiment;
    if (database_do(database, "BEGIN IMMEDIATE", error, n_error) != 0) {
        return -1;
    }
    int status = drop_stale_metrics(database, e, error, n_error);
    char *sql = sqlite3_mprintf(
        "DELETE FROM member WHERE experiment = %Q; DELETE FROM setting WHERE experiment = %Q;"
        "INSERT OR REPLACE INTO experiment VALUES (%Q, %Q, %Q, %Q, %Q, datetime('now'))",
        e->name, e->name, e->name, e->title, e->digest, plan->size, plan->world->code);
    if (status == 0 && (status = database_do(database, sql, error, n_error)) == 0 &&
        (status = put_settings(database, e, error, n_error)) == 0 &&
        (status = put_members(database, plan, error, n_error)) == 0) {
        status = put_machines(database, plan, error, n_error);
    }
    sqlite3_free(sql);
    char ignored[64];
    if (status != 0) {
        database_do(database, "ROLLBACK", ignored, sizeof ignored);
        return -1;
    }
    return database_do(database, "COMMIT", error, n_error);
}

int database_states(struct database *database, const char *const *keys, size_t n,
                    enum point_state *states, char *error, size_t n_error)
{
    sqlite3_stmt *select = database_prepare(database, error, n_error,
                                            "SELECT state FROM point WHERE key = ?");
    for (size_t r = 0; select != NULL && r < n; r++) {
        sqlite3_bind_text(select, 1, keys[r], -1, SQLITE_STATIC);
        states[r] = POINT_MISSING;
        if (sqlite3_step(select) == SQLITE_ROW) {
            const char *state = (const char *)sqlite3_column_text(select, 0);
            states[r] = strcmp(state, "done") == 0    ? POINT_DONE
                        : strcmp(state, "wrong") == 0 ? POINT_WRONG
                                                      : POINT_FAILED;
        }
        sqlite3_reset(select);
    }
    sqlite3_finalize(select);
    return select != NULL ? 0 : -1;
}
