/* prefetch_orch.c - ORCH: LAP with a two-level scheduler that promotes warps by a static
 * rank, so that neighbours come up in different groups and one prefetches for the other
 * (caps-prefetch 3.14).  The scheduler knows nothing of prefetches. */
#include "mechanisms/prefetch/prefetch_orch.h"

#include <string.h>

#include "mechanisms/prefetch/prefetch_block.h"

/* Ranks of the N resident warps in ascending slots: G groups, w mod G, each in order. */
static void rank_all(struct orch *orch)
{
    const uint32_t n = (uint32_t)__builtin_popcountll(orch->resident);
    const uint32_t groups = (n + orch->ready_size - 1) / orch->ready_size;
    uint32_t w = 0;
    for (uint64_t left = orch->resident; left != 0; left &= left - 1, w++) {
        const uint32_t per_group = (n + groups - 1) / groups;
        orch->rank[__builtin_ctzll(left)] = (uint8_t)(w % groups * per_group + w / groups);
    }
}

static void warp_came(void *self, uint32_t slot)
{
    struct orch *orch = self;
    orch->base.warp_launch(orch->base.self, slot);
    orch->resident |= UINT64_C(1) << slot;
    orch->pending |= UINT64_C(1) << slot;
    rank_all(orch);
}

static void take_ready(struct orch *orch, uint32_t at)
{
    orch->n_ready--;
    memmove(&orch->ready[at], &orch->ready[at + 1], orch->n_ready - at);
}

static void warp_left(void *self, uint32_t slot)
{
    struct orch *orch = self;
    orch->base.warp_exit(orch->base.self, slot);
    orch->resident &= ~(UINT64_C(1) << slot);
    orch->pending &= ~(UINT64_C(1) << slot);
    for (uint32_t at = 0; at < orch->n_ready; at++) {
        if (orch->ready[at] == slot) {
            take_ready(orch, at);
            break;
        }
    }
}

static void demote(struct orch *orch, uint64_t blocked)
{
    for (uint32_t at = 0; at < orch->n_ready;) {
        const uint32_t slot = orch->ready[at];
        if (blocked >> slot & 1) {
            orch->pending |= UINT64_C(1) << slot;
            take_ready(orch, at);
        } else {
            at++;
        }
    }
}

static void promote(struct orch *orch, uint64_t blocked)
{
    while (orch->n_ready < orch->ready_size && (orch->pending & ~blocked) != 0) {
        uint32_t best = ORCH_SLOTS;
        for (uint64_t left = orch->pending & ~blocked; left != 0; left &= left - 1) {
            const uint32_t slot = (uint32_t)__builtin_ctzll(left);
            if (best == ORCH_SLOTS || orch->rank[slot] < orch->rank[best]) {
                best = slot;
            }
        }
        orch->pending &= ~(UINT64_C(1) << best);
        orch->ready[orch->n_ready++] = (uint8_t)best;
    }
}

static int pick(void *self, const struct sched_view *view)
{
    struct orch *orch = self;
    demote(orch, view->blocked);
    if (view->hold) {
        return -1;
    }
    promote(orch, view->blocked);
    for (uint32_t at = 0; at < orch->n_ready; at++) {
        if (view->issuable >> orch->ready[at] & 1) {
            return orch->ready[at];
        }
    }
    return -1;
}

static void issued(void *self, uint32_t slot)
{
    struct orch *orch = self;
    orch->base.issued(orch->base.self, slot);
}

static uint32_t age_rank(void *self, uint32_t slot)
{
    struct orch *orch = self;
    return orch->base.rank(orch->base.self, slot);
}

struct sched_socket orch_socket(struct orch *orch)
{
    return (struct sched_socket){.self = orch,
                                 .stateful = true,
                                 .warp_launch = warp_came,
                                 .warp_exit = warp_left,
                                 .pick = pick,
                                 .issued = issued,
                                 .rank = age_rank};
}

/* What stands beside one SM: an orch for each scheduler. */
struct orch_sm {
    const struct core *core;
    uint32_t n;
    struct orch orch[MAX_SCHEDULERS];
};

/* Ranks are those at the last event of a CTA: here its last warp leaves, whoever's it was. */
static void cta_left(void *self, uint32_t sm, uint32_t slot)
{
    struct orch_sm *all = self;
    const uint32_t warps = core_warps_per_cta(all->core), first = slot / warps * warps;
    const uint64_t resident = core_warps(all->core).resident;
    (void)sm;
    if ((resident >> first & ~(UINT64_MAX << (warps - 1) << 1)) != 0) {
        return;
    }
    for (uint32_t n = 0; n < all->n; n++) {
        rank_all(&all->orch[n]);
    }
}

static int attach_core(struct mechanism_context *context, struct core *core)
{
    struct orch_sm *all = mechanism_keep(context, sizeof *all);
    if (all == NULL) {
        return -1;
    }
    all->core = core;
    all->n = core_config(core)->sm_schedulers;
    for (uint32_t n = 0; n < all->n; n++) {
        struct orch *orch = &all->orch[n];
        const struct sched_socket socket = orch_socket(orch);
        orch->ready_size = prefetch_ready_queue(core_config(core), n);
        if (plug_scheduler(core, &context->plug, n, &socket, &orch->base) != 0) {
            return -1;
        }
    }
    return plug_observer(core, &context->plug,
                         &(struct observer){.self = all, .warp_exit = cta_left});
}

static int attach(struct mechanism_context *context)
{
    struct machine *machine = context->machine;
    if (plug_own_schedulers(machine, &context->plug, SCHEDULER_TWO_LEVEL) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < machine_cores(machine); i++) {
        if (attach_core(context, machine_core(machine, i)) != 0) {
            return -1;
        }
    }
    return lap_attach(context);
}

const struct mechanism mechanism_orch = {.name = "orch",
                                         .title = "LAP with neighbouring warps in different groups "
                                                  "(ORCH)",
                                         .document = "caps-prefetch",
                                         .section = "3.14",
                                         .promises = PLUG_LOCAL | PLUG_QUIET,
                                         .attach = attach};
