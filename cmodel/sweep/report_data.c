/* report_data.c - the numbers of a report's figures, as the JSON in its page: see report.h. */
#include <math.h>
#include <nettle/base64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/report.h"

/* A page with more points has neither commands nor statistics of each; with more still, no points:
 * the means and values of all settings are there in any case. */
enum { MOST_WHOLE = 2000, MOST_POINTS = 20000 };

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* ---- what the experiment is ---- */

static json_t *value_json(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(value) ? json_real(value) : json_string(text);
}

static json_t *parameters_of(const struct experiment *e)
{
    json_t *list = json_array();
    for (size_t p = 0; p < e->parameters.n; p++) {
        const struct parameter *one = &e->parameters.at[p];
        json_t *values = json_array();
        for (size_t v = 0; one->values != NULL && v < e->parameters.axis[one->axis]; v++) {
            json_array_append_new(values, value_json(one->values[v]));
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:I, s:b}", "name", one->name,
                                              "title", one->title, "values", values, "axis",
                                              (json_int_t)one->axis, "derived", one->of != NULL));
    }
    return list;
}

static json_t *settings_of(const struct experiment *e)
{
    json_t *list = json_array();
    for (size_t s = 0; s < e->parameters.n_settings; s++) {
        json_t *values = json_array();
        for (size_t p = 0; p < e->parameters.n; p++) {
            char text[PARAMETER_TEXT];
            parameters_value(&e->parameters, s, p, text);
            json_array_append_new(values, value_json(text));
        }
        json_array_append_new(list, values);
    }
    return list;
}

static json_t *names_of(const struct experiment *e, json_t **metrics)
{
    json_t *schemes = json_array();
    *metrics = json_array();
    for (size_t s = 0; s < e->n_schemes; s++) {
        json_array_append_new(schemes, json_pack("{s:s, s:s}", "name", e->schemes[s].name,
                                                 "mechanisms", e->schemes[s].mechanisms));
    }
    for (size_t m = 0; m < e->n_metrics; m++) {
        const struct metric *one = &e->metrics[m];
        json_array_append_new(*metrics, json_pack("{s:s, s:s, s:i, s:b}", "name", one->name,
                                                  "title", one->title, "digits", one->digits,
                                                  "over_baseline", one->over_baseline));
    }
    return schemes;
}

static json_t *workloads_of(const struct experiment *e)
{
    json_t *list = json_array();
    for (size_t w = 0; w < e->n_workloads; w++) {
        char name[ROW_NAME];
        experiment_row_name(e, e->parameters.n_settings, w, name);
        json_array_append_new(list, json_string(name));
    }
    return list;
}

/* ---- values ---- */

/* As the tables show them: scaled where they are no ratio. */
static double scale_of(const struct experiment *e, size_t metric)
{
    return e->metrics[metric].over_baseline ? 1 : e->metrics[metric].scale;
}

static json_t *values_of(const struct results *results, json_t **means)
{
    const struct experiment *e = results->experiment;
    json_t *values = json_array();
    *means = json_array();
    for (size_t m = 0; m < e->n_metrics; m++) {
        for (size_t w = 0; w < e->n_workloads; w++) {
            for (size_t s = 0; s < e->n_schemes; s++) {
                json_array_append_new(
                    values, number_or_null(results_value(results, m, w, s) * scale_of(e, m)));
            }
        }
        for (size_t s = 0; s < e->n_schemes; s++) {
            json_array_append_new(
                *means, number_or_null(results_mean(results, m, s, e->n_schemes) * scale_of(e, m)));
        }
    }
    return values;
}

