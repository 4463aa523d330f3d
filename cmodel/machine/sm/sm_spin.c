/* sm_spin.c - does a warp come back to where it was?  An SM's part of the forward-progress
 * watch (gpu_spin.c).
 *
 * Each warp's state is noted once, as its pc and a digest by the front end; a warp that
 * executes the same pc with the same digest has gone round in a circle.  It must not know
 * why anybody asks.
 */
#include "machine/sm/sm.h"

void sm_spin_note(struct sm *sm)
{
    const struct isa_launch *launch = sm->facts->launch;
    struct spin_watch *watch = &sm->spin;

    watch->noting = true;
    watch->moved = watch->returned = watch->loaded = 0;
    for (uint64_t left = sm->resident & ~sm->done; left; left &= left - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(left);

        watch->warp[slot].pc = sm->warp[slot]->pc;
        watch->warp[slot].digest = launch->digest(launch->self, sm->warp[slot]);
    }
}

void sm_spin_issued(struct sm *sm, uint32_t slot, const struct isa_memop *op)
{
    const struct isa_launch *launch = sm->facts->launch;
    struct spin_watch *watch = &sm->spin;
    struct spin_warp *warp = &watch->warp[slot];
    uint64_t bit = UINT64_C(1) << slot;

    watch->moved |= bit;
    if (op && op->mask) {
        watch->loaded |= bit;
        warp->op = op->inst;
        warp->address = op->addr[__builtin_ctz(op->mask)];
    }
    if (sm->warp[slot]->pc == warp->pc && !(watch->returned & bit) &&
        launch->digest(launch->self, sm->warp[slot]) == warp->digest) {
        watch->returned |= bit;
    }
}

bool sm_spin_everywhere(const struct sm *sm)
{
    const struct spin_watch *watch = &sm->spin;
    uint64_t free = sm->resident & ~sm->done & ~sm->wait_barrier;

    return !(free & watch->moved & ~watch->returned);
}
