/* experiment_swept.c - what an experiment runs: machines, workloads, seeds, limits, which kernels take
 * time, and whether what is swept makes sense as a whole. */
#include <stdio.h>
#include <string.h>

#include "experiments/experiment_read.h"

static void keep_workloads(struct reader *r, struct experiment *e, const char *pointer,
                           const json_t *list)
{
    e->n_workloads = json_array_size(list);
    e->workloads = reader_list_texts(r, pointer, list);
    e->workload_places = reader_keep(r, (e->n_workloads + 1) * sizeof *e->workload_places);
    for (size_t w = 0; w < e->n_workloads && !r->failed; w++) {
        e->workload_places[w] = reader_place(r, place_at(pointer, w).text);
    }
    if (e->n_workloads == 0) {
        reader_wrong(r, pointer, "there must be one workload or more");
    }
    for (size_t w = 1; w < e->n_workloads && !r->failed; w++) {
        size_t before = 0;
        while (strcmp(e->workloads[before], e->workloads[w]) != 0) {
            before++;
        }
        if (before < w) {
            reader_wrong(r, place_at(pointer, w).text, "'%.60s' is there twice; name a row once",
                         e->workloads[w]);
        }
    }
}

/* A list, or the name of a file with one. */
void read_workloads(struct reader *r, struct experiment *e, const json_t *root)
{
    const json_t *value = json_object_get(root, "workloads");
    if (!json_is_string(value)) {
        keep_workloads(r, e, "/workloads", reader_array(r, "", root, "workloads", 1));
        return;
    }
    struct included included;
    const json_t *list = reader_include(r, "/workloads", json_string_value(value), "workloads",
                                        &included);
    keep_workloads(r, e, "", list);
    reader_leave(r, &included);
}

/* "machine", or several "machines", which are a parameter of that name. */
static void read_machines(struct reader *r, struct experiment *e, const json_t *root)
{
    size_t n;
    e->machine_place = reader_place(r,
                                    json_object_get(root, "machines") ? "/machines" : "/machine");
    if (json_object_get(root, "machines") == NULL) {
        e->machine = reader_text(r, "", root, "machine", NULL);
        return;
    }
    if (json_object_get(root, "machine") != NULL) {
        reader_wrong(r, "/machine", "give 'machine' or 'machines', not both");
    }
    const char **machines = reader_texts(r, "", root, "machines", 1, &n);
    if (!r->failed) {
        parameters_add(r, &e->parameters, "machine", machines, n);
    }
    e->machine = "{machine}";
}

static void read_seeds(struct reader *r, struct experiment *e, const json_t *root)
{
    const json_t *list = reader_array(r, "", root, "seeds", 0), *one;
    size_t i;
    if (list != NULL && json_array_size(list) == 0) {
        reader_wrong(r, "/seeds", "'seeds' is empty; leave it out for seed 1");
    }
    e->seeds = reader_keep(r, (json_array_size(list) + 1) * sizeof *e->seeds);
    e->seeds[0] = 1;
    json_array_foreach(list, i, one)
    {
        if (!json_is_integer(one) || json_integer_value(one) < 0) {
            reader_wrong(r, place_at("/seeds", i).text, "a seed is a whole number from 0");
            return;
        }
        e->seeds[i] = (uint64_t)json_integer_value(one);
    }
    e->n_seeds = list != NULL ? json_array_size(list) : 1;
}

static void read_limits(struct reader *r, struct experiment *e, const json_t *root)
{
    const json_t *limits = json_object_get(root, "limits");
    if (limits == NULL) {
        return;
    }
    reader_keys(r, "/limits", limits, "seconds memory_mb");
    e->limits.seconds = reader_number(r, "/limits", limits, "seconds", 0);
    e->limits.memory_mb = reader_number(r, "/limits", limits, "memory_mb", 0);
    if (e->limits.seconds < 0 || e->limits.seconds > 1e8 || e->limits.memory_mb < 0 ||
        e->limits.memory_mb > 1e9) {
        reader_wrong(r, "/limits", "'seconds' is 0 to 1e8, 'memory_mb' 0 to 1e9; 0 is no limit");
    }
}

static void add_timed(struct experiment *e, const char *kernel)
{
    for (size_t i = 0; i < e->n_timed; i++) {
        if (strcmp(e->timed[i], kernel) == 0) {
            return;
        }
    }
    e->timed[e->n_timed++] = kernel;
}

