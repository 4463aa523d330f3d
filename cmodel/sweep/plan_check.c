/* plan_check.c - can what an experiment's points ask for be plugged together, and do the counters
 * that its metrics name exist?  See plan.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "sweep/plan.h"

/* Machines are made of the first so many pairs of machine and mechanisms, some milliseconds each,
 * and of each text of mechanisms; what others do not fit fails when it is run. */
enum { MOST_PAIRS = 100, EXPRESSIONS = 3 };

struct seen {
    UT_hash_handle hh;
    char text[];
};

struct check {
    const struct plan *plan;
    struct seen *mechanisms; /* texts of a scheme */
    struct seen *pairs;      /* the digest of a machine, and such a text */
    struct seen *counters;   /* of mechanisms, in some run at least */
};

static const char *const keys[EXPRESSIONS] = {"of", "weight", "where"};

static const struct expression *expression_of(const struct metric *metric, size_t which)
{
    return which == 0 ? metric->of : which == 1 ? metric->weight : metric->where;
}

static bool is_seen(struct seen *set, const char *text)
{
    struct seen *one;
    HASH_FIND_STR(set, text, one);
    return one != NULL;
}

/* False when it was there, or there is no memory. */
static bool see(struct seen **set, const char *text)
{
    struct seen *one = is_seen(*set, text) ? NULL : malloc(sizeof *one + strlen(text) + 1);
    if (one != NULL) {
        strcpy(one->text, text);
        HASH_ADD_STR(*set, text, one);
    }
    return one != NULL;
}

static void forget(struct seen *set)
{
    struct seen *one, *next;
    HASH_ITER(hh, set, one, next)
    {
        HASH_DEL(set, one);
        free(one);
    }
}

/* ---- counters ---- */

static bool is_of_mechanism(const char *counter)
{
    return strncmp(counter, "mechanisms.", 11) == 0;
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

/* Calls `look` for every counter that a metric names, until it says -1. */
static int each_counter(struct check *check, const json_t *run,
                        int (*look)(struct check *, const json_t *, const char *), char *error,
                        size_t n_error)
{
    const struct experiment *e = check->plan->experiment;
    for (size_t i = 0; i < e->n_metrics * EXPRESSIONS; i++) {
        const struct metric *metric = &e->metrics[i / EXPRESSIONS];
        const struct expression *expression = expression_of(metric, i % EXPRESSIONS);
        const char *const *names;
        const bool of_run = expression != NULL && metric->n_launches == 0;
        const size_t n = of_run ? expression_names(expression, &names) : 0;
        for (size_t k = 0; k < n; k++) {
            if (look(check, run, names[k]) != 0) {
                return say(metric, keys[i % EXPRESSIONS], names[k], error, n_error);
            }
        }
    }
    return 0;
}

/* One of the machine must be in all runs, one of a mechanism in one at least. */
static int look_in_run(struct check *check, const json_t *run, const char *name)
{
    const bool has = expression_has(run, name);
    if (has && is_of_mechanism(name)) {
        see(&check->counters, name);
    }
    return has || is_of_mechanism(name) ? 0 : -1;
}

static int look_in_all(struct check *check, const json_t *run, const char *name)
{
    (void)run;
    return !is_of_mechanism(name) || is_seen(check->counters, name) ? 0 : -1;
}

/* ---- runs ---- */

/* The statistics of the point before its first cycle have what metrics name. */
static int try_point(struct check *check, const struct cell *cell, const struct run_point *point,
                     char *error, size_t n_error)
{
    const struct experiment *e = check->plan->experiment;
    const struct scheme *scheme = &e->schemes[cell->scheme];
    char why[1024], setting[256];
    json_t *run = check->plan->world->counters(check->plan->world->self, point, why, sizeof why);
    if (run == NULL) {
        parameters_describe(&e->parameters, cell->setting, setting, sizeof setting);
        snprintf(error, n_error, "%s: scheme '%s'%s%s: %s", scheme->place, scheme->name,
                 *setting != '\0' ? " at " : "", setting, why);
        return -1;
    }
    const int status = each_counter(check, run, look_in_run, error, n_error);
    json_decref(run);
    return status;
}

static int check_run(struct check *check, const struct run *run, char *error, size_t n_error)
{
    const struct plan *plan = check->plan;
    const struct cell *cell = &plan->cells[run->cell];
    struct plan_point point;
    char pair[DIGEST_DIGITS + 1100];
    if (!plan_point(plan->experiment, cell, plan->size, &point, error, n_error)) {
        return -1;
    }
    snprintf(pair, sizeof pair, "%s %s", run->machine_digest, point.point.mechanisms);
    const bool fresh = see(&check->mechanisms, point.point.mechanisms);
    int status = 0;
    if (fresh || (HASH_COUNT(check->pairs) < MOST_PAIRS && !is_seen(check->pairs, pair))) {
        see(&check->pairs, pair);
        status = try_point(check, cell, &point.point, error, n_error);
    }
    plan_point_free(&point);
    return status;
}

int plan_check(const struct plan *plan, char *error, size_t n_error)
{
    struct check check = {.plan = plan};
    int status = 0;
    for (size_t r = 0; r < plan->n_runs && status == 0; r++) {
        status = check_run(&check, &plan->runs[r], error, n_error);
    }
    if (status == 0) {
        status = each_counter(&check, NULL, look_in_all, error, n_error);
    }
    forget(check.mechanisms);
    forget(check.pairs);
    forget(check.counters);
    return status;
}
