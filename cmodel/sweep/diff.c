/* diff.c - see diff.h. */
#include "sweep/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 256 };

void diff_free(struct diff *diff)
{
    for (size_t i = 0; i < diff->n; i++) {
        free(diff->at[i].point);
        free(diff->at[i].counter);
    }
    free(diff->at);
    *diff = (struct diff){0};
}

/* ---- one pair of runs ---- */

static void add(struct diff *diff, const char *point, const char *counter, double a, double b)
{
    diff->compared++;
    if (a == b) {
        return;
    }
    if (diff->n == diff->cap) {
        diff->cap = 2 * diff->cap + 64;
        struct difference *more = realloc(diff->at, diff->cap * sizeof *more);
        if (more == NULL) {
            abort(); /* two runs' counters do not fit: nothing else would */
        }
        diff->at = more;
    }
    diff->at[diff->n++] = (struct difference){point != NULL ? strdup(point) : NULL, strdup(counter),
                                              a, b};
}

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void walk(struct diff *diff, const char *point, const char *path, const json_t *a,
                 const json_t *b)
{
    char below[MAX_PATH];
    const char *key;
    json_t *member;
    const json_t *shape = a != NULL ? a : b;
    if (json_is_object(shape)) {
        json_object_foreach((json_t *)shape, key, member)
        {
            if (*path == '\0' || diff->every || strcmp(key, "sms") != 0) {
                snprintf(below, sizeof below, "%s%s%s", path, *path != '\0' ? "." : "", key);
                walk(diff, point, below, json_object_get(a, key), json_object_get(b, key));
            }
        }
        json_object_foreach((json_t *)(a != NULL ? b : NULL), key, member)
        {
            if (json_object_get(a, key) == NULL) {
                snprintf(below, sizeof below, "%s%s%s", path, *path != '\0' ? "." : "", key);
                walk(diff, point, below, NULL, member);
            }
        }
    } else if (json_is_array(shape)) {
        const size_t n_a = json_array_size(a), n_b = json_array_size(b);
        for (size_t i = 0; i < n_a || i < n_b; i++) {
            snprintf(below, sizeof below, "%s.%zu", path, i);
            walk(diff, point, below, json_array_get(a, i), json_array_get(b, i));
        }
    } else if (json_is_number(shape)) {
        add(diff, point, path, number_of(a), number_of(b));
    }
}

void diff_runs(struct diff *diff, const char *point, const json_t *a, const json_t *b)
{
    diff->points++;
    walk(diff, point, "", a, b);
}

/* ---- two databases ---- */

static const char *text_at(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

#define SAME_RUN \
    "workload = ?1 AND size = ?2 AND machine = ?3 AND mechanisms = ?4 AND settings = ?5 AND " \
    "seed = ?6"

/* The key in `other` of the run in `row`; false when it has none. */
static bool find_same(sqlite3_stmt *find, sqlite3_stmt *row, char key[65])
{
    for (int c = 1; c <= 6; c++) {
        sqlite3_bind_value(find, c, sqlite3_column_value(row, c));
    }
    const bool there = sqlite3_step(find) == SQLITE_ROW;
    if (there) {
        snprintf(key, 65, "%s", text_at(find, 0));
    }
    sqlite3_reset(find);
    return there;
}

static void compare_row(struct diff *diff, struct database *a, struct database *b,
                        sqlite3_stmt *row, const char *key_b)
{
    char point[1024];
    json_t *run_a = statistics_read(a, text_at(row, 0)), *run_b = statistics_read(b, key_b);
    snprintf(point, sizeof point, "%s %s %s %s%s%s seed %s", text_at(row, 1), text_at(row, 2),
             text_at(row, 3), text_at(row, 4), *text_at(row, 4) != '\0' ? " " : "",
             strcmp(text_at(row, 5), "[]") != 0 ? text_at(row, 5) : "", text_at(row, 6));
    diff_runs(diff, point, run_a, run_b);
    json_decref(run_a);
    json_decref(run_b);
}

static size_t count_of(struct database *database)
{
    char error[128];
    sqlite3_stmt *select = database_prepare(database, error, sizeof error,
                                            "SELECT count(*) FROM statistics");
    const size_t n = select != NULL && sqlite3_step(select) == SQLITE_ROW
                         ? (size_t)sqlite3_column_int64(select, 0)
                         : 0;
    sqlite3_finalize(select);
    return n;
}

int diff_databases(struct diff *diff, struct database *a, struct database *b, char *error,
                   size_t n_error)
{
    sqlite3_stmt *select = database_prepare(
        a, error, n_error,
        "SELECT p.key, workload, p.size, machine, mechanisms, settings, seed FROM point p JOIN "
        "statistics USING (key) ORDER BY workload, p.size, machine, mechanisms, settings, seed");
    /* An index of its own: neither file is written to. */
    if (select == NULL ||
        database_do(b,
                    "PRAGMA temp_store = MEMORY; CREATE TEMP TABLE same AS SELECT p.key, workload, "
                    "p.size AS size, machine, mechanisms, settings, seed FROM point p JOIN "
                    "statistics USING (key); CREATE INDEX temp.same_run ON same (workload, size, "
                    "machine, mechanisms, settings, seed)",
                    error, n_error) != 0) {
        sqlite3_finalize(select);
        return -1;
    }
    sqlite3_stmt *find = database_prepare(b, error, n_error, "%s",
                                          "SELECT key FROM same WHERE " SAME_RUN);
    int status = find != NULL ? SQLITE_ROW : SQLITE_ERROR;
    while (find != NULL && (status = sqlite3_step(select)) == SQLITE_ROW) {
        char key[65];
        if (find_same(find, select, key)) {
            compare_row(diff, a, b, select, key);
        } else {
            diff->only_a++;
        }
    }
    const size_t n_b = count_of(b);
    diff->only_b = n_b > diff->points ? n_b - diff->points : 0;
    sqlite3_finalize(select);
    sqlite3_finalize(find);
    return status == SQLITE_DONE ? 0 : find != NULL ? database_failed(a, error, n_error) : -1;
}

/* ---- order ---- */

double diff_change(const struct difference *d)
{
    return d->a != 0 ? d->b / d->a - 1 : d->b > 0 ? INFINITY : -INFINITY;
}

static double weight_of(const struct difference *d)
{
    const double change = diff_change(d);
    return isnan(change) ? -1 : fabs(change); /* what one side alone has comes last */
}

static int compare(const void *left, const void *right)
{
    const struct difference *a = left, *b = right;
    const double wa = weight_of(a), wb = weight_of(b);
    if (wa != wb) {
        return wa < wb ? 1 : -1;
    }
    const int points = a->point != NULL && b->point != NULL ? strcmp(a->point, b->point) : 0;
    return points != 0 ? points : strcmp(a->counter, b->counter);
}

void diff_sort(struct diff *diff)
{
    if (diff->n > 0) {
        qsort(diff->at, diff->n, sizeof *diff->at, compare);
    }
}
