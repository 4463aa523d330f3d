/* results_print.c - the results of an experiment as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/results.h"

enum { COLUMN_WIDTH = 9, NAME_WIDTH = 13, NAME_MAX_WIDTH = 39, LINE_WIDTH = 100 };

/* ---- text ---- */

static void print_value(const struct metric *metric, double value, FILE *out)
{
    const double shown = value * (metric->over_baseline ? 1 : metric->scale);
    if (isnan(value)) {
        fprintf(out, " %*s", COLUMN_WIDTH, "-");
    } else {
        fprintf(out, " %*.*f", COLUMN_WIDTH, metric->digits, shown);
    }
}

/* What the document says of a scheme's mean; NAN when it says nothing. */
static double document_value(const struct results *results, size_t metric, size_t scheme)
{
    const struct experiment *e = results->experiment;
    for (size_t c = 0; c < e->n_claims; c++) {
        const struct claim *claim = &e->claims[c];
        if (claim->metric == metric && claim->scheme == scheme && claim->over == e->n_schemes &&
            claim->setting == results->setting) {
            return claim->value / (e->metrics[metric].over_baseline ? 1 : e->metrics[metric].scale);
        }
    }
    return NAN;
}

/* Of the column of names: the longest, but so that columns of values have room. */
static int name_width(const struct results *results)
{
    size_t width = NAME_WIDTH;
    for (size_t w = 0; w < results->experiment->n_workloads; w++) {
        char name[ROW_NAME];
        experiment_row_name(results->experiment, results->setting, w, name);
        width = strlen(name) > width ? strlen(name) : width;
    }
    return width < NAME_MAX_WIDTH ? (int)width : NAME_MAX_WIDTH;
}

static void print_columns(const struct results *results, size_t m, size_t from, size_t to,
                          int width, FILE *out)
{
    const struct experiment *e = results->experiment;
    const struct metric *metric = &e->metrics[m];
    char name[ROW_NAME];
    fprintf(out, "\n%s%s%s\n%-*s", metric->title, metric->over_baseline ? " over " : "",
            metric->over_baseline ? e->schemes[e->baseline].name : "", width, "");
    for (size_t s = from; s < to; s++) {
        fprintf(out, " %*.*s", COLUMN_WIDTH, COLUMN_WIDTH, e->schemes[s].name);
    }
    for (size_t w = 0; w < e->n_workloads; w++) {
        experiment_row_name(e, results->setting, w, name);
        fprintf(out, "\n%-*s", width, name);
        for (size_t s = from; s < to; s++) {
            print_value(metric, results_value(results, m, w, s), out);
        }
    }
    fprintf(out, "\n%-*s", width, "mean");
    bool claimed = false;
    for (size_t s = from; s < to; s++) {
        print_value(metric, results_mean(results, m, s, e->n_schemes), out);
        claimed |= !isnan(document_value(results, m, s));
    }
    if (claimed) {
        fprintf(out, "\n%-*s", width, "document");
    }
    for (size_t s = from; s < to && claimed; s++) {
        print_value(metric, document_value(results, m, s), out);
    }
    fputc('\n', out);
}

static void print_taken(const struct results *results, size_t scheme, FILE *out)
{
    const struct experiment *e = results->experiment;
    fprintf(out, "\n%s, %s:", e->schemes[scheme].name,
            e->schemes[scheme].chosen != NULL ? "as the file chooses" : "found by running all");
    for (size_t w = 0; w < e->n_workloads; w++) {
        char name[ROW_NAME];
        experiment_row_name(e, results->setting, w, name);
        fprintf(out, "%s %s %s", w > 0 ? "," : "", name,
                e->schemes[results_taken_from(results, w, scheme)].name);
    }
    fputc('\n', out);
}

static const char *const bound_words[] = {NULL, "below", "above"};

/* "name=value ..." of the setting, where there is more than one. */
static void print_setting(const struct experiment *e, size_t setting, const char *before, FILE *out)
{
    char text[512];
    if (e->parameters.n_settings > 1) {
        parameters_describe(&e->parameters, setting, text, sizeof text);
        fprintf(out, "%s%s", before, text);
    }
}

