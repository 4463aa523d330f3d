/* past.h - the last steps of a unit, kept so that a difference can be played again.
 *
 * The inputs of the last steps in a ring, and the state at two moments inside it.  What
 * is given back starts at the older moment still covered, or at the unit's creation: at
 * least as many steps as were asked for, at most twice as many. */
#ifndef WARPLOCK_TB_PAST_H
#define WARPLOCK_TB_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/sequence.h"
#include "units/unit.h"

struct past;

/* How many steps are kept when nobody says: fewer where inputs are wide, so that many
 * instances do not crowd the processor's caches. */
enum { PAST_STANDARD = 256 };

/* `keeps_state`: past_state will be called; else only a past back to the creation can be
 * played.  NULL when memory is out. */
struct past *past_new(const struct unit_desc *desc, uint64_t steps, bool keeps_state);
void past_free(struct past *past);

/* A step that is about to be taken. */
void past_step(struct past *past, const uint64_t *in, bool rst);
/* Is now one of the moments whose state is kept?  After the step. */
bool past_wants_state(const struct past *past);
void past_state(struct past *past, const void *state);

enum past_found {
    PAST_FOUND,
    PAST_LOST, /* it begins before what was kept, and no state was */
    PAST_NO_MEMORY
};
/* The steps as a sequence, into an empty one.  `*first`: the number of its first step. */
enum past_found past_sequence(const struct past *past, struct sequence *sequence, uint64_t *first);
/* The fewest steps that are always kept. */
uint64_t past_steps(const struct past *past);

#endif
