/* plan.c - see plan.h. */
#include "sweep/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/keys.h"

enum { MAX_TEXT = 1024 };

/* ---- one point ---- */

/* Fills `template` in, at `*at` of the storage. */
static const char *fill(const struct experiment *e, size_t setting, const char *template, char **at)
{
    const char *begin = *at;
    if (!parameters_fill(&e->parameters, setting, template, *at, MAX_TEXT)) {
        return NULL;
    }
    *at += strlen(*at) + 1;
    return begin;
}

/* The timed kernels as `warplock run --timed` takes them; false: too long a text. */
static bool join_timed(const struct experiment *e, char *to)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n_timed && n < MAX_TEXT; i++) {
        n += (size_t)snprintf(to + n, MAX_TEXT - n, "%s%s", i > 0 ? "," : "", e->timed[i]);
    }
    return n < MAX_TEXT;
}

bool plan_point(const struct experiment *e, const struct cell *cell, const char *size,
                struct plan_point *out, char *error, size_t n_error)
{
    const struct scheme *scheme = &e->schemes[cell->scheme];
    const size_t n_set = e->n_set + scheme->n_set;
    const char *row = e->workloads[cell->workload], *colon = strchr(row, ':');
    *out = (struct plan_point){0};
    out->storage = calloc(1, n_set * sizeof(char *) + (n_set + 5) * MAX_TEXT);
    if (out->storage == NULL) {
        snprintf(error, n_error, "out of memory");
        return false;
    }
    const char **set = (const char **)(void *)out->storage;
    char *at = out->storage + n_set * sizeof(char *);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(row, ":"), row);
    bool fits = true;
    for (size_t i = 0; i < n_set && fits; i++) {
        set[i] = fill(e, cell->setting, i < e->n_set ? e->set[i] : scheme->set[i - e->n_set], &at);
        fits = set[i] != NULL;
    }
    struct run_point *p = &out->point;
    fits = fits && (p->machine = fill(e, cell->setting, e->machine, &at)) != NULL &&
           (p->workload = fill(e, cell->setting, name, &at)) != NULL &&
           (p->mechanisms = fill(e, cell->setting, scheme->mechanisms, &at)) != NULL &&
           (p->size = fill(e, cell->setting,
                           size != NULL    ? size
                           : colon != NULL ? colon + 1
                                           : e->size,
                           &at)) != NULL &&
           join_timed(e, at);
    if (!fits) {
        snprintf(error, n_error, "a text of a point has more than %d characters; shorten it",
                 MAX_TEXT - 1);
        plan_point_free(out);
        return false;
    }
    p->timed = at;
    p->set = set;
    p->n_set = n_set;
    p->seed = e->seeds[cell->seed];
    return true;
}

void plan_point_free(struct plan_point *point)
{
    free(point->storage);
    point->storage = NULL;
}

/* ---- keys ---- */

static bool key_of(struct plan *plan, const struct cell *cell, struct run *run, char *error,
                   size_t n_error)
{
    const struct world *world = plan->world;
    struct plan_point point;
    if (!plan_point(plan->experiment, cell, plan->size, &point, error, n_error)) {
        return false;
    }
    const struct run_point *p = &point.point;
    char why[512];
    const char *machine = world->machine(world->self, p, why, sizeof why), *workload = NULL;
    if (machine == NULL) {
        /* Where the machine is right by itself it is what the scheme changes of it. */
        struct run_point alone = *p;
        char ignored[512];
        alone.n_set = plan->experiment->n_set;
        const bool blame = alone.n_set < p->n_set &&
                           world->machine(world->self, &alone, ignored, sizeof ignored) != NULL;
        snprintf(error, n_error, "%s: %s",
                 blame ? plan->experiment->schemes[cell->scheme].place
                       : plan->experiment->machine_place,
                 why);
    } else if ((workload = world->workload(world->self, p, why, sizeof why)) == NULL) {
        snprintf(error, n_error, "%s: %s", plan->experiment->workload_places[cell->workload], why);
    }
    if (workload != NULL) {
        struct digest digest;
        char seed[32];
        digest_begin(&digest);
        digest_text(&digest, machine);
        digest_end(&digest, run->machine_digest);
        snprintf(seed, sizeof seed, "%llu", p->seed);
        const char *const parts[] = {world->code,   machine, p->machine, workload,
                                     p->mechanisms, seed,    p->timed};
        digest_begin(&digest);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            digest_text(&digest, parts[i]);
        }
        digest_end(&digest, run->key);
    }
    plan_point_free(&point);
    return workload != NULL;
}

