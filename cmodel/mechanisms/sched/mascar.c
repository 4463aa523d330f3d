/* mascar.c - MASCAR: while the memory system is saturated one warp, the owner, issues memory
 * instructions; otherwise memory instructions go before computation (wang2015 3.15, D-MAS-1).
 *
 * Saturated: at most one MSHR entry or one place in the memory port is free, as the cycle
 * before left them.  The owner is the oldest warp with a ready memory instruction, until it
 * waits for its own data, at a barrier or fence, or has left.  Stalled accesses of loads
 * are re-executed from the machine's replay queue (sm_replay.c).
 *
 * Nothing is held for ever: an owner that cannot issue is replaced, and computation is
 * never held while saturated. */
#include <stdio.h>

#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/ranks.h"
#include "mechanisms/sched/wang2015.h"

enum { NO_OWNER = -1, MOST_SMS = 64 };

struct mascar {
    const struct sm *sm;
    struct ranks ranks;
    bool saturated;
    int owner;       /* slot, or NO_OWNER */
    uint64_t owners; /* warps that became it */
};

static bool owner_is_done(const struct mascar *m)
{
    const struct sm *sm = m->sm;
    const uint64_t waits = sm->wait_load | sm->wait_barrier | sm->wait_fence | sm->done;
    return m->owner == NO_OWNER || (waits | ~sm->resident) >> m->owner & 1;
}

static int oldest_with_memory(const struct mascar *m)
{
    int oldest = NO_OWNER;
    for (uint64_t left = m->sm->pipe_next[ISA_PIPE_MEM]; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        if (oldest == NO_OWNER ||
            ranks_of(&m->ranks, slot) < ranks_of(&m->ranks, (uint32_t)oldest)) {
            oldest = (int)slot;
        }
    }
    return oldest;
}

/* Cycles left out could not have changed anything here: whatever takes an entry or a place,
 * or makes a warp wait or ready, is a step of the SM. */
static bool begin(void *self, uint64_t now)
{
    struct mascar *m = self;
    (void)now;
    m->saturated = m->sm->mshr.n - m->sm->mshr.used <= 1 || !sm_port_room(m->sm, 2);
    if (!m->saturated) {
        m->owner = NO_OWNER;
    } else if (owner_is_done(m)) {
        m->owner = oldest_with_memory(m);
        m->owners += m->owner != NO_OWNER;
    }
    return true;
}

static bool end(void *self)
{
    (void)self;
    return false;
}

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    const struct mascar *m = self;
    const uint64_t memory = view->issuable & view->memory;
    (void)number;
    if (m->saturated) {
        return ~view->memory | (m->owner == NO_OWNER ? 0 : UINT64_C(1) << m->owner);
    }
    return memory != 0 ? memory : ~UINT64_C(0);
}

static void warp_launch(void *self, uint32_t sm, uint32_t slot)
{
    struct mascar *m = self;
    (void)sm;
    ranks_launch(&m->ranks, slot);
}

static void warp_exit(void *self, uint32_t sm, uint32_t slot)
{
    struct mascar *m = self;
    (void)sm;
    ranks_exit(&m->ranks, slot);
}

/* ---- attaching ---- */

struct mascar_all {
    uint32_t n;
    const struct mascar *of_sm[MOST_SMS];
};

static void statistics(void *self, json_t *into)
{
    const struct mascar_all *all = self;
    uint64_t owners = 0, taken = 0, replay = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        owners += all->of_sm[i]->owners;
        taken += all->of_sm[i]->sm->replay.taken;
        replay += all->of_sm[i]->sm->replay.stall_cycles;
    }
    json_object_set_new(into, "owners", json_integer((json_int_t)owners));
    json_object_set_new(into, "accesses_set_aside", json_integer((json_int_t)taken));
    json_object_set_new(into, "replay_stall_cycles", json_integer((json_int_t)replay));
}

static int attach_one(struct mechanism_context *context, struct sm *sm, struct mascar *m)
{
    const struct gate_policy policy = {m, allow, NULL};
    const struct observer observer = {
        .self = m, .warp_launch = warp_launch, .warp_exit = warp_exit};
    const struct clocked_socket clock = {.self = m, .begin = begin, .end = end};
    m->sm = sm;
    m->owner = NO_OWNER;
    if (ranks_open(context, &m->ranks, sm, "mascar") != 0 ||
        gate_attach(context, sm, &policy) != 0 || mechanism_observe(context, sm, &observer) != 0) {
        return -1;
    }
    return gate_clock(context, sm, &clock);
}

/* `argument` is not used. */
int attach_mascar(struct mechanism_context *context, const char *argument)
{
    struct mascar_all *all = mechanism_keep(context, sizeof *all);
    (void)argument;
    if (all == NULL) {
        return -1;
    }
    if (context->gpu->config.ldst_replay_queue == 0) {
        snprintf(context->error, context->n_error,
                 "mascar re-executes stalled accesses from a queue (wang2015 3.15: 32 entries); "
                 "set ldst.replay_queue=32");
        return -1;
    }
    for (uint32_t i = 0; i < context->gpu->n_sms; i++) {
        struct mascar *m = mechanism_keep(context, sizeof *m);
        if (m == NULL || attach_one(context, &context->gpu->sm[i], m) != 0) {
            return -1;
        }
        all->of_sm[all->n++] = m;
    }
    const struct mechanism_report report = {all, "mascar", statistics, NULL};
    return mechanism_reports(context, &report);
}
