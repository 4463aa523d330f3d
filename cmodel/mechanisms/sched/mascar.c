/* mascar.c - MASCAR: while the memory system is saturated one warp, the owner, issues memory
 * instructions; otherwise memory instructions go before computation (wang2015 3.15, D-MAS-1).
 *
 * Saturated: at most one MSHR entry or one place in the memory port is free, as the cycle
 * before left them.  The owner is the oldest warp with a ready memory instruction, until it
 * waits for its own data, at a barrier or fence, or has left.  Stalled accesses of loads
 * are re-executed from the machine's replay queue (ldst.replay_queue).
 *
 * Nothing is held for ever: an owner that cannot issue is replaced, and computation is
 * never held while saturated. */
#include "mechanisms/instances.h"
#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/ranks.h"

enum { NO_OWNER = -1 };

/* MASCAR beside one SM. */
struct mascar {
    const struct core *core;
    struct ranks ranks;
    bool saturated;
    int owner;       /* slot, or NO_OWNER */
    uint64_t owners; /* warps that became it */
};

static bool is_saturated(const struct core *core)
{
    const struct mshr_file *mshrs = core_mshrs(core);
    return mshrs->n - mshrs->used <= 1 || !core_port_room(core, 2);
}

static bool owner_is_done(const struct mascar *m)
{
    const struct core_warps warps = core_warps(m->core);
    const uint64_t waits = warps.load | warps.barrier | warps.fence | warps.done;
    return m->owner == NO_OWNER || waits >> m->owner & 1;
}

static int oldest_with_memory(const struct mascar *m)
{
    int oldest = NO_OWNER;
    for (uint64_t left = core_warps(m->core).memory_next; left != 0; left &= left - 1) {
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
static bool begin(void *self, uint64_t now, uint64_t skipped)
{
    struct mascar *m = self;
    (void)now, (void)skipped;
    m->saturated = is_saturated(m->core);
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
    if (m->owner == (int)slot) {
        m->owner = NO_OWNER; /* before another warp comes to the slot */
    }
}

/* ---- attaching ---- */

static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    uint64_t taken = 0, stalls = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct mascar *m = instance_at(all, i);
        taken += core_replay_taken(m->core);
        stalls += core_replay_stall_cycles(m->core);
    }
    put_count(into, "owners", instances_sum(all, offsetof(struct mascar, owners)));
    put_count(into, "accesses_set_aside", taken);
    put_count(into, "replay_stall_cycles", stalls);
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct mascar *m = instance;
    const struct gate_policy policy = {m, allow, NULL};
    const struct observer observer = {
        .self = m, .warp_launch = warp_launch, .warp_exit = warp_exit};
    const struct clocked_socket clock = {.self = m, .begin = begin, .end = end};
    m->core = core;
    m->owner = NO_OWNER;
    if (ranks_open(context, &m->ranks, core, "mascar") != 0 ||
        gate_attach(context, core, &policy) != 0 ||
        plug_observer(core, &context->plug, &observer) != 0) {
        return -1;
    }
    return plug_clock(core, &context->plug, &clock);
}

static int attach(struct mechanism_context *context)
{
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct mascar), attach_core),
        .name = "mascar",
        .statistics = statistics};
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}

/* ---- what it says of itself ---- */

static bool has_replay_queue(const struct gpu_config *config)
{
    return config->ldst_replay_queue > 0;
}

static const struct mechanism_part parts[] = {{"age", "age_rank"}};
static const struct mechanism_need needs[] = {
    {has_replay_queue, "stalled accesses are re-executed from a queue (wang2015 3.15: 32 "
                       "entries); set ldst.replay_queue=32"}};

const struct mechanism mechanism_mascar = {
    .name = "mascar",
    .title = "warp scheduler: one owner warp while saturated (MASCAR; age ranks alone as RTL)",
    .document = "wang2015",
    .section = "3.15",
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .attach = attach};
