/* report.c - the page itself: see report.h. */
#include "sweep/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/html.h"

/* Put into the program by the linker. */
extern const char _binary_cmodel_sweep_report_js_start[], _binary_cmodel_sweep_report_js_end[];
extern const char _binary_build_report_vega_js_start[], _binary_build_report_vega_js_end[];

/* Tables of more settings than these stay in the database. */
enum { MOST_TABLES = 24 };

static void number(struct html *page, double value, int digits)
{
    if (isnan(value)) {
        html_element(page, "td", "number", "-");
    } else {
        html_element(page, "td", "number", "%.*f", digits, value);
    }
}

/* ---- the head ---- */

static void write_head(struct html *page, const struct loaded *loaded, const struct experiment *e)
{
    html_element(page, "p", NULL, "%s: machine %s, baseline %s%s%s", e->name, e->machine,
                 e->schemes[e->baseline].name, *loaded->size != '\0' ? ", all at size " : "",
                 loaded->size);
    if (*e->source != '\0') {
        html_element(page, "p", NULL, "Document: %s", e->source);
    }
    if (*e->note != '\0') {
        html_element(page, "p", NULL, "%s", e->note);
    }
    html_element(page, "p", loaded->n_failed > 0 ? "wrong" : NULL,
                 "%zu points: %zu done, %zu failed, %zu not run%s", loaded->n_points,
                 loaded->n_points - loaded->n_failed - loaded->n_missing, loaded->n_failed,
                 loaded->n_missing,
                 loaded->n_failed + loaded->n_missing > 0
                     ? "; a value that needs one of these is left out"
                     : "");
}

/* ---- claims ---- */

static void write_claim(struct html *page, const struct loaded *loaded, const struct experiment *e,
                        const struct claim *claim)
{
    static const char *const classes[] = {"good", "open", "bad", "blank"};
    static const char *const bounds[] = {"", "at most ", "at least "};
    const struct metric *metric = &e->metrics[claim->metric];
    char at[512];
    double here;
    const enum claim_verdict verdict = results_claim(&loaded->at[claim->setting], claim, &here);
    claim_setting(e, claim, at, sizeof at);
    const bool ratio = claim_is_ratio(e, claim);
    html_open(page, "tr");
    html_element(page, "td", NULL, "%s", metric->title);
    html_element(page, "td", NULL, "%s", e->schemes[claim->scheme].name);
    html_element(page, "td", NULL, "%s", !ratio ? "-" : e->schemes[claim_base(e, claim)].name);
    number(page, here, claim_digits(e, claim));
    html_element(page, "td", "number", "%s%.*f", bounds[claim->bound], claim_digits(e, claim),
                 claim->value);
    if (claim->bound == BOUND_NONE) {
        html_element(page, "td", "number", "%.0f %%", 100 * claim->tolerance);
    } else {
        html_element(page, "td", "number", "-");
    }
    html_element(page, "td", classes[verdict], "%s", claim_verdict_words(verdict));
    html_element(page, "td", NULL, "%s%s%s%s%s", claim->section,
                 claim->workload < e->n_workloads ? " " : "",
                 claim->workload < e->n_workloads ? e->workloads[claim->workload] : "",
                 *claim->section != '\0' && *at != '\0' ? "; " : "", at);
    html_close(page);
}

static void write_claims(struct html *page, const struct loaded *loaded, const struct experiment *e)
{
    static const char *const columns[] = {"mean of",  "scheme", "over",    "here",
                                          "document", "+-",     "verdict", "where"};
    size_t n[4] = {0};
    if (e->n_claims == 0) {
        return;
    }
    for (size_t c = 0; c < e->n_claims; c++) {
        double here;
        n[results_claim(&loaded->at[e->claims[c].setting], &e->claims[c], &here)]++;
    }
    html_element(page, "h2", NULL, "What the document says");
    html_element(page, "p", NULL, "%zu agree, %zu in direction only, %zu not reproduced, %zu open",
                 n[CLAIM_AGREES], n[CLAIM_DIRECTION], n[CLAIM_DIFFERS], n[CLAIM_OPEN]);
    html_open(page, "div");
    html_attribute(page, "class", "scroll");
    html_open(page, "table");
    html_attribute(page, "id", "claims");
    html_open(page, "tr");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        html_element(page, "th", NULL, "%s", columns[i]);
    }
    html_close(page);
    for (size_t c = 0; c < e->n_claims; c++) {
        write_claim(page, loaded, e, &e->claims[c]);
    }
    html_close(page);
    html_close(page);
}

/* Why ours differs, and what of that is not so in these results. */
static void write_causes(struct html *page, const struct loaded *loaded, const struct experiment *e)
{
    char words[400];
    for (size_t c = 0; c < e->n_causes; c++) {
        const struct cause *cause = &e->causes[c];
        html_element(page, "p", NULL, "%s", cause->text);
        for (size_t f = 0; f < cause->n_figures; f++) {
            if (results_contradict(loaded->at, loaded->n_settings, &cause->figures[f], words,
                                   sizeof words)) {
                html_element(page, "p", "bad", "not so: %s", words);
            }
        }
        html_element(page, "code", NULL, "%s", cause->run);
    }
}

