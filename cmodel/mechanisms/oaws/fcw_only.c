/* fcw_only.c - FCW-Only: only the oldest warps of the SM are scheduled, as many as the
 * trained partition says (wang2015 3.18).  Warps at a barrier leave their place to
 * younger ones (D-SWL-2); the partition never falls below one warp, so one is always
 * allowed. */
#include "mechanisms/dacache/partition.h"
#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/ranks.h"
#include "mechanisms/sched/wang2015.h"

enum { COUNTER_BITS = 7, LOADS = 16, MOST_SMS = 64, MOST_SLOTS = 64 };

struct fcw_only {
    const struct sm *sm;
    struct partition partition;
    struct ranks ranks;
    uint8_t gprio[LOADS]; /* at issue, of the loads in the LD/ST queue */
    uint32_t load_head, n_loads;
    bool is_load;
};

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    const struct fcw_only *f = self;
    const uint64_t barrier = gate_at_barrier(f->sm);
    int8_t slot_of_rank[MOST_SLOTS];
    uint64_t allowed = 0;
    uint32_t n = 0, warps = 0;
    (void)number;
    if (view->issuable == 0) {
        return 0;
    }
    for (uint64_t left = f->sm->resident; left != 0; left &= left - 1, warps++) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        slot_of_rank[ranks_of(&f->ranks, slot)] = (int8_t)slot;
    }
    for (uint32_t rank = 0; rank < warps && n < f->partition.fcw; rank++) {
        const uint64_t bit = UINT64_C(1) << slot_of_rank[rank];
        if (!(barrier & bit)) {
            allowed |= bit;
            n++;
        }
    }
    return allowed;
}

static void kernel_start(void *self, uint32_t sm)
{
    struct fcw_only *f = self;
    (void)sm;
    f->load_head = f->n_loads = 0;
    partition_start(&f->partition);
}

static void warp_launch(void *self, uint32_t sm, uint32_t slot)
{
    struct fcw_only *f = self;
    (void)sm;
    ranks_launch(&f->ranks, slot);
}

static void warp_exit(void *self, uint32_t sm, uint32_t slot)
{
    struct fcw_only *f = self;
    (void)sm;
    ranks_exit(&f->ranks, slot);
}

static void issue_mem(void *self, uint32_t sm, uint32_t slot, uint32_t pc, bool is_load,
                      uint32_t mask, uint32_t priority)
{
    struct fcw_only *f = self;
    (void)sm, (void)slot, (void)pc, (void)mask, (void)priority;
    f->is_load = is_load;
}

static void coalesce_done(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t n)
{
    struct fcw_only *f = self;
    (void)sm, (void)pc;
    if (f->is_load && n > 0) {
        f->gprio[(f->load_head + f->n_loads++) % LOADS] = (uint8_t)ranks_of(&f->ranks, slot);
    }
}

static void load_retire(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t priority,
                        uint32_t n, uint32_t misses)
{
    struct fcw_only *f = self;
    (void)sm, (void)slot, (void)pc, (void)priority;
    partition_retire(&f->partition, n, misses > 0, f->gprio[f->load_head]);
    f->load_head = (f->load_head + 1) % LOADS;
    f->n_loads--;
}

struct fcw_all {
    uint32_t n;
    const struct partition *partition[MOST_SMS];
};

static void statistics(void *self, json_t *into)
{
    const struct fcw_all *all = self;
    partition_statistics(all->partition, all->n, into);
}

static int attach_one(struct mechanism_context *context, struct sm *sm, struct fcw_only *f)
{
    const struct gate_policy policy = {f, allow, NULL};
    const struct observer observer = {.self = f,
                                      .kernel_start = kernel_start,
                                      .warp_launch = warp_launch,
                                      .warp_exit = warp_exit,
                                      .issue_mem = issue_mem,
                                      .coalesce_done = coalesce_done,
                                      .load_retire = load_retire};
    f->sm = sm;
    if (ranks_open(context, &f->ranks, sm, "fcw") != 0 ||
        partition_open(context, &f->partition, sm, "fcw", COUNTER_BITS) != 0 ||
        gate_attach(context, sm, &policy) != 0) {
        return -1;
    }
    return mechanism_observe(context, sm, &observer);
}

/* `argument` is not used. */
int attach_fcw_only(struct mechanism_context *context, const char *argument)
{
    struct fcw_all *all = mechanism_keep(context, sizeof *all);
    (void)argument;
    if (all == NULL || gate_loads_in_order(context, "fcw-only") != 0 || gto_below(context) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < context->gpu->n_sms; i++) {
        struct fcw_only *f = mechanism_keep(context, sizeof *f);
        if (f == NULL || attach_one(context, &context->gpu->sm[i], f) != 0) {
            return -1;
        }
        all->partition[all->n++] = &f->partition;
    }
    const struct mechanism_report report = {all, "fcw-only", statistics, NULL};
    return mechanism_reports(context, &report);
}
