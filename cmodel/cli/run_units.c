/* run_units.c - the hardware units of a simulation, opened through the harness. */
#include "cli/run_units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/mechanism.h"
#include "tb/backend.h"
#include "tb/difference.h"
#include "tb/lockstep.h"
#include "tb/traced.h"

enum { MAX_TRACED = 64 };

struct run_units {
    struct library *library;
    bool borrowed; /* the library is another's */
    struct mechanism_set *set;
    bool trace, inside;
    struct unit_backend *traced[MAX_TRACED]; /* one for each backend that was opened */
    size_t n_traced;
    struct run_wave *wave; /* NULL: none */
    struct run_timeline *timeline;
};

/* The backend to be traced, in front of `inner`; NULL when there are too many. */
static const struct unit_backend *traced(struct run_units *units, const struct unit_backend *inner)
{
    for (size_t i = 0; i < units->n_traced; i++) {
        if (traced_backend(units->traced[i]) == inner) {
            return units->traced[i];
        }
    }
    struct unit_backend *backend = units->n_traced < MAX_TRACED ? traced_backend_new(inner) : NULL;
    if (backend != NULL) {
        units->traced[units->n_traced++] = backend;
    }
    return backend;
}

static const struct unit_backend *open_unit(void *self, const char *unit, const char *overrides,
                                            const char *backend, char *error, size_t n_error)
{
    struct run_units *units = self;
    struct failure failure;
    const struct unit_backend *opened = library_open(units->library, unit, overrides, backend,
                                                     &failure);
    if (opened != NULL && units->inside) {
        opened = library_open_inside(units->library, opened, &failure);
    }
    if (opened == NULL) {
        snprintf(error, n_error, "%s", failure.words);
        return NULL;
    }
    if (units->trace && (opened = traced(units, opened)) == NULL) {
        snprintf(error, n_error, "%s: no memory or more than %d kinds of units to trace", unit,
                 MAX_TRACED);
    }
    return opened;
}

struct run_units *run_units_open(struct gpu *gpu, const struct run_units_options *options,
                                 char *error, size_t n_error)
{
    struct run_units *units = calloc(1, sizeof *units);
    if (units != NULL) {
        units->borrowed = options->library != NULL;
        units->library = units->borrowed ? options->library : library_new(NULL);
    }
    if (units == NULL || units->library == NULL) {
        snprintf(error, n_error, "out of memory");
        free(units);
        return NULL;
    }
    library_keep_past(units->library, options->past_steps);
    units->trace = options->wave.path != NULL;
    units->inside = units->trace && options->wave.inside;
    const struct unit_source source = {units, open_unit};
    units->set = mechanism_attach(gpu, &source, options->names, options->backends, error, n_error);
    bool good = units->set != NULL;
    if (good && units->trace) {
        units->wave = run_wave_open(gpu, units->set, &options->wave, error, n_error);
        good = units->wave != NULL;
    }
    if (good && options->timeline.path != NULL) {
        units->timeline = run_timeline_open(gpu, units, &options->timeline, error, n_error);
        good = units->timeline != NULL;
    }
    if (!good) {
        run_units_detach(units);
        return NULL;
    }
    return units;
}

struct run_units *run_units_attach(struct gpu *gpu, const char *names, const char *backends,
                                   char *error, size_t n_error)
{
    const struct run_units_options options = {.names = names, .backends = backends};
    return run_units_open(gpu, &options, error, n_error);
}

bool run_units_end_wave(struct run_units *units, FILE *out)
{
    const bool drawn = units->timeline == NULL || run_timeline_close(units->timeline, out);
    const bool whole = (units->wave == NULL || run_wave_close(units->wave, out)) && drawn;
    units->wave = NULL;
    units->timeline = NULL;
    return whole;
}

void run_units_detach(struct run_units *units)
{
    if (units == NULL) {
        return;
    }
    run_units_end_wave(units, stderr);
    if (units->set != NULL) {
        mechanism_detach(units->set);
    }
    if (!units->borrowed) {
        library_free(units->library);
    }
    for (size_t i = 0; i < units->n_traced; i++) {
        traced_backend_free(units->traced[i]);
    }
    free(units);
}

/* A unit without what traces it. */
struct bare {
    const struct unit_backend *backend;
    void *instance;
};

static struct bare bare_unit(const struct run_units *units, size_t i)
{
    const struct mechanism_unit *unit = mechanism_unit(units->set, i);
    if (traced_is(unit->backend)) {
        return (struct bare){traced_backend(unit->backend), traced_instance(unit->instance)};
    }
    return (struct bare){unit->backend, unit->instance};
}

/* Sum over all instances of the same backend; reports the first that differs. */
static bool report_kind(const struct run_units *units, size_t first, FILE *out)
{
    const struct unit_backend *backend = bare_unit(units, first).backend;
    uint64_t steps = 0, values = 0;
    size_t instances = 0;
    bool equal = true;
    for (size_t i = first; i < mechanism_n_units(units->set); i++) {
        const struct bare unit = bare_unit(units, i);
        struct lockstep_report report;
        if (unit.backend != backend) {
            continue;
        }
        instances++;
        if (!lockstep_is(backend)) {
            continue;
        }
        lockstep_get(unit.instance, &report);
        steps += report.steps;
        values += report.values;
        if (report.mismatch && equal) {
            difference_report(units->library, backend, unit.instance,
                              mechanism_unit(units->set, i)->where, out);
            equal = false;
        }
    }
    fprintf(out, "unit           %s x %zu on %s", backend->desc->name, instances, backend->name);
    if (lockstep_is(backend)) {
        fprintf(out, ": %" PRIu64 " steps, %" PRIu64 " values compared, %s", steps, values,
                equal ? "all equal" : "MISMATCH");
    }
    fputc('\n', out);
    return equal;
}

json_t *run_units_json(const struct run_units *units)
{
    return mechanism_statistics(units->set);
}

/* "adi            caches 16, bits_changed 80": the single numbers of a mechanism. */
static void report_mechanisms(const struct run_units *units, FILE *out)
{
    json_t *all = run_units_json(units), *one, *value;
    const char *name, *key;
    json_object_foreach(all, name, one)
    {
        const char *before = "";
        int column = fprintf(out, "%-14s ", name);
        json_object_foreach(one, key, value)
        {
            if (column > 76) {
                column = fprintf(out, ",\n%-15s", "") - 2;
                before = "";
            }
            if (json_is_number(value)) {
                column += fprintf(out, "%s%s %.10g", before, key, json_number_value(value));
                before = ", ";
            }
        }
        fputc('\n', out);
    }
    json_decref(all);
}

bool run_units_report(const struct run_units *units, FILE *out)
{
    const char *difference = mechanism_difference(units->set);
    bool equal = difference == NULL;
    report_mechanisms(units, out);
    if (difference != NULL) {
        fprintf(out, "MISMATCH       %s\n", difference);
    }
    for (size_t i = 0; i < mechanism_n_units(units->set); i++) {
        bool first = true;
        for (size_t before = 0; before < i; before++) {
            first &= bare_unit(units, before).backend != bare_unit(units, i).backend;
        }
        if (first) {
            equal &= report_kind(units, i, out);
        }
    }
    return equal;
}