static json_t *claims_of(const struct loaded *loaded, const struct experiment *e)
{
    json_t *list = json_array();
    for (size_t c = 0; c < e->n_claims; c++) {
        const struct claim *claim = &e->claims[c];
        double here;
        const enum claim_verdict verdict = results_claim(&loaded->at[claim->setting], claim, &here);
        json_array_append_new(
            list, json_pack("{s:I, s:I, s:o, s:o, s:f, s:f, s:s, s:s, s:I}", "metric",
                            (json_int_t)claim->metric, "scheme", (json_int_t)claim->scheme, "over",
                            claim->over < e->n_schemes ? json_integer((json_int_t)claim->over)
                                                       : json_null(),
                            "here", number_or_null(here), "document", claim->value, "tolerance",
                            claim->tolerance, "verdict", claim_verdict_words(verdict), "section",
                            claim->section, "setting", (json_int_t)claim->setting));
    }
    return list;
}

/* ---- figures ---- */

static void add_plot(json_t *list, const char *kind, const char *title, const struct plot *plot)
{
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "kind", kind, "title", title,
                                    "metric", (json_int_t)plot->metric, "x", (json_int_t)plot->x,
                                    "y", (json_int_t)plot->y, "scheme", (json_int_t)plot->scheme));
}

/* Where the file names none: what every experiment has, and what its sweep makes worth seeing. */
static void add_standard(json_t *list, const struct experiment *e)
{
    size_t swept[2] = {0}, n = 0;
    for (size_t m = 0; m < e->n_metrics; m++) {
        add_plot(list, "bars", e->metrics[m].title, &(struct plot){.metric = m});
    }
    for (size_t p = 0; p < e->parameters.n; p++) {
        const struct parameter *one = &e->parameters.at[p];
        if (one->values != NULL && e->parameters.axis[one->axis] > 1) {
            char title[300];
            snprintf(title, sizeof title, "%.120s by %.120s", e->metrics[0].title, one->title);
            add_plot(list, "lines", title, &(struct plot){.x = p});
            swept[n < 2 ? n : 1] = n < 2 ? p : swept[1];
            n++;
        }
    }
    if (n > 1) {
        const size_t last = e->n_schemes - 1;
        char title[300];
        snprintf(title, sizeof title, "%.120s of %.120s", e->metrics[0].title,
                 e->schemes[last].name);
        add_plot(list, "heat", title, &(struct plot){.x = swept[0], .y = swept[1], .scheme = last});
    }
    add_plot(list, "slots", "issue slots, by what they did or waited for", &(struct plot){0});
    add_plot(list, "misses", "loads at the L1D, by outcome", &(struct plot){0});
}

static json_t *plots_of(const struct experiment *e)
{
    static const char *const kinds[] = {"bars", "lines", "slots", "misses", "heat"};
    json_t *list = json_array();
    for (size_t p = 0; p < e->n_plots; p++) {
        add_plot(list, kinds[e->plots[p].kind], e->plots[p].title, &e->plots[p]);
    }
    if (e->n_plots == 0) {
        add_standard(list, e);
    }
    return list;
}

/* ---- points ---- */

/* The counts of {"class": count, ...} in the order of `classes`, which gets those not seen yet. */
static json_t *counts_of(const unsigned char *text, json_t *classes)
{
    json_t *object = text != NULL ? json_loads((const char *)text, 0, NULL) : NULL;
    json_t *counts = json_array(), *one;
    const char *name;
    size_t i;
    if (object == NULL) {
        json_decref(counts);
        return json_null();
    }
    if (json_array_size(classes) == 0) {
        json_object_foreach(object, name, one)
        {
            json_array_append_new(classes, json_string(name));
        }
    }
    json_array_foreach(classes, i, one)
    {
        json_array_append(counts, json_object_get(object, json_string_value(one)));
    }
    json_decref(object);
    return counts;
}

static json_t *packed(const void *data, size_t n)
{
    char *text = malloc(BASE64_ENCODE_RAW_LENGTH(n) + 1);
    if (text == NULL) {
        return json_null();
    }
    base64_encode_raw(text, n, data);
    json_t *string = json_stringn(text, BASE64_ENCODE_RAW_LENGTH(n));
    free(text);
    return string;
}

