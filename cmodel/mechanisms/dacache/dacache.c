/* dacache.c - DaCache: divergence-aware management of the L1D (wang2015 3.12, appendix B).
 *
 * A replacement policy of the L1D made of its units: gauged insertion, incremental
 * promotion, a partition of the LRU stack trained by fully cached loads, constrained
 * replacement with stall or bypass, profiled coherent loads.  Each unit is stepped when
 * its event occurs: at most one access is accepted per cycle, so an update is there
 * before the next.  The machine's own policy order holds: an access that stalls changes
 * nothing.
 *
 * Limit: allocate-on-miss only (nothing is reserved under allocate-on-fill). */
#include "mechanisms/dacache/dacache.h"

#include <string.h>

#include "mechanisms/sched/gate.h"

enum { OP_NONE, OP_PROMOTE, OP_INSERT };

/* ---- partition ---- */

/* The partition in force, `fcw` warps per SM, to the units that use it. */
static void set_partition(struct dacache *d, uint32_t fcw)
{
    *d->gauge_at.fcw = *d->region_at.fcw = fcw;
    pins_comb(&d->region);
    *d->victim_at.p_eff = *d->region_at.p_eff;
}

static void train(struct dacache *d, const struct access_info *access, bool miss_seen)
{
    if (d->kind.partition < 0) {
        const uint32_t scale = d->kind.rank == DACACHE_RANK_SM ? core_config(d->core)->sm_schedulers
                                                               : 1;
        partition_retire(&d->part, access->n_requests, miss_seen, access->priority * scale);
        set_partition(d, d->part.fcw);
    }
}

static void start_partition(struct dacache *d)
{
    if (d->kind.partition < 0) {
        partition_start(&d->part);
        set_partition(d, d->part.fcw);
    } else {
        set_partition(d, (uint32_t)d->kind.partition * core_config(d->core)->sm_schedulers);
    }
}

/* ---- the policy socket ---- */

static const uint64_t *stack_of(struct dacache *d, uint32_t set)
{
    *d->stack_at.op = OP_NONE;
    *d->stack_at.set_index = set;
    pins_comb(&d->stack);
    return d->stack_at.lru_stack;
}

static void move(struct dacache *d, uint32_t set, uint32_t way, uint64_t op, uint64_t to)
{
    const uint64_t *stack = stack_of(d, set);
    uint32_t position = 0;
    while (stack[position] != way) {
        position++;
    }
    *d->stack_at.pos = position;
    *d->stack_at.op = op;
    *d->stack_at.insert_pos = to;
    pins_comb(&d->stack);
    pins_seq(&d->stack);
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    (void)access;
    move(self, set, way, OP_PROMOTE, 0);
}

/* Where a block of this access is inserted. */
static uint64_t position_of(struct dacache *d, const struct access_info *access)
{
    const struct dacache_load *load = &d->load[d->load_head];
    *d->gauge_at.prio = access->priority;
    *d->gauge_at.nreq = access->n_requests;
    *d->gauge_at.clp = access->kind == ACCESS_LOAD && d->n_loads > 0 ? load->profile : 0;
    pins_comb(&d->gauge);
    return *d->gauge_at.insert_pos;
}

static bool may_bypass(struct dacache *d, const struct access_info *access)
{
    if (access->kind != ACCESS_LOAD) {
        return false;
    }
    return d->kind.none == DACACHE_BYPASS ||
           (d->kind.none == DACACHE_CLASS &&
            position_of(d, access) == core_config(d->core)->l1d_ways - 1);
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct dacache *d = self;
    const uint32_t ways = core_config(d->core)->l1d_ways;
    const uint32_t all = ways == 32 ? UINT32_MAX : (UINT32_C(1) << ways) - 1;
    memcpy(d->victim_at.lru_stack, stack_of(d, set), ways * sizeof(uint64_t));
    *d->victim_at.valid = replaceable;
    *d->victim_at.reserved = all & ~(invalid | replaceable);
    pins_comb(&d->victim);
    if (*d->victim_at.found) {
        return (int)*d->victim_at.vway;
    }
    return may_bypass(d, access) ? POLICY_BYPASS : POLICY_NONE;
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct dacache *d = self;
    const uint64_t q = position_of(d, access), lru = core_config(d->core)->l1d_ways - 1;
    d->counts.inserted_mru += q == 0;
    d->counts.inserted_lru += q == lru;
    d->counts.inserted_between += q != 0 && q != lru;
    move(d, set, way, OP_INSERT, q);
}

