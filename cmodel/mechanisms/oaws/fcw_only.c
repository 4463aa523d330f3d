/* fcw_only.c - FCW-Only: only the oldest warps of the SM are scheduled, as many as the
 * trained partition says (wang2015 3.18); or each scheduler its oldest, as many as are its
 * part of them (D-FCW-2).  Warps at a barrier leave their place to younger ones (D-SWL-2);
 * the partition never falls below one warp, so one is always allowed. */
#include "mechanisms/dacache/partition.h"
#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/gto.h"
#include "mechanisms/sched/ranks.h"

enum { LOADS = 16, MOST_SLOTS = 64 };
enum scope { SCOPE_SM, SCOPE_SCHEDULER };

struct fcw_only {
    const struct core *core;
    struct partition partition;
    struct ranks ranks;
    uint8_t gprio[LOADS]; /* at issue, of the loads in the LD/ST queue */
    uint32_t load_head, n_loads;
    bool is_load;
    uint32_t schedulers; /* that share the partition; 0: its warps are the SM's oldest */
};

static uint64_t oldest_of_sm(const struct fcw_only *f)
{
    int8_t slot_of_rank[MOST_SLOTS];
    uint32_t warps = 0;
    for (uint64_t left = core_warps(f->core).resident; left != 0; left &= left - 1, warps++) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        slot_of_rank[ranks_of(&f->ranks, slot)] = (int8_t)slot;
    }
    return gate_first(f->core, slot_of_rank, warps, f->partition.fcw);
}

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    const struct fcw_only *f = self;
    if (view->issuable == 0) {
        return 0;
    }
    return f->schedulers == 0 ? oldest_of_sm(f)
                              : gate_oldest(f->core, view, number,
                                            (f->partition.fcw + f->schedulers - 1) / f->schedulers);
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

/* ---- attaching ---- */

static void statistics(void *self, json_t *into)
{
    partition_statistics(self, offsetof(struct fcw_only, partition), into);
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct fcw_only *f = instance;
    const struct gate_policy policy = {f, allow, NULL};
    const struct observer observer = {.self = f,
                                      .kernel_start = kernel_start,
                                      .warp_launch = warp_launch,
                                      .warp_exit = warp_exit,
                                      .issue_mem = issue_mem,
                                      .coalesce_done = coalesce_done,
                                      .load_retire = load_retire};
    f->core = core;
    f->schedulers = mechanism_value(context, "scope") == SCOPE_SCHEDULER
                        ? core_config(core)->sm_schedulers
                        : 0;
    if (ranks_open(context, &f->ranks, core, "fcw") != 0 ||
        partition_open(context, &f->partition, core, "fcw",
                       (uint32_t)mechanism_value(context, "fcl_bits")) != 0 ||
        gate_attach(context, core, &policy) != 0) {
        return -1;
    }
    return plug_observer(core, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    struct mechanism_report report = {.name = "fcw-only", .statistics = statistics};
    if (gto_below(context) != 0) {
        return -1;
    }
    report.self = instances_of_cores(context, sizeof(struct fcw_only), attach_core);
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}

static const struct mechanism_option options[] = {
    PARTITION_OPTION_FCL,
    OPTION_CHOICE(
        "scope", SCOPE_SM, "sm|scheduler",
        "whose oldest warps FCW counts: the SM's, or each scheduler's, its part of FCW and "
        "at least one",
        "D-FCW-2")};
static const struct mechanism_part parts[] = {
    {"gto", "gto_sched"}, {"age", "age_rank"}, {"part", "dac_part"}};
static const struct mechanism_need needs[] = {GATE_LOADS_IN_ORDER};

const struct mechanism mechanism_fcw_only = {
    .name = "fcw-only",
    .title = "warp scheduler: only the oldest warps, as many as are cached whole (FCW-Only)",
    .document = "wang2015",
    .section = "3.18",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
