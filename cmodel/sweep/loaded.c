/* loaded.c - see loaded.h. */
#include "sweep/loaded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the experiment as it was swept ---- */

static int check_swept(struct loaded *loaded, struct database *database, const struct experiment *e,
                       char *error, size_t n_error)
{
    int status = -1;
    sqlite3_stmt *select = database_prepare(
        database, error, n_error, "SELECT digest, size FROM experiment WHERE name = %Q", e->name);
    if (select == NULL) {
        return -1;
    }
    if (sqlite3_step(select) != SQLITE_ROW) {
        snprintf(error, n_error, "%s: '%s' has not been swept into it; `warplock sweep` does",
                 database->path, e->name);
    } else if (strcmp((const char *)sqlite3_column_text(select, 0), e->digest) != 0) {
        snprintf(
            error, n_error,
            "%s: the file of '%s' has changed since its sweep; `warplock sweep` again: it runs "
            "only what is not there",
            database->path, e->name);
    } else {
        const unsigned char *size = sqlite3_column_text(select, 1);
        snprintf(loaded->size, sizeof loaded->size, "%s", size != NULL ? (const char *)size : "");
        status = 0;
    }
    sqlite3_finalize(select);
    return status;
}

/* ---- cells ---- */

static sqlite3_stmt *select_cells(struct database *database, const struct experiment *e,
                                  char *error, size_t n_error)
{
    sqlite3_str *sql = sqlite3_str_new(database->db);
    sqlite3_str_appendall(sql, "SELECT m.setting, m.workload, m.scheme, m.key, p.state");
    for (size_t m = 0; m < e->n_metrics; m++) {
        sqlite3_str_appendf(sql, ", t.\"%w\", t.\"%w weight\"", e->metrics[m].name,
                            e->metrics[m].name);
    }
    sqlite3_str_appendf(sql,
                        " FROM member m LEFT JOIN point p ON p.key = m.key LEFT JOIN \"metrics "
                        "%w\" t ON t.key = m.key WHERE m.experiment = %Q ORDER BY m.setting, "
                        "m.workload, m.scheme, m.seed",
                        e->name, e->name);
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *select = text != NULL ? database_prepare(database, error, n_error, "%s", text)
                                        : NULL;
    sqlite3_free(text);
    return select;
}

