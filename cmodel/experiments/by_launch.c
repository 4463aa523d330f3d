/* by_launch.c - see by_launch.h. */
#include "experiments/by_launch.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/expression.h"

bool by_launch_has(const char *counter)
{
    return strcmp(counter, "launch.cycles") == 0 ||
           strcmp(counter, "launch.warp_instructions") == 0;
}

static bool is_of(const struct metric *metric, const json_t *launch)
{
    const char *kernel = json_string_value(json_object_get(launch, "kernel"));
    for (size_t k = 0; k < metric->n_launches && kernel != NULL; k++) {
        if (strcmp(metric->launches[k], kernel) == 0) {
            return true;
        }
    }
    return false;
}

static json_int_t number_of(const json_t *launch, const char *name)
{
    return json_integer_value(json_object_get(launch, name));
}

static bool add(const struct metric *metric, const json_t *launch, struct by_launch *launches,
                char *error, size_t n_error)
{
    double value, where = 1;
    json_t *counters = json_pack("{s:{s:I, s:I}}", "launch", "cycles",
                                 number_of(launch, "end_cycle") - number_of(launch, "start_cycle"),
                                 "warp_instructions", number_of(launch, "warp_instructions"));
    const bool good = expression_value(metric->of, counters, &value, error, n_error) &&
                      (metric->where == NULL ||
                       expression_value(metric->where, counters, &where, error, n_error));
    json_decref(counters);
    if (good) {
        launches->value[launches->n++] = where > 0 && isfinite(value) ? value : NAN;
    }
    return good;
}

bool by_launch_of(const struct metric *metric, const json_t *run, struct by_launch *launches,
                  char *error, size_t n_error)
{
    const json_t *all = json_object_get(json_object_get(run, "statistics"), "launches"), *one;
    size_t i;
    *launches = (struct by_launch){.value = calloc(json_array_size(all) + 1, sizeof(double))};
    if (launches->value == NULL) {
        snprintf(error, n_error, "out of memory");
        return false;
    }
    json_array_foreach(all, i, one)
    {
        if (is_of(metric, one) && !add(metric, one, launches, error, n_error)) {
            by_launch_free(launches);
            return false;
        }
    }
    return true;
}

char *by_launch_text(const struct by_launch *launches)
{
    json_t *list = json_array();
    for (size_t i = 0; i < launches->n; i++) {
        json_array_append_new(list, isnan(launches->value[i]) ? json_null()
                                                              : json_real(launches->value[i]));
    }
    char *text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    return text;
}

bool by_launch_read(struct by_launch *launches, const char *text)
{
    json_t *list = json_loads(text != NULL ? text : "", 0, NULL), *one;
    size_t i;
    *launches = (struct by_launch){.value = calloc(json_array_size(list) + 1, sizeof(double))};
    if (list == NULL || launches->value == NULL) {
        json_decref(list);
        by_launch_free(launches);
        return false;
    }
    json_array_foreach(list, i, one)
    {
        launches->value[launches->n++] = json_is_number(one) ? json_number_value(one) : NAN;
    }
    json_decref(list);
    return true;
}

struct by_launch by_launch_copy(const struct by_launch *launches)
{
    struct by_launch copy = {.value = calloc(launches->n + 1, sizeof(double))};
    if (copy.value != NULL && launches->n > 0) { /* of no launches there are no values to copy */
        copy.n = launches->n;
        memcpy(copy.value, launches->value, copy.n * sizeof(double));
    }
    return copy;
}

void by_launch_free(struct by_launch *launches)
{
    free(launches->value);
    *launches = (struct by_launch){0};
}

double by_launch_mean(enum mean_kind kind, const struct by_launch *launches,
                      const struct by_launch *base)
{
    struct mean mean = {.kind = kind};
    for (size_t i = 0; i < launches->n && (base == NULL || i < base->n); i++) {
        mean_add(&mean, launches->value[i] / (base != NULL ? base->value[i] : 1), 1);
    }
    return mean_end(&mean);
}