void results_print_claims(const struct results *settings, size_t n_settings, FILE *out)
{
    const struct experiment *e = settings->experiment;
    size_t n[4] = {0};
    if (e->n_claims > 0) {
        fprintf(out, "\n%-14s %-11s %-11s %8s %8s %5s  %-15s %s\n", "mean of", "scheme", "over",
                "here", "document", "+-", "verdict", e->document);
    }
    for (size_t c = 0; c < e->n_claims; c++) {
        const struct claim *claim = &e->claims[c];
        const struct metric *metric = &e->metrics[claim->metric];
        double ours;
        const enum claim_verdict verdict = results_claim(
            &settings[claim->setting < n_settings ? claim->setting : 0], claim, &ours);
        const size_t base = claim_base(e, claim);
        const int digits = claim_digits(e, claim);
        n[verdict]++;
        char tolerance[16];
        snprintf(tolerance, sizeof tolerance, "%.0f%%", 100 * claim->tolerance);
        fprintf(out, "%-14.14s %-11.11s %-11.11s %8.*f %8.*f %5s  %-15s %s", metric->name,
                e->schemes[claim->scheme].name,
                claim_is_ratio(e, claim) ? e->schemes[base].name : "-", digits, ours, digits,
                claim->value,
                bound_words[claim->bound] != NULL ? bound_words[claim->bound] : tolerance,
                claim_verdict_words(verdict), claim->section);
        if (claim->workload < e->n_workloads) {
            fprintf(out, " %s", e->workloads[claim->workload]);
        }
        print_setting(e, claim->setting, " at ", out);
        fputc('\n', out);
    }
    if (e->n_claims > 0) {
        fprintf(out, "%zu agree, %zu in direction only, %zu not reproduced, %zu open\n",
                n[CLAIM_AGREES], n[CLAIM_DIRECTION], n[CLAIM_DIFFERS], n[CLAIM_OPEN]);
    }
}

/* More that agree first, then the smaller factor. */
static int by_nearness(const void *left, const void *right)
{
    const struct nearness *a = left, *b = right;
    if (a->n_agree != b->n_agree) {
        return a->n_agree > b->n_agree ? -1 : 1;
    }
    if (a->worst != b->worst) {
        return a->worst < b->worst ? -1 : 1;
    }
    return a->setting < b->setting ? -1 : 1;
}

static void print_near(const struct results *results, const struct nearness *near, FILE *out)
{
    const struct experiment *e = results->experiment;
    char text[512];
    fprintf(out, "%4zu of %-4zu %8.2f", near->n_agree, e->n_joint, near->worst);
    for (size_t c = 0; c < e->n_joint; c++) {
        double ours;
        results_claim(results, &e->joint[c], &ours);
        fprintf(out, " %8.*f", e->metrics[e->joint[c].metric].digits, ours);
    }
    parameters_describe(&e->parameters, near->setting, text, sizeof text);
    fprintf(out, "  %s%s\n", text, near->n_open > 0 ? "  (runs are missing)" : "");
}

void results_print_joint(const struct results *settings, size_t n_settings, FILE *out)
{
    const struct experiment *e = settings->experiment;
    struct nearness *near = e->n_joint > 0 ? calloc(n_settings, sizeof *near) : NULL;
    if (near == NULL) {
        return;
    }
    for (size_t s = 0; s < n_settings; s++) {
        near[s] = results_nearness(&settings[s]);
    }
    qsort(near, n_settings, sizeof *near, by_nearness);
    fprintf(out, "\nat once, in each setting:\n%-12s %8s", "agree", "worst x");
    for (size_t c = 0; c < e->n_joint; c++) {
        fprintf(out, " %8.8s", e->schemes[e->joint[c].scheme].name);
    }
    fprintf(out, "\n%-21s", "document");
    for (size_t c = 0; c < e->n_joint; c++) {
        fprintf(out, " %8.*f", e->metrics[e->joint[c].metric].digits, e->joint[c].value);
    }
    fputc('\n', out);
    for (size_t s = 0; s < n_settings; s++) {
        print_near(&settings[near[s].setting], &near[s], out);
    }
    free(near);
}

/* Words in lines of LINE_WIDTH. */
static void print_words(const char *text, FILE *out)
{
    size_t column = 0;
    while (*text != '\0') {
        const size_t word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > LINE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        fprintf(out, "%s%.*s", column > 0 ? " " : "", (int)word, text);
        column += word + (column > 0);
        text += word + strspn(text + word, " ");
    }
    fputc('\n', out);
}

static void print_sizes(const struct results *results, FILE *out)
{
    const struct experiment *e = results->experiment;
    bool first = true;
    if (results->size != NULL) {
        fprintf(out, "\nsize: %s\n", results->size);
        return;
    }
    for (size_t w = 0; w < e->n_workloads; w++) {
        if (strchr(e->workloads[w], ':') != NULL) {
            fprintf(out, "%s %s", first ? "\nsizes:" : ";", e->workloads[w]);
            first = false;
        }
    }
    fprintf(out, "%s%s\n", first ? "\nsize: " : "; others ", e->size);
}

void results_print_head(const struct results *results, FILE *out)
{
    const struct experiment *e = results->experiment;
    fprintf(out, "%s: %s\nmachine %s, baseline %s\n", e->name, e->title, e->machine,
            e->schemes[e->baseline].name);
}

void results_print_tables(const struct results *results, FILE *out)
{
    const struct experiment *e = results->experiment;
    print_setting(e, results->setting, "\n", out);
    fputs(e->parameters.n_settings > 1 ? "\n" : "", out);
    const int width = name_width(results);
    const size_t columns = (size_t)(LINE_WIDTH - width) / (COLUMN_WIDTH + 1);
    for (size_t m = 0; m < e->n_metrics; m++) {
        for (size_t from = 0; from < e->n_schemes; from += columns) {
            const size_t to = from + columns < e->n_schemes ? from + columns : e->n_schemes;
            print_columns(results, m, from, to, width, out);
        }
    }
    for (size_t s = 0; s < e->n_schemes; s++) {
        if (!scheme_is_run(&e->schemes[s])) {
            print_taken(results, s, out);
        }
    }
}

