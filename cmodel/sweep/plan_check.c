/* plan_check.c - do the counters that an experiment's metrics name exist in its runs?  See plan.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/plan.h"

/* The statistics, before the first cycle, of one run for each scheme. */
static json_t *counters_of(const struct plan *plan, size_t scheme, char *error, size_t n_error)
{
    const struct cell cell = {.scheme = scheme};
    struct plan_point point;
    if (!plan_point(plan->experiment, &cell, plan->size, &point, error, n_error)) {
        return NULL;
    }
    json_t *counters = plan->world->counters(plan->world->self, &point.point, error, n_error);
    plan_point_free(&point);
    return counters;
}

/* One of the machine must be in all runs, one of a mechanism in those of a scheme at least. */
static bool is_there(json_t *const *counters, size_t n, const char *name)
{
    size_t in = 0, of = 0;
    for (size_t s = 0; s < n; s++) {
        of += counters[s] != NULL;
        in += counters[s] != NULL && expression_has(counters[s], name);
    }
    return strncmp(name, "mechanisms.", 11) == 0 ? in > 0 : in == of;
}

static const char *first_missing(const struct expression *expression, json_t *const *counters,
                                 size_t n)
{
    const char *const *names;
    const size_t n_names = expression != NULL ? expression_names(expression, &names) : 0;
    for (size_t i = 0; i < n_names; i++) {
        if (!is_there(counters, n, names[i])) {
            return names[i];
        }
    }
    return NULL;
}

static int say(const struct metric *metric, const char *key, const char *what, char *error,
               size_t n_error)
{
    snprintf(error, n_error,
             "%s: '%s' of the metric '%s': no counter '%s'; `warplock run "
             "--counters` and the JSON of `warplock run --json` show all",
             metric->place, key, metric->name, what);
    return -1;
}

int plan_check_counters(const struct plan *plan, char *error, size_t n_error)
{
    const struct experiment *e = plan->experiment;
    json_t **counters = calloc(e->n_schemes, sizeof *counters);
    int status = counters != NULL ? 0 : -1;
    for (size_t s = 0; s < e->n_schemes && status == 0; s++) {
        char why[1024];
        if (e->schemes[s].n_best_of == 0 &&
            (counters[s] = counters_of(plan, s, why, sizeof why)) == NULL) {
            snprintf(error, n_error, "%s: scheme '%s': %s", e->schemes[s].place, e->schemes[s].name,
                     why);
            status = -1;
        }
    }
    for (size_t m = 0; m < e->n_metrics && status == 0; m++) {
        const struct metric *metric = &e->metrics[m];
        const char *missing;
        if ((missing = first_missing(metric->of, counters, e->n_schemes)) != NULL) {
            status = say(metric, "of", missing, error, n_error);
        } else if ((missing = first_missing(metric->weight, counters, e->n_schemes)) != NULL) {
            status = say(metric, "weight", missing, error, n_error);
        } else if ((missing = first_missing(metric->where, counters, e->n_schemes)) != NULL) {
            status = say(metric, "where", missing, error, n_error);
        }
    }
    for (size_t s = 0; counters != NULL && s < e->n_schemes; s++) {
        json_decref(counters[s]);
    }
    free(counters);
    return status;
}
