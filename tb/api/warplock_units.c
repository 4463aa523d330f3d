/* warplock_units.c - see warplock-units.h.  The one file of libwarplock-units whose functions are
 * visible; what it stands on is tb/backend.h and tb/lockstep.h. */
#include "tb/api/warplock-units.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/project.h"
#include "tb/backend.h"
#include "tb/difference.h"
#include "tb/lockstep.h"
#include "tb/past.h"

#define VISIBLE __attribute__((visibility("default")))

struct wl_library {
    struct library *units;
};

struct wl_unit {
    struct wl_library *library;
    const struct unit_backend *backend;
    void *instance;
    uint64_t *in, *out;
    unsigned *in_width, *out_width; /* of each slot */
    char *difference;
};

VISIBLE struct wl_library *wl_open_version(int version, const char *project, char *error,
                                           size_t n_error)
{
    char root[PATH_MAX];
    if (version != WL_VERSION) {
        snprintf(error, n_error,
                 "compiled for version %d of warplock-units.h, this library is version %d; "
                 "compile again",
                 version, WL_VERSION);
        return NULL;
    }
    struct wl_library *library = calloc(1, sizeof *library);
    if (library == NULL) {
        snprintf(error, n_error, "out of memory");
        return NULL;
    }
    if (project_root(project, root, sizeof root, error, n_error) != 0) {
        free(library);
        return NULL;
    }
    library->units = library_new(root);
    library_keep_past(library->units, PAST_STANDARD);
    return library;
}

VISIBLE void wl_close(struct wl_library *library)
{
    if (library != NULL) {
        library_free(library->units);
        free(library);
    }
}

/* The width of every slot of `ports`. */
static unsigned *widths(const struct unit_port *ports, unsigned n, unsigned slots)
{
    unsigned *width = calloc(slots + 1, sizeof *width);
    for (unsigned p = 0; width != NULL && p < n; p++) {
        for (unsigned lane = 0; lane < ports[p].lanes; lane++) {
            width[ports[p].slot + lane] = ports[p].width;
        }
    }
    return width;
}

VISIBLE struct wl_unit *wl_unit_open(struct wl_library *library, const char *name,
                                     const char *parameters, const char *form, char *error,
                                     size_t n_error)
{
    struct failure failure = {VERDICT_PASS, ""};
    const struct unit_backend *backend = library_open(library->units, name, parameters, form,
                                                      &failure);
    struct wl_unit *unit = backend != NULL ? calloc(1, sizeof *unit) : NULL;
    if (unit == NULL) {
        snprintf(error, n_error, "%s", backend != NULL ? "out of memory" : failure.words);
        return NULL;
    }
    const struct unit_desc *desc = backend->desc;
    *unit = (struct wl_unit){.library = library,
                             .backend = backend,
                             .instance = backend->create(backend->context, 1),
                             .in = calloc(desc->in_slots + 1, sizeof *unit->in),
                             .out = calloc(desc->out_slots + 1, sizeof *unit->out),
                             .in_width = widths(desc->in, desc->n_in, desc->in_slots),
                             .out_width = widths(desc->out, desc->n_out, desc->out_slots)};
    if (unit->instance == NULL || unit->in == NULL || unit->out == NULL || unit->in_width == NULL ||
        unit->out_width == NULL) {
        snprintf(error, n_error, "out of memory");
        wl_unit_close(unit);
        return NULL;
    }
    wl_reset(unit);
    return unit;
}

VISIBLE void wl_unit_close(struct wl_unit *unit)
{
    if (unit == NULL) {
        return;
    }
    if (unit->instance != NULL) {
        unit->backend->destroy(unit->instance);
    }
    free(unit->in);
    free(unit->out);
    free(unit->in_width);
    free(unit->out_width);
    free(unit->difference);
    free(unit);
}

static int slot_of(const struct unit_port *ports, unsigned n, const char *name)
{
    for (unsigned p = 0; p < n; p++) {
        if (strcmp(ports[p].name, name) == 0) {
            return (int)ports[p].slot;
        }
    }
    return -1;
}

VISIBLE int wl_input(const struct wl_unit *unit, const char *name)
{
    return slot_of(unit->backend->desc->in, unit->backend->desc->n_in, name);
}

VISIBLE int wl_output(const struct wl_unit *unit, const char *name)
{
    return slot_of(unit->backend->desc->out, unit->backend->desc->n_out, name);
}

VISIBLE void wl_set(struct wl_unit *unit, int input, uint64_t value)
{
    if (input >= 0 && (unsigned)input < unit->backend->desc->in_slots) {
        const unsigned width = unit->in_width[input];
        unit->in[input] = width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
    }
}

VISIBLE uint64_t wl_get(const struct wl_unit *unit, int output)
{
    return output >= 0 && (unsigned)output < unit->backend->desc->out_slots ? unit->out[output] : 0;
}

VISIBLE void wl_settle(struct wl_unit *unit)
{
    unit->backend->comb(unit->instance, unit->in, unit->out);
}

VISIBLE void wl_step(struct wl_unit *unit)
{
    unit->backend->seq(unit->instance, unit->in, false);
}

VISIBLE void wl_reset(struct wl_unit *unit)
{
    unit->backend->seq(unit->instance, unit->in, true);
    wl_settle(unit);
}

VISIBLE size_t wl_state_bytes(const struct wl_unit *unit)
{
    return unit->backend->state != NULL && unit->backend->load != NULL
               ? unit->backend->desc->state_bytes
               : 0;
}

VISIBLE int wl_save(struct wl_unit *unit, void *state)
{
    if (wl_state_bytes(unit) == 0) {
        return -1;
    }
    memcpy(state, unit->backend->state(unit->instance), wl_state_bytes(unit));
    return 0;
}

VISIBLE int wl_load(struct wl_unit *unit, const void *state)
{
    if (wl_state_bytes(unit) == 0) {
        return -1;
    }
    unit->backend->load(unit->instance, state);
    return 0;
}

VISIBLE const char *wl_difference(struct wl_unit *unit)
{
    size_t n;
    if (!lockstep_is(unit->backend) || !lockstep_mismatch(unit->instance)) {
        return NULL;
    }
    if (unit->difference == NULL) {
        FILE *text = open_memstream(&unit->difference, &n);
        if (text != NULL) {
            difference_report(unit->library->units, unit->backend, unit->instance, "embedded",
                              text);
            fclose(text);
        }
    }
    return unit->difference != NULL ? unit->difference : "out of memory";
}
