/* sm_spin.c - does a warp come back to where it was?  An SM's part of the forward-progress
 * watch (gpu_spin.c).
 *
 * Each warp's state is noted once, as its pc and a digest by the front end; a warp that
 * executes the same pc with the same digest has gone round in a circle.  It must not know
 * why anybody asks.
 */
#include "machine/sm/sm_private.h"

void sm_spin_note(struct sm *sm)
{
    const struct isa_launch *launch = sm->facts->launch;
    struct spin_watch *watch = &sm->spin;

    watch->noting = true;
    watch->moved = watch->returned = watch->loaded = 0;
    for (uint64_t left = sm->warps.resident & ~sm->warps.done; left; left &= left - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(left);

        watch->warp[slot].pc = sm->warps.at[slot]->pc;
        watch->warp[slot].digest = launch->digest(launch->self, sm->warps.at[slot]);
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
    if (sm->warps.at[slot]->pc == warp->pc && !(watch->returned & bit) &&
        launch->digest(launch->self, sm->warps.at[slot]) == warp->digest) {
        watch->returned |= bit;
    }
}

bool sm_spin_everywhere(const struct sm *sm)
{
    const struct spin_watch *watch = &sm->spin;
    uint64_t free = sm->warps.resident & ~sm->warps.done & ~sm->warps.wait_barrier;

    return !(free & watch->moved & ~watch->returned);
}

struct sm_spin_news sm_spin_news(struct sm *sm)
{
    struct sm_spin_news news = {sm->spin.changed, sm->spin.went_on};

    sm->spin.changed = sm->spin.went_on = false;
    return news;
}

void sm_spin_forget(struct sm *sm)
{
    sm->spin.noting = false;
}

/* ---- for the report ---- */

static struct spin_group group_of(const struct sm *sm, uint64_t warps, enum spin_kind kind)
{
    uint32_t slot = (uint32_t)__builtin_ctzll(warps);
    const struct spin_warp *warp = &sm->spin.warp[slot];

    return (struct spin_group){.kind = kind,
                               .sm = sm->id,
                               .warp_in_cta = slot % sm->facts->warps_per_cta,
                               .n = (uint32_t)__builtin_popcountll(warps),
                               .cta = sm->ctas.at[sm->ctas.of[slot]].id,
                               .pc = warp->pc,
                               .op = warp->op,
                               .address = warp->address};
}

/* Warps that execute the same load of the same address. */
static uint64_t alike(const struct sm *sm, uint64_t among, const struct spin_warp *as)
{
    uint64_t same = 0;

    for (uint64_t left = among; left; left &= left - 1) {
        const struct spin_warp *warp = &sm->spin.warp[__builtin_ctzll(left)];

        if (warp->op == as->op && warp->address == as->address) {
            same |= left & -left;
        }
    }
    return same;
}

uint32_t sm_spin_groups(const struct sm *sm, struct spin_group *groups)
{
    const struct spin_watch *watch = &sm->spin;
    uint64_t live = sm->warps.resident & ~sm->warps.done, barrier = live & sm->warps.wait_barrier;
    uint64_t loading = live & ~barrier & watch->returned & watch->loaded;
    uint64_t plain = live & ~barrier & watch->returned & ~watch->loaded;
    uint64_t still = live & ~barrier & ~watch->returned;
    uint32_t n = 0;

    while (loading) {
        uint64_t same = alike(sm, loading, &watch->warp[__builtin_ctzll(loading)]);

        groups[n++] = group_of(sm, same, SPIN_MEMORY);
        loading &= ~same;
    }
    if (plain) {
        groups[n++] = group_of(sm, plain, SPIN_PLAIN);
    }
    if (barrier) {
        groups[n++] = group_of(sm, barrier, SPIN_BARRIER);
    }
    if (still) {
        groups[n++] = group_of(sm, still, SPIN_STILL);
    }
    return n;
}