static double number_at(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

/* A point is good when it is done; one without coherence may compute wrong values, where the file
 * says so. */
static bool is_good(struct loaded *loaded, const struct scheme *scheme, sqlite3_stmt *row)
{
    const char *state = (const char *)sqlite3_column_text(row, 4);
    if (state == NULL) {
        loaded->n_missing++;
        return false;
    }
    if (strcmp(state, "done") == 0 || (strcmp(state, "wrong") == 0 && scheme->wrong_values)) {
        return true;
    }
    if (loaded->n_failed++ == 0) {
        snprintf(loaded->failed, sizeof loaded->failed, "%s",
                 (const char *)sqlite3_column_text(row, 3));
    }
    return false;
}

static void add_row(struct loaded *loaded, const struct experiment *e, sqlite3_stmt *row)
{
    const size_t setting = (size_t)sqlite3_column_int64(row, 0);
    const size_t workload = (size_t)sqlite3_column_int64(row, 1);
    const size_t scheme = (size_t)sqlite3_column_int64(row, 2);
    if (setting >= loaded->n_settings || workload >= e->n_workloads || scheme >= e->n_schemes) {
        return; /* the digest says that it cannot be */
    }
    loaded->n_points++;
    if (!is_good(loaded, &e->schemes[scheme], row)) {
        results_miss(&loaded->at[setting], workload, scheme);
        return;
    }
    for (size_t m = 0; m < e->n_metrics; m++) {
        struct measured measured = {.value = number_at(row, (int)(5 + 2 * m)), .weight = 1};
        if (e->metrics[m].n_launches > 0) {
            const unsigned char *text = sqlite3_column_text(row, (int)(6 + 2 * m));
            by_launch_read(&measured.launches, (const char *)text);
        } else {
            measured.weight = number_at(row, (int)(6 + 2 * m));
        }
        results_put(&loaded->at[setting], m, workload, scheme, &measured);
    }
}

int loaded_open(struct loaded *loaded, struct database *database, const struct experiment *e,
                char *error, size_t n_error)
{
    *loaded = (struct loaded){.n_settings = e->parameters.n_settings};
    if (check_swept(loaded, database, e, error, n_error) != 0) {
        return -1;
    }
    loaded->at = calloc(loaded->n_settings, sizeof *loaded->at);
    bool good = loaded->at != NULL;
    for (size_t s = 0; s < loaded->n_settings && good; s++) {
        good = results_new(&loaded->at[s], e);
        loaded->at[s].setting = s;
        loaded->at[s].size = *loaded->size != '\0' ? loaded->size : NULL;
    }
    sqlite3_stmt *select = good ? select_cells(database, e, error, n_error) : NULL;
    if (!good) {
        snprintf(error, n_error, "out of memory");
    }
    int status = SQLITE_DONE;
    while (select != NULL && (status = sqlite3_step(select)) == SQLITE_ROW) {
        add_row(loaded, e, select);
    }
    if (select == NULL || status != SQLITE_DONE) {
        if (select != NULL) {
            database_failed(database, error, n_error);
        }
        sqlite3_finalize(select);
        loaded_close(loaded);
        return -1;
    }
    sqlite3_finalize(select);
    for (size_t s = 0; s < loaded->n_settings; s++) {
        results_average(&loaded->at[s]);
        results_take_columns(&loaded->at[s]);
    }
    return 0;
}

size_t loaded_complete(struct loaded *loaded, struct loaded *other)
{
    size_t n = 0;
    for (size_t s = 0; s < loaded->n_settings && strcmp(loaded->size, other->size) == 0; s++) {
        struct results *ours = &loaded->at[s], *theirs = &other->at[s], kept = *ours;
        if (results_missing(theirs) < results_missing(ours)) {
            *ours = *theirs;
            *theirs = kept;
            ours->size = kept.size;
            n++;
        }
    }
    return n;
}

void loaded_close(struct loaded *loaded)
{
    for (size_t s = 0; loaded->at != NULL && s < loaded->n_settings; s++) {
        results_free(&loaded->at[s]);
    }
    free(loaded->at);
    loaded->at = NULL;
}

/* ---- for people and programs ---- */

void loaded_print(const struct loaded *loaded, FILE *out)
{
    results_print_head(&loaded->at[0], out);
    for (size_t s = 0; s < loaded->n_settings; s++) {
        results_print_tables(&loaded->at[s], out);
    }
    results_print_claims(loaded->at, loaded->n_settings, out);
    results_print_joint(loaded->at, loaded->n_settings, out);
    results_print_foot(loaded->at, loaded->n_settings, out);
}

json_t *loaded_json(const struct loaded *loaded)
{
    if (loaded->n_settings == 1) {
        return results_json(&loaded->at[0]);
    }
    json_t *settings = json_array();
    for (size_t s = 0; s < loaded->n_settings; s++) {
        json_t *one = results_json(&loaded->at[s]);
        json_object_set_new(one, "parameters",
                            parameters_json(&loaded->at[s].experiment->parameters, s));
        json_array_append_new(settings, one);
    }
    return json_pack("{s:s, s:o}", "experiment", loaded->at[0].experiment->name, "settings",
                     settings);
}

static sqlite3_stmt *select_csv(struct database *database, const struct experiment *e, char *error,
                                size_t n_error)
{
    sqlite3_str *sql = sqlite3_str_new(database->db);
    sqlite3_str_appendall(sql, "SELECT m.key AS key");
    for (size_t p = 0; p < e->parameters.n; p++) {
        sqlite3_str_appendf(sql, ", json_extract(s.parameters, '$.%q') AS \"%w\"",
                            e->parameters.at[p].name, e->parameters.at[p].name);
    }
    sqlite3_str_appendall(sql, ", m.workload_name AS workload, p.size AS size, m.scheme_name AS "
                               "scheme, p.seed AS seed, p.state AS state, p.seconds AS seconds, "
                               "p.peak_kb AS peak_kb");
    for (size_t m = 0; m < e->n_metrics; m++) {
        sqlite3_str_appendf(sql, ", t.\"%w\"", e->metrics[m].name);
    }
    sqlite3_str_appendf(sql,
                        " FROM member m JOIN setting s ON s.experiment = m.experiment AND "
                        "s.setting = m.setting LEFT JOIN point p ON p.key = m.key LEFT JOIN "
                        "\"metrics %w\" t ON t.key = m.key WHERE m.experiment = %Q ORDER BY "
                        "m.setting, m.workload, m.scheme, m.seed",
                        e->name, e->name);
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *select = text != NULL ? database_prepare(database, error, n_error, "%s", text)
                                        : NULL;
    sqlite3_free(text);
    return select;
}

int loaded_csv(struct database *database, const struct experiment *e, FILE *out, char *error,
               size_t n_error)
{
    struct loaded loaded;
    if (check_swept(&loaded, database, e, error, n_error) != 0) {
        return -1;
    }
    sqlite3_stmt *select = select_csv(database, e, error, n_error);
    return select != NULL ? database_csv(database, select, out, error, n_error) : -1;
}
