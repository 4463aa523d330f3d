/* sm_round.c - where warps were and what they loaded, while the forward-progress watch wants to
 * know (gpu_spin.c): what sm_ahead.c starts from.
 *
 * It must not know what is concluded.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/sm/sm_private.h"

void sm_round_free(struct sm *sm)
{
    for (uint32_t slot = 0; slot < SM_MAX_WARPS; slot++) {
        free(sm->round.image[slot]);
        sm->round.image[slot] = NULL;
    }
}

void sm_round_clear(struct sm *sm, bool open)
{
    const struct isa_launch *launch = sm->facts->launch;
    struct sm_round *round = &sm->round;

    sm_round_free(sm);
    values_clear(&round->values, open);
    /* Speculation takes warps back to where they were; what is injected is no state of theirs. */
    round->full = !launch->digest || !launch->copyable || sm->sockets.speculation.issue ||
                  sm->sockets.inject.self;
}

bool sm_round_open(const struct sm *sm)
{
    return !sm->round.full && !sm->round.values.full;
}

const struct values *sm_round_values(const struct sm *sm)
{
    return &sm->round.values;
}

void sm_round_issues(struct sm *sm, uint32_t slot)
{
    const size_t bytes = sm->facts->launch->warp_bytes;
    struct sm_round *round = &sm->round;

    /* What is on its way is neither in the image nor in memory. */
    if (round->image[slot] || sm->warps.loads[slot] || sm->warps.stores[slot]) {
        return;
    }
    round->image[slot] = malloc(bytes);
    if (round->image[slot]) {
        memcpy(round->image[slot], sm->warps.at[slot], bytes);
    }
}

void sm_round_loaded(struct sm *sm, const struct isa_memop *op)
{
    for (uint32_t left = op->mask; left && sm_round_open(sm); left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);

        values_add(&sm->round.values, op->addr[lane], op->data[lane], op->inst->bytes);
    }
}
