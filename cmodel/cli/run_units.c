/* run_units.c - the hardware units of a simulation, opened through the harness. */
#include "cli/run_units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/mechanism.h"
#include "tb/backend.h"
#include "tb/report.h"

struct run_units {
    struct library *library;
    struct mechanism_set *set;
};

static const struct unit_backend *open_unit(void *self, const char *unit, const char *overrides,
                                            const char *backend, char *error, size_t n_error)
{
    struct failure failure;
    const struct unit_backend *opened = library_open(self, unit, overrides, backend, &failure);
    if (opened == NULL) {
        snprintf(error, n_error, "%s", failure.words);
    }
    return opened;
}

struct run_units *run_units_attach(struct gpu *gpu, const char *names, const char *backends,
                                   char *error, size_t n_error)
{
    struct run_units *units = calloc(1, sizeof *units);
    if (units == NULL || (units->library = library_new(NULL)) == NULL) {
        snprintf(error, n_error, "out of memory");
        free(units);
        return NULL;
    }
    const struct unit_source source = {units->library, open_unit};
    units->set = mechanism_attach(gpu, &source, names, backends, error, n_error);
    if (units->set == NULL) {
        library_free(units->library);
        free(units);
        return NULL;
    }
    return units;
}

void run_units_detach(struct run_units *units)
{
    if (units != NULL) {
        mechanism_detach(units->set);
        library_free(units->library);
        free(units);
    }
}

/* Sum over all instances of the same backend; reports the first that differs. */
static bool report_kind(const struct run_units *units, size_t first, FILE *out)
{
    const struct unit_backend *backend = mechanism_unit(units->set, first)->backend;
    uint64_t steps = 0, values = 0;
    size_t instances = 0;
    bool equal = true;
    for (size_t i = first; i < mechanism_n_units(units->set); i++) {
        const struct mechanism_unit *unit = mechanism_unit(units->set, i);
        struct lockstep_report report;
        if (unit->backend != backend) {
            continue;
        }
        instances++;
        if (!lockstep_is(backend)) {
            continue;
        }
        lockstep_get(unit->instance, &report);
        steps += report.steps;
        values += report.values;
        if (report.mismatch && equal) {
            const struct report_context context = {0, NULL, NULL};
            fprintf(out, "%s:\n", unit->where);
            report_mismatch(out, backend->desc, &report, &context);
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
    json_object_foreach(all, name, one) {
        const char *before = "";
        int column = fprintf(out, "%-14s ", name);
        json_object_foreach(one, key, value) {
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
            first &= mechanism_unit(units->set, before)->backend !=
                     mechanism_unit(units->set, i)->backend;
        }
        if (first) {
            equal &= report_kind(units, i, out);
        }
    }
    return equal;
}
