/* sm_ahead.h - do the warps of an SM end, whatever their loads return?
 *
 * For the watch for kernels that spin (gpu_spin.c).  Warps run ahead of the machine, untimed, from
 * where they were noted to be: each load returns every value that its words are known to have had,
 * each store adds one.  When nothing new comes up, and no warp has ended, met a barrier or read
 * the clock, then none will, in whatever order the machine serves them.
 */
#ifndef WARPLOCK_GPU_SM_AHEAD_H
#define WARPLOCK_GPU_SM_AHEAD_H

#include "machine/cache/values.h"

struct sm;

enum { AHEAD_STATES = 256, AHEAD_STEPS = 50000 };
#define AHEAD_SHARED (UINT64_C(1) << 63) /* marks the addresses of shared memory */

struct ahead {
    struct values values; /* at first those that words had */
    void (*peek)(void *self, uint64_t address, void *to, uint64_t bytes);
    void *self;
    uint32_t steps; /* left */
    bool grew;      /* values or states have come up */
    uint32_t n_states;
    struct ahead_state {
        uint32_t sm, slot;
        uint64_t digest;
        uint8_t *image; /* of the warp, about to load */
    } state[AHEAD_STATES];
};

/* Go once through all that is known of the SM's warps; false when one may come to an end, or it
 * cannot be said.  Nothing of the SM changes but what the report reads. */
bool sm_ahead(struct sm *sm, struct ahead *ahead);

#endif
