/* mechanism.h - plugs the systems of the source documents into a machine.
 *
 * A mechanism declares itself: a descriptor says its name, document, options, the hardware units it
 * is made of, and what it needs of the machine.  It is one folder, or file, and one line in
 * mechanism_list.h.  It sees the machine through machine/plug only.  Which backend stands behind a
 * unit (C model, RTL, netlist, two in lockstep) is chosen by the caller and makes no difference to
 * any statistic.
 *
 * `-m caps:drop=1:dist.thr=64,gto` names mechanisms, their options, and parameters of their units. */
#ifndef WARPLOCK_MECHANISMS_MECHANISM_H
#define WARPLOCK_MECHANISMS_MECHANISM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/plug/plug.h"
#include "units/unit.h"

struct gpu;
struct mechanism_context;

/* ---- what a mechanism says of itself ---- */

enum option_kind { OPTION_NUMBER, OPTION_POWER_OF_TWO, OPTION_WORD };

/* One option: a number in its range, or one of `words` ("bloom|exact"), whose position is the
 * value. */
struct mechanism_option {
    const char *name;
    enum option_kind kind;
    int64_t standard, least, greatest;
    const char *words;
    const char *meaning;
    const char *section; /* of the mechanism's document, or the decision's id; or NULL */
};
#define OPTION_COUNT(name_, standard_, least_, greatest_, meaning_, section_) \
    { \
        name_, OPTION_NUMBER, standard_, least_, greatest_, NULL, meaning_, section_ \
    }
#define OPTION_POWER(name_, standard_, least_, greatest_, meaning_, section_) \
    { \
        name_, OPTION_POWER_OF_TWO, standard_, least_, greatest_, NULL, meaning_, section_ \
    }
/* `standard_`: the position of the word that holds when none is given. */
#define OPTION_CHOICE(name_, standard_, words_, meaning_, section_) \
    { \
        name_, OPTION_WORD, standard_, 0, 0, words_, meaning_, section_ \
    }
#define OPTION_SWITCH(name_, meaning_, section_) \
    { \
        name_, OPTION_NUMBER, 0, 0, 1, NULL, meaning_, section_ \
    }

/* A unit that a mechanism instantiates; its parameters are set as ROLE.PARAMETER=VALUE. */
struct mechanism_part {
    const char *role, *unit;
};

/* What a mechanism needs of the machine's configuration; where it is not met, `remedy` is the
 * message: what to set, and why. */
struct mechanism_need {
    bool (*met)(const struct gpu_config *config);
    const char *remedy;
};

struct mechanism {
    const char *name, *title;
    const char *document, *section; /* as in docs/sections.md; `section` may be several */
    const struct mechanism_option *options;
    size_t n_options;
    const struct mechanism_part *parts;
    size_t n_parts;
    const struct mechanism_need *needs;
    size_t n_needs;
    const char *memory_model; /* of a coherence protocol, as litmus names it; else NULL */
    unsigned promises;        /* mask of enum plug_promise */
    /* Plug it in: 0, or -1 with the context's error filled. */
    int (*attach)(struct mechanism_context *context);
};
/* .options = ..., .n_options = ... of an array, and so on. */
#define MECHANISM_OPTIONS(array) .options = (array), .n_options = sizeof(array) / sizeof *(array)
#define MECHANISM_PARTS(array) .parts = (array), .n_parts = sizeof(array) / sizeof *(array)
#define MECHANISM_NEEDS(array) .needs = (array), .n_needs = sizeof(array) / sizeof *(array)

/* All, in the order of mechanism_list.h; NULL past the end.  By the name before the first ':' of
 * `text`; NULL when there is none. */
const struct mechanism *mechanism_at(size_t i);
const struct mechanism *mechanism_find(const char *text);
/* The first need of the mechanism that the configuration does not meet; NULL when it meets all. */
const struct mechanism_need *mechanism_unmet(const struct mechanism *mechanism,
                                             const struct gpu_config *config);
/* The memory model of the first coherence protocol among `names` ("fup20,gtsc-rc:lease=8"); NULL
 * when there is none. */
const char *mechanism_memory_model(const char *names);

/* ---- plugging into a machine ---- */

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

/* Attach `names` ("fup20" or "caps:dist.thr=64,check-coherence") to `gpu`, each unit on the backend
 * that `backends` ("fup20=rtl,pli=lockstep") gives it, else the C model.  Both may be NULL.  NULL
 * with one line in `error`. */
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

/* ---- for mechanisms ---- */

/* What a mechanism's attach function works with. */
struct mechanism_context {
    const struct mechanism *mechanism;
    struct machine *machine;
    struct plugger plug; /* who plugs; its error is that of all below */
    struct mechanism_set *set;
    const struct unit_source *source;
    const char *backends;
    int64_t *values;  /* of the mechanism's options, in their order */
    char **overrides; /* of the mechanism's parts, in their order: "THR=64,ENTRIES=2" */
};

/* The value of an option; it must be one of the mechanism's. */
int64_t mechanism_value(const struct mechanism_context *context, const char *option);
/* One line into the context's error; -1, to be returned. */
int mechanism_fail(struct mechanism_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A new instance of `unit`, one of the mechanism's parts, at the parameters `overrides` ("K=V,K=V",
 * those that follow from the machine or from options) and those that the user has given; owned by
 * the set.  `where` as in struct mechanism_unit.  NULL with the reason in the context's error, also
 * when the user gives one of `overrides`. */
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
/* Put one count into the statistics of a report. */
static inline void put_count(json_t *into, const char *name, uint64_t count)
{
    json_object_set_new(into, name, json_integer((json_int_t)count));
}
/* `bytes` of zeroed storage, released with the set; NULL with an error. */
void *mechanism_keep(struct mechanism_context *context, size_t bytes);
/* Call destroy(self) when the set is released, while its storage is still there; 0, or -1
 * with an error. */
int mechanism_at_end(struct mechanism_context *context, void (*destroy)(void *self), void *self);

/* A coherence protocol that is attached: its name and its own state, for whoever checks it; NULL. */
int mechanism_offer(struct mechanism_context *context, const char *what, void *self);
void *mechanism_offered(const struct mechanism_context *context, const char *what);

#endif
