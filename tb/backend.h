/* backend.h - opens a unit by name, parameters and backend.
 *
 * A unit's objects are built on demand by tb/variant.mk, so what runs is always
 * what the sources say.  Knows where units live; knows nothing of any unit. */
#ifndef WARPLOCK_TB_BACKEND_H
#define WARPLOCK_TB_BACKEND_H

#include <stddef.h>

#include "base/failure.h"
#include "tb/stimulus.h"
#include "tb/unit_file.h"
#include "units/clocking.h"
#include "units/unit.h"

/* Owns every object that was loaded; backends live as long as it does. */
struct library;

/* `root` is the project's folder, NULL for the one this program was built in. */
struct library *library_new(const char *root);
void library_free(struct library *library);
/* Pairs opened from now on keep their last `steps` steps (tb/past.h); at first 0, none. */
void library_keep_past(struct library *library, uint64_t steps);
const char *library_root(const struct library *library);

/* The names in cmodel/units/units.list, "family/unit", in file order. */
size_t library_n_units(const struct library *library);
const char *library_unit(const struct library *library, size_t i);
/* The file of that ending in a unit's folder, "<root>/cmodel/units/<family>/<unit>/<unit>.vec";
 * `unit` as in units.list, or without the family.  False where there is no such unit. */
bool library_file(const struct library *library, const char *unit, const char *ending, char *path,
                  size_t n);

/* The clock and the parameter sets of a unit's own file (tb/unit_file.h); false with USAGE. */
bool library_unit_file(const struct library *library, const char *unit, struct unit_file *file,
                       struct failure *failure);

/* A unit's description at parameters as below, whether or not it has a C model. */
const struct unit_desc *library_desc(struct library *library, const char *unit,
                                     const char *overrides, struct failure *failure);

/* The pins of its clock and reset, by its table; valid as long as the library. */
struct unit_clocking library_clocking(struct library *library, const char *unit);

/* A unit's backend: form is c, rtl, netlist, cxxrtl, golden (tb/golden.h), A+B, or lockstep: c+rtl, and
 * rtl+netlist of a unit without a C model.
 * `overrides` is "K=V,K=V" (commas or spaces), "" for the standard parameters.
 * NULL with the reason in `failure`: USAGE for an unknown unit, form or parameter
 * or an illegal value, or c of a unit without a C model; BUILD when the unit does not build. */
const struct unit_backend *library_open(struct library *library, const char *unit,
                                        const char *overrides, const char *form,
                                        struct failure *failure);
/* `backend` again, its RTL sides open (tb/inside.h), for a waveform; `backend` itself where
 * it has none.  NULL with a failure when the open form does not build. */
const struct unit_backend *library_open_inside(struct library *library,
                                               const struct unit_backend *backend,
                                               struct failure *failure);
/* What the unit's model promises of its states and asks of its inputs (units/promises.h);
 * NULL functions for no promise, and for a unit that does not build. */
struct promises {
    bool (*invariant)(const void *state);
    bool (*accepts)(const void *state, const uint64_t *in);
};
struct promises library_promises(struct library *library, const char *unit, const char *overrides);
/* What the unit adds to random stimulus; NULL with a failure when it does not build. */
const struct unit_stimulus *library_stimulus(struct library *library, const char *unit,
                                             const char *overrides, struct failure *failure);

#endif
