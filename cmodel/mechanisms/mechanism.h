/* mechanism.h - plugs the systems of the source documents into a machine's sockets.
 *
 * A mechanism is one file here and one line in mechanism_list.h.  It asks for its
 * hardware units by name and puts them behind sockets; which backend stands behind
 * a unit (C model, RTL, netlist, two in lockstep) is chosen by the caller and makes
 * no difference to any statistic. */
#ifndef WARPLOCK_MECHANISMS_MECHANISM_H
#define WARPLOCK_MECHANISMS_MECHANISM_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/gpu.h"
#include "machine/sm/sm_private.h"
#include "units/unit.h"

/* Where units come from; NULL with one line in `error` when there is none. */
struct unit_source {
    void *self;
    const struct unit_backend *(*open)(void *self, const char *unit, const char *overrides,
                                       const char *backend, char *error, size_t n_error);
};

/* One unit inside the machine: "sm3.l1d.index". */
struct mechanism_unit {
    char where[48];
    const struct unit_backend *backend;
    void *instance;
};

/* Everything attached to one machine. */
struct mechanism_set;

/* What there is to name, in list order; NULL past the end. */
const char *mechanism_name(size_t i);
const char *mechanism_about(size_t i);

/* Attach `names` ("fup20" or "fup20,l2-pli" or "drd-spec:m=1024:gran=word") to `gpu`, each unit on the backend that
 * `backends` ("fup20=rtl,pli=lockstep") gives it, else the C model.  Both may be
 * NULL.  NULL with one line in `error`. */
struct mechanism_set *mechanism_attach(struct gpu *gpu, const struct unit_source *source,
                                       const char *names, const char *backends, char *error,
                                       size_t n_error);
/* After the machine's last launch, before gpu_destroy. */
void mechanism_detach(struct mechanism_set *set);

size_t mechanism_n_units(const struct mechanism_set *set);
const struct mechanism_unit *mechanism_unit(const struct mechanism_set *set, size_t i);

/* What the mechanisms have counted: one object for each that reports, by name; a new
 * reference, empty when none does.  The same whatever backends the units run on. */
json_t *mechanism_statistics(const struct mechanism_set *set);
/* The first difference a mechanism found between its units and the machine, with the
 * place; NULL when there is none. */
const char *mechanism_difference(const struct mechanism_set *set);

/* ---- between the files of this folder ---- */

/* What a mechanism's attach function works with. */
struct mechanism_context {
    struct gpu *gpu;
    struct mechanism_set *set;
    const struct unit_source *source;
    const char *backends;
    const char *options; /* "KEY=VALUE:KEY=VALUE" behind the mechanism's name, or "" */
    bool options_read;   /* set by a mechanism that takes any */
    char *error;
    size_t n_error;
};

/* A new instance of `unit` at `overrides`, owned by the set; `where` as in
 * struct mechanism_unit.  NULL with the reason in the context's error. */
const struct mechanism_unit *mechanism_open(struct mechanism_context *context, const char *unit,
                                            const char *overrides, const char *where);
/* What a mechanism tells after a run. */
struct mechanism_report {
    void *self;
    const char *name;                             /* key of its statistics */
    void (*statistics)(void *self, json_t *into); /* fill the object */
    /* Optional: one line on the first difference between units and machine, or NULL. */
    const char *(*difference)(void *self);
};
/* Register a report; 0, or -1 with an error. */
int mechanism_reports(struct mechanism_context *context, const struct mechanism_report *report);
/* `bytes` of zeroed storage, released with the set; NULL with an error. */
void *mechanism_keep(struct mechanism_context *context, size_t bytes);
/* Call destroy(self) when the set is released, while its storage is still there; 0, or -1
 * with an error. */
int mechanism_at_end(struct mechanism_context *context, void (*destroy)(void *self), void *self);
/* One more observer for `sm`; 0, or -1 with an error. */
int mechanism_observe(struct mechanism_context *context, struct sm *sm,
                      const struct observer *observer);

#endif
