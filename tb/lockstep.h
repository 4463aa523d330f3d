/* lockstep.h - a backend made of two others, compared on every step.
 *
 * The first side's outputs are handed on, so a pair can stand wherever one
 * backend can: in the random tester, the vector player, the simulator. */
#ifndef WARPLOCK_TB_LOCKSTEP_H
#define WARPLOCK_TB_LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/past.h"
#include "units/unit.h"

enum { LOCKSTEP_HISTORY = 16 }; /* steps kept for the report */

/* A backend that runs `a` and `b`; NULL when memory is out.  Both must have the
 * same description.  `lockstep_backend_free` releases the backend, not a and b. */
struct unit_backend *lockstep_backend_new(const struct unit_backend *a,
                                          const struct unit_backend *b);
void lockstep_backend_free(struct unit_backend *backend);
bool lockstep_is(const struct unit_backend *backend);
/* Of a pair: do both sides show their state, so that it is compared? */
bool lockstep_compares_state(const struct unit_backend *backend);
/* Instances of the pair created from now on keep their last `steps` steps up to the first
 * mismatch (tb/past.h); 0 for none. */
void lockstep_keep_past(struct unit_backend *pair, uint64_t steps);

/* One port or field that differs. */
struct lockstep_difference {
    bool of_state;
    unsigned index, element; /* into desc->out or desc->state */
    uint64_t a, b;
};

/* What an instance has seen.  Counting goes on after the first mismatch, but
 * `differences` and the history stay those of the first. */
struct lockstep_report {
    const char *name_a, *name_b;
    uint64_t steps;  /* clock edges, or evaluations of a combinational unit */
    uint64_t values; /* ports and fields compared */
    bool mismatch;
    uint64_t mismatch_step;
    bool mismatch_in_reset;
    struct lockstep_difference differences[64];
    unsigned n_differences;     /* all of them, also past 64 */
    const uint64_t *guard_open; /* per output: steps in which it was compared */
    /* The last steps, oldest first: history[i] for i < n_history; inputs then outputs. */
    unsigned n_history;
    const uint64_t *history_in[LOCKSTEP_HISTORY], *history_out[LOCKSTEP_HISTORY];
    uint64_t history_step[LOCKSTEP_HISTORY];
};

void lockstep_get(const void *self, struct lockstep_report *report);
/* What was kept of the steps up to the first mismatch, as a sequence that ends with it,
 * and how many steps went before it.  PAST_LOST also when nothing was to be kept. */
enum past_found lockstep_past(const void *self, struct sequence *sequence, uint64_t *first);
/* What the sides hold now, for a waveform.  The outputs of side a are those that
 * comb handed on.  States are NULL where a side shows none. */
struct lockstep_sides {
    const uint64_t *out_b;
    const void *state_a, *state_b;
};
void lockstep_get_sides(void *self, struct lockstep_sides *sides);
/* One side of a pair: 0 or 1.  The instance is NULL when `self` is. */
struct lockstep_side {
    const struct unit_backend *backend;
    void *instance;
};
struct lockstep_side lockstep_side(const struct unit_backend *pair, void *self, int side);
/* Is element `i` of `field` meaningful in `state`, or does its guard say no? */
bool lockstep_compared(const struct unit_desc *desc, const struct unit_field *field, unsigned i,
                       const void *state);
/* Cheap: did anything differ so far? */
bool lockstep_mismatch(const void *self);

#endif
