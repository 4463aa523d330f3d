/* results.c - see results.h.  Shows nothing: that is results_print.c. */
#include "experiments/results.h"

#include <math.h>
#include <stdlib.h>

static size_t place(const struct results *results, size_t metric, size_t workload, size_t scheme)
{
    const struct experiment *e = results->experiment;
    return (metric * e->n_workloads + workload) * e->n_schemes + scheme;
}

bool results_new(struct results *results, const struct experiment *experiment)
{
    const size_t cells = experiment->n_workloads * experiment->n_schemes;
    const size_t n = experiment->n_metrics * cells;
    *results = (struct results){.experiment = experiment,
                                .value = malloc((n + 1) * sizeof(double)),
                                .weight = malloc((n + 1) * sizeof(double)),
                                .launches = calloc(n + 1, sizeof(struct by_launch)),
                                .n = calloc(n + 1, sizeof(unsigned)),
                                .n_missing = calloc(cells + 1, sizeof(unsigned))};
    if (results->value == NULL || results->weight == NULL || results->launches == NULL ||
        results->n == NULL || results->n_missing == NULL) {
        results_free(results);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        results->value[i] = results->weight[i] = NAN;
    }
    return true;
}

void results_free(struct results *results)
{
    const struct experiment *e = results->experiment;
    const size_t n = results->launches != NULL ? e->n_metrics * e->n_workloads * e->n_schemes : 0;
    for (size_t i = 0; i < n; i++) {
        by_launch_free(&results->launches[i]);
    }
    free(results->launches);
    free(results->value);
    free(results->weight);
    free(results->n);
    free(results->n_missing);
    *results = (struct results){0};
}

void results_put(struct results *results, size_t metric, size_t workload, size_t scheme,
                 const struct measured *measured)
{
    const size_t at = place(results, metric, workload, scheme);
    by_launch_free(&results->launches[at]);
    results->launches[at] = measured->launches;
    if (isnan(measured->value)) {
        return;
    }
    const bool first = results->n[at]++ == 0;
    results->value[at] = measured->value + (first ? 0 : results->value[at]);
    results->weight[at] = measured->weight + (first ? 0 : results->weight[at]);
}

void results_miss(struct results *results, size_t workload, size_t scheme)
{
    results->n_missing[workload * results->experiment->n_schemes + scheme]++;
}

size_t results_missing(const struct results *results)
{
    const struct experiment *e = results->experiment;
    size_t missing = 0;
    for (size_t i = 0; i < e->n_workloads * e->n_schemes; i++) {
        missing += results->n_missing[i] > 0;
    }
    return missing;
}

void results_average(struct results *results)
{
    const struct experiment *e = results->experiment;
    const size_t cells = e->n_workloads * e->n_schemes;
    for (size_t i = 0; i < e->n_metrics * cells; i++) {
        const bool missing = results->n_missing[i % cells] > 0 || results->n[i] == 0;
        results->value[i] = missing ? NAN : results->value[i] / results->n[i];
        results->weight[i] = missing ? NAN : results->weight[i] / results->n[i];
    }
}

bool metric_measure(const struct metric *metric, const json_t *run, struct measured *measured,
                    char *error, size_t n_error)
{
    double where = 1;
    *measured = (struct measured){.weight = 1};
    if (metric->n_launches > 0) {
        const bool good = by_launch_of(metric, run, &measured->launches, error, n_error);
        measured->value = good ? by_launch_mean(metric->mean, &measured->launches, NULL) : NAN;
        return good;
    }
    if (!expression_value(metric->of, run, &measured->value, error, n_error) ||
        (metric->weight != NULL &&
         !expression_value(metric->weight, run, &measured->weight, error, n_error)) ||
        (metric->where != NULL && !expression_value(metric->where, run, &where, error, n_error))) {
        return false;
    }
    if (!(where > 0) || !isfinite(measured->value)) {
        measured->value = NAN;
    }
    return true;
}

bool results_add(struct results *results, size_t workload, size_t scheme, const json_t *run,
                 char *error, size_t n_error)
{
    const struct experiment *e = results->experiment;
    for (size_t m = 0; m < e->n_metrics; m++) {
        struct measured measured;
        if (!metric_measure(&e->metrics[m], run, &measured, error, n_error)) {
            return false;
        }
        results_put(results, m, workload, scheme, &measured);
    }
    return true;
}

size_t results_taken_from(const struct results *results, size_t workload, size_t scheme)
{
    const struct scheme *of = &results->experiment->schemes[scheme];
    if (of->chosen != NULL) {
        return of->chosen[workload];
    }
    size_t best = of->best_of[0];
    for (size_t i = 1; i < of->n_best_of; i++) {
        const double one = results_raw(results, of->by, workload, of->best_of[i]);
        const double most = results_raw(results, of->by, workload, best);
        best = one > most || isnan(most) ? of->best_of[i] : best;
    }
    return best;
}

static void copy_cell(struct results *results, size_t to, size_t from)
{
    const struct by_launch *launches = &results->launches[from];
    results->value[to] = results->value[from];
    results->weight[to] = results->weight[from];
    by_launch_free(&results->launches[to]);
    results->launches[to] = by_launch_copy(launches);
}

void results_take_columns(struct results *results)
{
    const struct experiment *e = results->experiment;
    for (size_t s = 0; s < e->n_schemes; s++) {
        for (size_t w = 0; !scheme_is_run(&e->schemes[s]) && w < e->n_workloads; w++) {
            const size_t from = results_taken_from(results, w, s);
            for (size_t m = 0; m < e->n_metrics; m++) {
                copy_cell(results, place(results, m, w, s), place(results, m, w, from));
            }
        }
    }
}