/* Of some kernels one launch in so many. */
static void read_samples(struct reader *r, struct experiment *e, const json_t *samples)
{
    const char *kernel;
    const json_t *in;
    json_object_foreach((json_t *)samples, kernel, in)
    {
        char text[300];
        size_t i = 0;
        while (i < e->n_timed && strcmp(e->timed[i], kernel) != 0) {
            i++;
        }
        if (i == e->n_timed) {
            reader_wrong(r, "/timed", "no metric has launches of '%s'", kernel);
        } else if (!json_is_integer(in) || json_integer_value(in) < 2 ||
                   json_integer_value(in) > 1000) {
            reader_wrong(r, "/timed", "of '%s' one launch in 2 to 1000 can take time", kernel);
        } else {
            snprintf(text, sizeof text, "%.250s/%d", kernel, (int)json_integer_value(in));
            e->timed[i] = reader_keep_text(r, text);
        }
    }
}

void read_timed(struct reader *r, struct experiment *e, const json_t *root)
{
    const json_t *timed = json_object_get(root, "timed");
    size_t n = 0;
    if (timed != NULL && !json_is_boolean(timed) && !json_is_object(timed)) {
        reader_wrong(r, "/timed",
                     "'timed' is true or false, or of some kernels one launch in how many, as "
                     "{\"KERNEL\": 3}");
    }
    if (!json_is_true(timed) && !json_is_object(timed)) {
        return;
    }
    for (size_t m = 0; m < e->n_metrics; m++) {
        n += e->metrics[m].n_launches;
    }
    if (n == 0) {
        reader_wrong(r, "/timed",
                     "no metric has 'launches', whose kernels would take time; give "
                     "them, or leave 'timed' out");
    }
    e->timed = reader_keep(r, (n + 1) * sizeof *e->timed);
    for (size_t m = 0; m < e->n_metrics; m++) {
        for (size_t i = 0; i < e->metrics[m].n_launches; i++) {
            add_timed(e, e->metrics[m].launches[i]);
        }
    }
    if (json_is_object(timed)) {
        read_samples(r, e, timed);
    }
}

static void check_texts(struct reader *r, struct experiment *e, const char *pointer,
                        const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        parameters_check_text(r, &e->parameters, place_at(pointer, i).text, texts[i]);
    }
}

void check_parameters(struct reader *r, struct experiment *e)
{
    parameters_check_derived(r, &e->parameters);
    parameters_check_text(r, &e->parameters, "/machine", e->machine);
    parameters_check_text(r, &e->parameters, "/size", e->size);
    check_texts(r, e, "/workloads", e->workloads, e->n_workloads);
    check_texts(r, e, "/set", e->set, e->n_set);
    for (size_t s = 0; s < e->n_schemes; s++) {
        const struct place place = place_at("/schemes", s);
        parameters_check_text(r, &e->parameters, place_below(place.text, "mechanisms").text,
                              e->schemes[s].mechanisms);
        check_texts(r, e, place_below(place.text, "set").text, e->schemes[s].set,
                    e->schemes[s].n_set);
    }
    for (size_t p = 0; p < e->parameters.n; p++) {
        const struct parameter *one = &e->parameters.at[p];
        if (!one->used) {
            reader_wrong(r, one->where,
                         "nothing uses the parameter '%.60s'; write {%.60s} where its value goes",
                         one->name, one->name);
        }
    }
}

void check_size(struct reader *r, const struct experiment *e)
{
    size_t runs = 0;
    for (size_t s = 0; s < e->n_schemes; s++) {
        runs += scheme_is_run(&e->schemes[s]);
    }
    const double points = (double)e->parameters.n_settings * (double)e->n_workloads * (double)runs *
                          (double)e->n_seeds;
    if (points > PARAMETER_MAX_SETTINGS) {
        reader_wrong(r, e->parameters.n > 0 ? "/parameters" : "",
                     "%zu settings x %zu workloads x %zu schemes x %zu seeds are %.0f points; at "
                     "most %d are run, take fewer values",
                     e->parameters.n_settings, e->n_workloads, runs, e->n_seeds, points,
                     PARAMETER_MAX_SETTINGS);
    } else if (runs == 0) {
        reader_wrong(r, "/schemes", "no scheme is run; give one without 'best_of' and 'chosen'");
    }
}

void read_swept(struct reader *r, struct experiment *e, const json_t *root)
{
    e->parameters.n_settings = 1;
    read_machines(r, e, root);
    if (!r->failed) {
        parameters_read(r, &e->parameters, reader_array(r, "", root, "parameters", 0));
    }
    e->set = reader_texts(r, "", root, "set", 0, &e->n_set);
    read_seeds(r, e, root);
    read_limits(r, e, root);
}
