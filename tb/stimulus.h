/* stimulus.h - what a unit adds to the random stimulus derived from its table.
 *
 * <unit>.stimulus.c opens with its rationale (which part of the state space is
 * exhaustive, which sampled, why these parameter sets suffice), includes this
 * with UNIT_TABLE set, and may define
 *
 *     drive    rewrites the inputs drawn from the table: legal combinations,
 *              directed scenarios, correlated values.  Must depend only on its
 *              arguments, so that a run is a function of its seed.
 *     observe  counts cross bins, functional coverage that the table cannot know.
 *
 * and ends with STIMULUS(mean steps between resets, drive or NULL, observe or NULL,
 * BIN("name"), BIN_IF(condition, "name") ...), the bins in the order of `hits`; behind them
 * GUARD_IF(condition, "output") for an output that is never compared where the condition
 * is not met.  A condition is one of parameters: where it is not met, what is counted
 * cannot happen, and the bin or guard is not applicable; that it is hit all the same is an
 * error.  Every other bin must be hit, and every other guard be open, in a check of
 * CHECK_ENOUGH_STEPS (tb/check.h) at each listed parameter set, or have a reason
 * (tb/reasons.h).
 */
#ifndef WARPLOCK_TB_STIMULUS_H
#define WARPLOCK_TB_STIMULUS_H

#include <stdint.h>

#include "tb/random.h"
#include "units/unit.h"

struct unit_bin {
    const char *name;
    bool applies;  /* at this parameter set */
    bool is_guard; /* not a bin, but the output of that name */
};

struct unit_stimulus {
    uint64_t mean_steps_between_resets;
    /* `in` as drawn; `last_in`, `last_out` of the previous step (zeros after a
     * reset); `step` counts from the last reset. */
    void (*drive)(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in);
    /* `state` before the clock edge, NULL for a stateless unit. */
    void (*observe)(const uint64_t *in, const uint64_t *out, const void *state, uint64_t *hits);
    /* Guards are the last of them; `hits` has an element for each. */
    const struct unit_bin *bins;
    unsigned n_bins;
};

/* The one symbol of a stimulus object. */
const struct unit_stimulus *unit_stimulus(void);

#ifdef UNIT_TABLE
#include "units/table.h"

#define BIN(name) \
    { \
        name, true, false \
    }
#define BIN_IF(condition, name) \
    { \
        name, (condition), false \
    }
#define GUARD_IF(condition, name) \
    { \
        name, (condition), true \
    }
#define STIMULUS(mean_steps, drive_, observe_, ...) \
    static const struct unit_bin unit_bins[] = {__VA_ARGS__ __VA_OPT__(, ){NULL, false, false}}; \
    __attribute__((visibility("default"))) const struct unit_stimulus *unit_stimulus(void) \
    { \
        static const struct unit_stimulus stimulus = {mean_steps, drive_, observe_, unit_bins, \
                                                      sizeof unit_bins / sizeof *unit_bins - 1}; \
        return &stimulus; \
    }
#endif
#endif
