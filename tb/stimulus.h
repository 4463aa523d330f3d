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
 * "bin", "bin" ...).  Every bin must be hit in a full check.
 */
#ifndef WARPLOCK_TB_STIMULUS_H
#define WARPLOCK_TB_STIMULUS_H

#include <stdint.h>

#include "tb/random.h"
#include "units/unit.h"

struct unit_stimulus {
    uint64_t mean_steps_between_resets;
    /* `in` as drawn; `last_in`, `last_out` of the previous step (zeros after a
     * reset); `step` counts from the last reset. */
    void (*drive)(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in);
    /* `state` before the clock edge, NULL for a stateless unit. */
    void (*observe)(const uint64_t *in, const uint64_t *out, const void *state, uint64_t *hits);
    const char *const *bins;
    unsigned n_bins;
};

/* The one symbol of a stimulus object. */
const struct unit_stimulus *unit_stimulus(void);

#ifdef UNIT_TABLE
#include "units/table.h"

#define STIMULUS(mean_steps, drive_, observe_, ...) \
    static const char *const unit_bins[] = {__VA_ARGS__ __VA_OPT__(, ) NULL}; \
    __attribute__((visibility("default"))) const struct unit_stimulus *unit_stimulus(void) \
    { \
        static const struct unit_stimulus stimulus = {mean_steps, drive_, observe_, unit_bins, \
                                                      sizeof unit_bins / sizeof *unit_bins - 1}; \
        return &stimulus; \
    }
#endif
#endif