static void kernel_start(void *self)
{
    struct dacache *d = self;
    d->load_head = d->n_loads = 0;
    dacache_profile_clear(d);
    start_partition(d);
}

/* ---- the pipeline's events ---- */

static void warp_launch(void *self, uint32_t sm, uint32_t slot)
{
    struct dacache *d = self;
    (void)sm;
    ranks_launch(&d->ranks, slot);
}

static void warp_exit(void *self, uint32_t sm, uint32_t slot)
{
    struct dacache *d = self;
    (void)sm;
    ranks_exit(&d->ranks, slot);
}

static void issue_mem(void *self, uint32_t sm, uint32_t slot, uint32_t pc, bool is_load,
                      uint32_t mask, uint32_t priority)
{
    struct dacache *d = self;
    (void)sm, (void)slot, (void)pc, (void)mask, (void)priority;
    d->is_load = is_load;
}

static void coalesce_done(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t n)
{
    struct dacache *d = self;
    (void)sm;
    if (!d->is_load || n == 0) {
        return;
    }
    struct dacache_load *load = &d->load[(d->load_head + d->n_loads++) % DACACHE_LOADS];
    const bool coherent = n <= 2;
    load->profile = coherent ? dacache_profile_of(d, pc) : 0;
    load->sampled = coherent && ranks_of(&d->ranks, slot) == 0;
}

static void start_load(struct dacache *d, uint32_t n)
{
    *d->track_at.start_valid = 1;
    *d->track_at.start_nreq = n;
    pins_comb(&d->track);
    pins_seq(&d->track);
    *d->track_at.start_valid = 0;
}

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct dacache *d = self;
    const bool last = access->position + 1u == access->n_requests;
    (void)sm, (void)set;
    if (access->position == 0) {
        start_load(d, access->n_requests);
    }
    if (result == RESULT_BYPASS) {
        ++*(access->n_requests > 2 ? &d->counts.bypasses_divergent : &d->counts.bypasses_coherent);
    }
    if (d->load[d->load_head].sampled) {
        dacache_profile(d, access->pc, access->block, result == RESULT_HIT);
    }
    *d->track_at.acc_valid = 1;
    *d->track_at.acc_result = result;
    *d->track_at.acc_last = last;
    pins_comb(&d->track);
    if (*d->track_at.retire_valid) {
        train(d, access, *d->track_at.miss_seen != 0);
    }
    pins_seq(&d->track);
    *d->track_at.acc_valid = 0;
    if (last) {
        d->load_head = (d->load_head + 1) % DACACHE_LOADS;
        d->n_loads--;
    }
}

/* ---- attaching ---- */

#define COUNTER(name) \
    { \
        #name, offsetof(struct dacache, counts.name) \
    }
static const struct counter counters[] = {
    COUNTER(inserted_mru),      COUNTER(inserted_between),   COUNTER(inserted_lru),
    COUNTER(bypasses_coherent), COUNTER(bypasses_divergent), COUNTER(vc_probes),
    COUNTER(vc_hits),           COUNTER(found_locality),     COUNTER(found_none)};
#undef COUNTER

static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    const struct dacache *first = instance_at(all, 0);
    instances_put(all, counters, sizeof counters / sizeof *counters, into);
    if (first->kind.partition < 0) {
        partition_statistics(all, offsetof(struct dacache, part), into);
    }
}