struct points {
    json_t *list, *statistics, *slot_classes, *load_classes;
};

static void add_point(struct points *points, sqlite3_stmt *row, bool whole)
{
    const char *key = (const char *)sqlite3_column_text(row, 4);
    const char *state = (const char *)sqlite3_column_text(row, 6);
    json_t *at = json_array();
    for (int i = 0; i < 3; i++) {
        json_array_append_new(at, json_integer(sqlite3_column_int64(row, i)));
    }
    json_t *point = json_pack(
        "{s:o, s:o, s:s, s:s, s:o, s:o, s:o}", "at", at, "seed",
        json_integer(sqlite3_column_int64(row, 3)), "key", key, "state",
        state != NULL ? state : "missing", "seconds",
        state != NULL ? json_real(sqlite3_column_double(row, 7)) : json_null(), "slots",
        counts_of(sqlite3_column_text(row, 8), points->slot_classes), "loads",
        counts_of(sqlite3_column_text(row, 9), points->load_classes));
    if (whole && sqlite3_column_text(row, 5) != NULL) {
        json_object_set_new(point, "command",
                            json_string((const char *)sqlite3_column_text(row, 5)));
        if (sqlite3_column_bytes(row, 10) > 0) {
            json_object_set_new(
                points->statistics, key,
                packed(sqlite3_column_blob(row, 10), (size_t)sqlite3_column_bytes(row, 10)));
        }
    }
    json_array_append_new(points->list, point);
}

static int read_points(struct points *points, const struct loaded *loaded,
                       struct database *database, const struct experiment *e, char *error,
                       size_t n_error)
{
    const bool whole = loaded->n_points <= MOST_WHOLE;
    int status = SQLITE_DONE;
    if (loaded->n_points > MOST_POINTS) {
        return 0;
    }
    sqlite3_stmt *select = database_prepare(
        database, error, n_error,
        "SELECT m.setting, m.workload, m.scheme, coalesce(p.seed, m.seed), m.key, p.command, "
        "p.state, p.seconds, t.slots, t.loads, %s FROM member m LEFT JOIN point p ON p.key = "
        "m.key LEFT JOIN \"metrics %w\" t ON t.key = m.key LEFT JOIN statistics s ON s.key = "
        "m.key WHERE m.experiment = %Q",
        whole ? "s.data" : "NULL", e->name, e->name);
    while (select != NULL && (status = sqlite3_step(select)) == SQLITE_ROW) {
        add_point(points, select, whole);
    }
    sqlite3_finalize(select);
    return select != NULL && status == SQLITE_DONE ? 0 : -1;
}

json_t *report_data(const struct loaded *loaded, struct database *database,
                    const struct experiment *e, char *error, size_t n_error)
{
    struct points points = {json_array(), json_object(), json_array(), json_array()};
    json_t *values = json_array(), *means = json_array(), *metrics;
    for (size_t s = 0; s < loaded->n_settings; s++) {
        json_t *of_setting;
        json_array_append_new(values, values_of(&loaded->at[s], &of_setting));
        json_array_append_new(means, of_setting);
    }
    const int status = read_points(&points, loaded, database, e, error, n_error);
    json_t *schemes = names_of(e, &metrics);
    json_t *data = json_pack(
        "{s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:o, s:o}",
        "name", e->name, "title", e->title, "baseline", (json_int_t)e->baseline, "parameters",
        parameters_of(e), "settings", settings_of(e), "workloads", workloads_of(e), "schemes",
        schemes, "metrics", metrics, "claims", claims_of(loaded, e), "plots", plots_of(e), "values",
        values, "means", means, "points", points.list, "statistics", points.statistics,
        "slot_classes", points.slot_classes, "load_classes", points.load_classes);
    if (status != 0) {
        json_decref(data);
        return NULL;
    }
    return data;
}