static int fill_plan(struct plan *plan, struct keys *keys, char *error, size_t n_error)
{
    const struct experiment *e = plan->experiment;
    for (size_t n = 0; n < e->parameters.n_settings * e->n_workloads * e->n_schemes * e->n_seeds;
         n++) {
        struct cell cell = {.seed = n % e->n_seeds,
                            .scheme = n / e->n_seeds % e->n_schemes,
                            .workload = n / e->n_seeds / e->n_schemes % e->n_workloads,
                            .setting = n / e->n_seeds / e->n_schemes / e->n_workloads};
        struct run *run = &plan->runs[keys->n];
        if (!scheme_is_run(&e->schemes[cell.scheme])) {
            continue;
        }
        run->cell = plan->n_cells;
        if (!key_of(plan, &cell, run, error, n_error)) {
            return -1;
        }
        cell.run = keys_add(keys, run->key);
        plan->cells[plan->n_cells++] = cell;
    }
    plan->n_runs = keys->n;
    return 0;
}

int plan_new(struct plan *plan, const struct experiment *e, const struct world *world,
             const char *size, char *error, size_t n_error)
{
    const size_t most = e->parameters.n_settings * e->n_workloads * e->n_schemes * e->n_seeds;
    struct keys keys;
    *plan = (struct plan){.experiment = e, .world = world, .size = size};
    plan->cells = calloc(most, sizeof *plan->cells);
    plan->runs = calloc(most + 1, sizeof *plan->runs); /* one to try the next key in */
    int status = -1;
    if (!keys_new(&keys, most) || plan->cells == NULL || plan->runs == NULL) {
        snprintf(error, n_error, "out of memory for %zu points", most);
    } else {
        status = fill_plan(plan, &keys, error, n_error);
    }
    keys_free(&keys);
    if (status != 0) {
        plan_free(plan);
    }
    return status;
}

void plan_free(struct plan *plan)
{
    free(plan->cells);
    free(plan->runs);
    plan->cells = NULL;
    plan->runs = NULL;
}

/* ---- what a worker gets ---- */

static json_t *arguments_of(const struct run_point *p)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", p->seed);
    json_t *list = json_pack("[s, s, s, s, s, s, s, s]", "-w", p->workload, "--size", p->size, "-c",
                             p->machine, "--seed", seed);
    if (*p->mechanisms != '\0') {
        json_array_append_new(list, json_string("-m"));
        json_array_append_new(list, json_string(p->mechanisms));
    }
    if (*p->timed != '\0') {
        json_array_append_new(list, json_string("--timed"));
        json_array_append_new(list, json_string(p->timed));
    }
    for (size_t i = 0; i < p->n_set; i++) {
        json_array_append_new(list, json_string("--set"));
        json_array_append_new(list, json_string(p->set[i]));
    }
    return list;
}

json_t *plan_run_json(const struct plan *plan, const struct run *run)
{
    struct plan_point point;
    char error[256];
    const struct experiment *e = plan->experiment;
    if (!plan_point(e, &plan->cells[run->cell], plan->size, &point, error, sizeof error)) {
        return NULL; /* it was made once, for its key */
    }
    const struct run_point *p = &point.point;
    json_t *set = json_array();
    for (size_t i = 0; i < p->n_set; i++) {
        json_array_append_new(set, json_string(p->set[i]));
    }
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:I, s:o, s:f, s:f}",
                               "key", run->key, "program", plan->world->code, "project",
                               plan->world->project, "machine", p->machine, "machine_digest",
                               run->machine_digest, "workload", p->workload, "size", p->size,
                               "mechanisms", p->mechanisms, "settings", set, "seed",
                               (json_int_t)p->seed, "arguments", arguments_of(p), "limit_seconds",
                               e->limits.seconds, "limit_memory_mb", e->limits.memory_mb);
    plan_point_free(&point);
    return object;
}