/* ---- tables ---- */

static void write_table(struct html *page, const struct results *results, size_t m)
{
    const struct experiment *e = results->experiment;
    const struct metric *metric = &e->metrics[m];
    const double scale = metric->over_baseline ? 1 : metric->scale;
    html_element(page, "h4", NULL, "%s%s%s", metric->title, metric->over_baseline ? " over " : "",
                 metric->over_baseline ? e->schemes[e->baseline].name : "");
    html_open(page, "div");
    html_attribute(page, "class", "scroll");
    html_open(page, "table");
    html_attribute(page, "class", "matrix");
    html_open(page, "tr");
    html_element(page, "th", NULL, "%s", "");
    for (size_t s = 0; s < e->n_schemes; s++) {
        html_element(page, "th", NULL, "%s", e->schemes[s].name);
    }
    html_close(page);
    for (size_t w = 0; w <= e->n_workloads; w++) {
        char name[ROW_NAME] = "mean";
        if (w < e->n_workloads) {
            experiment_row_name(e, results->setting, w, name);
        }
        html_open(page, "tr");
        html_element(page, "td", NULL, "%s", name);
        for (size_t s = 0; s < e->n_schemes; s++) {
            number(page,
                   scale * (w < e->n_workloads ? results_value(results, m, w, s)
                                               : results_mean(results, m, s, e->n_schemes)),
                   metric->digits);
        }
        html_close(page);
    }
    html_close(page);
    html_close(page);
}

static void write_tables(struct html *page, const struct loaded *loaded, const struct experiment *e)
{
    html_element(page, "h2", NULL, "Tables");
    for (size_t s = 0; s < loaded->n_settings && s < MOST_TABLES; s++) {
        char text[512];
        html_open(page, "details");
        if (loaded->n_settings == 1) {
            html_attribute(page, "open", "%s", "");
        }
        parameters_describe(&e->parameters, s, text, sizeof text);
        html_element(page, "summary", NULL, "%s", *text != '\0' ? text : "all values");
        for (size_t m = 0; m < e->n_metrics; m++) {
            write_table(page, &loaded->at[s], m);
        }
        html_close(page);
    }
    if (loaded->n_settings > MOST_TABLES) {
        html_element(page, "p", NULL, "%zu settings more: warplock results %s --csv",
                     loaded->n_settings - MOST_TABLES, e->name);
    }
}

/* ---- figures ---- */

static void write_figures(struct html *page, const json_t *data)
{
    const json_t *one;
    size_t i;
    html_open(page, "section");
    html_attribute(page, "id", "figures");
    html_element(page, "h2", NULL, "Figures");
    html_open(page, "p");
    html_attribute(page, "id", "choices");
    html_close(page);
    json_array_foreach(json_object_get(data, "plots"), i, one)
    {
        const char *title = json_string_value(json_object_get(one, "title"));
        html_open(page, "figure");
        html_attribute(page, "data-plot", "%zu", i);
        if (*title != '\0') {
            html_element(page, "figcaption", NULL, "%s", title);
        }
        html_open(page, "div");
        html_close(page);
        html_close(page);
    }
    html_close(page);
    html_open(page, "dialog");
    html_attribute(page, "id", "point");
    html_open(page, "form");
    html_attribute(page, "method", "dialog");
    html_element(page, "button", NULL, "close");
    html_close(page);
    html_open(page, "div");
    html_close(page);
    html_close(page);
}

/* In a script nothing may look like its end. */
static void write_data(struct html *page, const json_t *data)
{
    char *text = json_dumps(data, JSON_COMPACT | JSON_ESCAPE_SLASH);
    html_raw(page, "<script type=\"application/json\" id=\"data\">");
    html_raw(page, text != NULL ? text : "null");
    html_raw(page, "</script>\n");
    free(text);
}

static void write_script(struct html *page, const char *from, const char *to)
{
    html_raw(page, "<script>\n");
    fwrite(from, 1, (size_t)(to - from), page->to);
    html_raw(page, "</script>\n");
}

int report_write(const struct loaded *loaded, struct database *database, const struct experiment *e,
                 const char *path, char *error, size_t n_error)
{
    struct html page;
    json_t *data = report_data(loaded, database, e, error, n_error);
    if (data == NULL) {
        return -1;
    }
    if (!html_begin(&page, path, e->title)) {
        snprintf(error, n_error, "%s: %s; name another file with --output", path, strerror(errno));
        json_decref(data);
        return -1;
    }
    write_head(&page, loaded, e);
    write_claims(&page, loaded, e);
    write_causes(&page, loaded, e);
    write_figures(&page, data);
    write_tables(&page, loaded, e);
    write_data(&page, data);
    write_script(&page, _binary_build_report_vega_js_start, _binary_build_report_vega_js_end);
    write_script(&page, _binary_cmodel_sweep_report_js_start, _binary_cmodel_sweep_report_js_end);
    json_decref(data);
    if (!html_end(&page)) {
        snprintf(error, n_error, "%s: %s", path, strerror(errno));
        return -1;
    }
    return 0;
}
