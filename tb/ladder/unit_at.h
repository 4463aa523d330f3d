/* unit_at.h - one unit at one parameter set, opened for a level of verification: its C model,
 * its stimulus, its vectors, and one more form of its RTL that a makefile of this folder
 * builds.  Knows where units live; knows nothing of any unit. */
#ifndef WARPLOCK_TB_LADDER_UNIT_AT_H
#define WARPLOCK_TB_LADDER_UNIT_AT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/backend.h"
#include "tb/sequence.h"

struct unit_at {
    struct library *library;
    char family_unit[96]; /* family/unit */
    char point[256];      /* K=V,K=V as asked; "" for the standard parameters */
    const struct unit_backend *c;
    const struct unit_stimulus *stimulus;
    struct sequence *vectors; /* those tests of the vector file that have these parameters */
    size_t n_vectors;
    void *handle; /* of `form` */
    const struct unit_backend *form;
    char folder[PATH_MAX]; /* where the makefile of `form` leaves its results */
};

/* False with the reason in `failure`; unit_at_close in any case. */
bool unit_at_open(struct unit_at *unit, struct library *library, const char *name,
                  const char *point, struct failure *failure);
/* Runs `make -f tb/ladder/<makefile>.mk UNIT= SET= <variables> <target> <target>-where`;
 * the folder it prints goes to unit->folder.  False with its output in `failure`. */
bool unit_at_make(struct unit_at *unit, const char *makefile, const char *variables,
                  const char *target, struct failure *failure);
/* Loads unit->folder/<object>.so as unit->form. */
bool unit_at_load(struct unit_at *unit, const char *object, struct failure *failure);
void unit_at_close(struct unit_at *unit);
/* The times of everything a result of <object>.so depends on, as text; its length. */
size_t unit_at_key(const struct unit_at *unit, const char *object, char *key, size_t n);

/* "unit" or "unit@K=V,K=V": the name of a result. */
void unit_at_label(const struct unit_at *unit, char *label, size_t n);

/* Plays vector `i`; the pair's mismatch, or a vector that expects something else of side a,
 * gives false. */
bool unit_at_play(const struct unit_at *unit, const struct unit_backend *backend, size_t i);
/* `steps` random steps of `seed` on a pair; the steps taken, fewer when it differed.
 * `after` (NULL: nothing) sees every defined step: inputs, outputs and the state before its
 * edge. */
typedef void unit_at_observer(void *context, const uint64_t *in, const uint64_t *out,
                              const void *state);
uint64_t unit_at_random(const struct unit_at *unit, const struct unit_backend *pair, uint64_t seed,
                        uint64_t steps, unit_at_observer *after, void *context, bool *mismatch,
                        struct failure *failure);

#endif