/* What the units are told once and for all. */
static void set_kind(struct mechanism_context *context, struct dacache *d)
{
    const uint32_t ways = core_config(d->core)->l1d_ways;
    const uint64_t to_mru = (UINT64_C(1) << (32 - __builtin_clz(ways - 1))) - 1;
    const uint64_t climbs = (uint64_t)mechanism_value(context, "promote");
    *d->gauge_at.enable = 1;
    *d->victim_at.uncon = d->kind.none == DACACHE_UNCON;
    *d->stack_at.climb = climbs == 0 || climbs > to_mru ? to_mru : climbs;
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct dacache *d = instance;
    const struct policy_socket policy = {.self = d,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .kernel_start = kernel_start};
    const struct observer observer = {.self = d,
                                      .warp_launch = warp_launch,
                                      .warp_exit = warp_exit,
                                      .issue_mem = issue_mem,
                                      .coalesce_done = coalesce_done,
                                      .acc_result = acc_result};
    d->core = core;
    d->kind.partition = (int)mechanism_value(context, "partition");
    d->kind.none = (enum dacache_none)mechanism_value(context, "none");
    d->kind.rank = (enum dacache_rank)mechanism_value(context, "rank");
    if (dacache_open(context, d) != 0 || plug_policy(core, &context->plug, &policy) != 0) {
        return -1;
    }
    set_kind(context, d);
    start_partition(d);
    return plug_observer(core, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    const struct gpu_config *config = machine_config(context->machine);
    const int64_t most = config->sm_warps / config->sm_schedulers;
    if (mechanism_value(context, "partition") > most) {
        return mechanism_fail(context,
                              "dacache: a scheduler has %lld warps; give partition=-1 to %lld",
                              (long long)most, (long long)most);
    }
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct dacache), attach_core),
        .name = "dacache",
        .statistics = statistics};
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}

/* ---- what it says of itself ---- */

enum { MOST_WARPS = 63 };

static bool allocates_on_miss(const struct gpu_config *config)
{
    return config->l1d_allocate == ALLOCATE_ON_MISS;
}

static bool l1d_fits(const struct gpu_config *config)
{
    const uint32_t sets = config->l1d_sets, ways = config->l1d_ways;
    return (sets & (sets - 1)) == 0 && sets >= 2 && ways >= 2 && ways <= 16;
}

static bool warps_fit(const struct gpu_config *config)
{
    return config->sm_warps <= MOST_WARPS && config->sm_warps % config->sm_schedulers == 0 &&
           config->sm_warps / config->sm_schedulers >= 2;
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("partition", -1, -1, MOST_WARPS,
                 "warps of each scheduler that are to be cached whole, -1: trained", "3.12.9"),
    OPTION_CHOICE("none", DACACHE_BYPASS, "bypass|uncon|stall|class",
                  "without a candidate in the thrashing region: bypass, take any line, stall, or "
                  "bypass those inserted at LRU only",
                  "D-DAC-8"),
    OPTION_COUNT("promote", 4, 0, 7, "positions that a hit climbs, 0: straight to MRU", "3.12.4"),
    OPTION_CHOICE("rank", DACACHE_RANK_SM, "sm|scheduler",
                  "the age rank that training compares with the partition: times the schedulers, "
                  "or as it is",
                  "D-DAC-12")};

static const struct mechanism_part parts[] = {
    {"gauge", "dac_gauge"}, {"region", "dac_region"}, {"victim", "dac_victim"},
    {"stack", "dac_stack"}, {"track", "dac_track"},   {"vc", "dac_vc"},
    {"clp", "dac_clp"},     {"part", "dac_part"},     {"age", "age_rank"}};

static const struct mechanism_need needs[] = {
    GATE_LOADS_IN_ORDER,
    {allocates_on_miss, "reserved lines are managed (wang2015 3.12.6); set l1d.allocate=on-miss"},
    {l1d_fits, "a power of two of sets and 2..16 ways are needed; set l1d.sets, l1d.ways"},
    {warps_fit, "at most 63 warps are needed, the same number (2 or more) for each scheduler; set "
                "sm.warps"}};

const struct mechanism mechanism_dacache = {
    .name = "dacache",
    .title = "L1D: divergence-aware insertion, promotion and replacement (DaCache)",
    .document = "wang2015",
    .section = "3.12",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