bool results_contradict(const struct results *settings, size_t n_settings,
                        const struct claim *figure, char *words, size_t n_words)
{
    const struct experiment *e = settings->experiment;
    const struct metric *metric = &e->metrics[figure->metric];
    const size_t base = claim_base(e, figure);
    const bool ratio = claim_is_ratio(e, figure);
    const int digits = claim_digits(e, figure);
    char at[200];
    double ours;
    const enum claim_verdict verdict = results_claim(
        &settings[figure->setting < n_settings ? figure->setting : 0], figure, &ours);
    claim_setting(e, figure, at, sizeof at);
    snprintf(words, n_words, "%s of %s%s%s, %s%s%s: %.*f here, and the cause says %s%.*f",
             metric->name, e->schemes[figure->scheme].name, ratio ? " over " : "",
             ratio ? e->schemes[base].name : "",
             figure->workload < e->n_workloads ? e->workloads[figure->workload] : "mean",
             *at != '\0' ? " at " : "", at, digits, ours,
             figure->bound == BOUND_BELOW   ? "at most "
             : figure->bound == BOUND_ABOVE ? "at least "
                                            : "",
             digits, figure->value);
    return verdict == CLAIM_DIRECTION || verdict == CLAIM_DIFFERS;
}

/* A cause, and what of it is not so in these results. */
static void print_cause(const struct results *settings, size_t n_settings,
                        const struct cause *cause, FILE *out)
{
    char words[400];
    print_words(cause->text, out);
    for (size_t f = 0; f < cause->n_figures; f++) {
        if (results_contradict(settings, n_settings, &cause->figures[f], words, sizeof words)) {
            fprintf(out, "  not so: %s\n", words);
        }
    }
    fprintf(out, "  again: %s\n", cause->run);
}

void results_print_foot(const struct results *settings, size_t n_settings, FILE *out)
{
    const struct experiment *e = settings->experiment;
    print_sizes(settings, out);
    if (*e->source != '\0') {
        fprintf(out, "document: %s\n", e->source);
    }
    if (*e->note != '\0') {
        print_words(e->note, out);
    }
    for (size_t c = 0; c < e->n_causes; c++) {
        fprintf(out, "\n%s", c == 0 ? "causes:\n" : "");
        print_cause(settings, n_settings, &e->causes[c], out);
    }
}

/* ---- JSON ---- */

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *metric_json(const struct results *results, size_t m)
{
    const struct experiment *e = results->experiment;
    json_t *schemes = json_object();
    for (size_t s = 0; s < e->n_schemes; s++) {
        json_t *rows = json_object();
        for (size_t w = 0; w < e->n_workloads; w++) {
            char name[ROW_NAME];
            experiment_row_name(e, results->setting, w, name);
            json_object_set_new(rows, name, number_or_null(results_raw(results, m, w, s)));
        }
        json_object_set_new(schemes, e->schemes[s].name,
                            json_pack("{s:o, s:o}", "workloads", rows, "mean",
                                      number_or_null(results_mean(results, m, s, e->n_schemes))));
    }
    return schemes;
}

static json_t *claim_json(const struct results *results, const struct claim *claim)
{
    const struct experiment *e = results->experiment;
    double ours;
    const enum claim_verdict verdict = results_claim(results, claim, &ours);
    return json_pack("{s:s, s:s, s:s?, s:s?, s:o, s:f, s:f, s:s, s:s, s:s}", "metric",
                     e->metrics[claim->metric].name, "scheme", e->schemes[claim->scheme].name,
                     "over", claim->over < e->n_schemes ? e->schemes[claim->over].name : NULL,
                     "workload",
                     claim->workload < e->n_workloads ? e->workloads[claim->workload] : NULL,
                     "here", number_or_null(ours), "document", claim->value, "tolerance",
                     claim->tolerance, "tolerance_reason", claim->tolerance_reason, "verdict",
                     claim_verdict_words(verdict), "section", claim->section);
}

json_t *results_json(const struct results *results)
{
    const struct experiment *e = results->experiment;
    json_t *metrics = json_object(), *claims = json_array(), *joint = json_array();
    for (size_t m = 0; m < e->n_metrics; m++) {
        json_object_set_new(metrics, e->metrics[m].name, metric_json(results, m));
    }
    for (size_t c = 0; c < e->n_claims; c++) {
        if (e->claims[c].setting == results->setting) {
            json_array_append_new(claims, claim_json(results, &e->claims[c]));
        }
    }
    for (size_t c = 0; c < e->n_joint; c++) {
        json_array_append_new(joint, claim_json(results, &e->joint[c]));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "experiment", e->name, "title",
                     e->title, "machine", e->machine, "baseline", e->schemes[e->baseline].name,
                     "metrics", metrics, "claims", claims, "joint", joint);
}