double results_raw(const struct results *results, size_t metric, size_t workload, size_t scheme)
{
    return results->value[place(results, metric, workload, scheme)];
}

static double over(const struct results *results, size_t metric, size_t workload, size_t scheme,
                   size_t base)
{
    const struct metric *of = &results->experiment->metrics[metric];
    if (of->n_launches > 0) {
        return by_launch_mean(of->mean,
                              &results->launches[place(results, metric, workload, scheme)],
                              &results->launches[place(results, metric, workload, base)]);
    }
    const double below = results_raw(results, metric, workload, base);
    return below != 0 ? results_raw(results, metric, workload, scheme) / below : NAN;
}

double results_value(const struct results *results, size_t metric, size_t workload, size_t scheme)
{
    const struct experiment *e = results->experiment;
    return e->metrics[metric].over_baseline ? over(results, metric, workload, scheme, e->baseline)
                                            : results_raw(results, metric, workload, scheme);
}

double results_mean(const struct results *results, size_t metric, size_t scheme, size_t base)
{
    const struct experiment *e = results->experiment;
    struct mean mean = {.kind = e->metrics[metric].mean};
    for (size_t w = 0; w < e->n_workloads; w++) {
        mean_add(&mean,
                 base < e->n_schemes ? over(results, metric, w, scheme, base)
                                     : results_value(results, metric, w, scheme),
                 results->weight[place(results, metric, w, scheme)]);
    }
    return mean_end(&mean);
}

bool claim_is_ratio(const struct experiment *e, const struct claim *claim)
{
    return claim->over < e->n_schemes || e->metrics[claim->metric].over_baseline;
}

size_t claim_base(const struct experiment *e, const struct claim *claim)
{
    return claim->over < e->n_schemes ? claim->over : e->baseline;
}

int claim_digits(const struct experiment *e, const struct claim *claim)
{
    const int digits = e->metrics[claim->metric].digits;
    return claim_is_ratio(e, claim) && digits < 2 ? 2 : digits;
}

void claim_setting(const struct experiment *e, const struct claim *claim, char *words,
                   size_t n_words)
{
    *words = '\0';
    if (e->parameters.n_settings > 1) {
        parameters_describe(&e->parameters, claim->setting, words, n_words);
    }
}

/* Of 1.00, as two digits print it. */
static int side_of(double ratio)
{
    const double printed = round(ratio * 100);
    return (printed > 100) - (printed < 100);
}

/* A missing run leaves a claim open: the mean over the others would be another figure. */
static bool all_there(const struct results *results, const struct claim *claim)
{
    const struct experiment *e = results->experiment;
    for (size_t w = 0; w < e->n_workloads; w++) {
        if (claim->workload < e->n_workloads && claim->workload != w) {
            continue;
        }
        if (isnan(results_raw(results, 0, w, claim->scheme)) ||
            isnan(results_raw(results, 0, w, claim_base(e, claim)))) {
            return false;
        }
    }
    return true;
}

/* The mean, or the one value, that the claim is about. */
static double claimed(const struct results *results, const struct claim *claim)
{
    const struct experiment *e = results->experiment;
    if (claim->workload == e->n_workloads) {
        return results_mean(results, claim->metric, claim->scheme, claim->over);
    }
    return claim->over < e->n_schemes
               ? over(results, claim->metric, claim->workload, claim->scheme, claim->over)
               : results_value(results, claim->metric, claim->workload, claim->scheme);
}

double results_claimed(const struct results *results, const struct claim *claim)
{
    const struct experiment *e = results->experiment;
    const double scale = claim_is_ratio(e, claim) ? 1 : e->metrics[claim->metric].scale;
    return all_there(results, claim) ? claimed(results, claim) * scale : NAN;
}

enum claim_verdict claim_verdict(const struct experiment *e, const struct claim *claim, double ours)
{
    const bool ratio = claim_is_ratio(e, claim);
    if (isnan(ours)) {
        return CLAIM_OPEN;
    }
    if (claim->bound != BOUND_NONE) {
        return (claim->bound == BOUND_BELOW ? ours <= claim->value : ours >= claim->value)
                   ? CLAIM_AGREES
                   : CLAIM_DIFFERS;
    }
    if (fabs(ours / claim->value - 1) <= claim->tolerance &&
        (!ratio || side_of(ours) == side_of(claim->value) ||
         fabs(ours / claim->value - 1) <= 0.03)) {
        return CLAIM_AGREES;
    }
    return ratio && side_of(ours) == side_of(claim->value) ? CLAIM_DIRECTION : CLAIM_DIFFERS;
}

enum claim_verdict results_claim(const struct results *results, const struct claim *claim,
                                 double *ours)
{
    *ours = results_claimed(results, claim);
    return claim_verdict(results->experiment, claim, *ours);
}

const char *claim_verdict_words(enum claim_verdict verdict)
{
    static const char *const words[] = {"agrees", "direction only", "not reproduced", "open"};
    return words[verdict];
}

struct nearness results_nearness(const struct results *results)
{
    const struct experiment *e = results->experiment;
    struct nearness near = {.setting = results->setting, .worst = 1};
    for (size_t c = 0; c < e->n_joint; c++) {
        double ours;
        const enum claim_verdict verdict = results_claim(results, &e->joint[c], &ours);
        near.n_agree += verdict == CLAIM_AGREES;
        near.n_open += verdict == CLAIM_OPEN;
        if (verdict == CLAIM_OPEN || (verdict == CLAIM_AGREES && e->joint[c].bound != BOUND_NONE)) {
            continue;
        }
        const double factor = ours / e->joint[c].value;
        near.worst = fmax(near.worst, fmax(factor, 1 / factor));
    }
    return near;
}
