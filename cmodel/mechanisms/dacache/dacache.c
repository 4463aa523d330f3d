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

#include <stdio.h>
#include <string.h>

#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/wang2015.h"

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
        const uint32_t scale = d->kind.scheduler_scope ? 1 : d->sm->config->sm_schedulers;
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
        set_partition(d, (uint32_t)d->kind.partition * d->sm->config->sm_schedulers);
    }
}

/* ---- the policy socket ---- */

static const uint64_t *stack_of(struct dacache *d, uint32_t set)
{
    *d->stack_at.op = OP_NONE;
    *d->stack_at.set_index = set;
    pins_comb(&d->stack);
    return d->stack_at.stack_o;
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
    *d->stack_at.q = to;
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
    return *d->gauge_at.q;
}

static bool may_bypass(struct dacache *d, const struct access_info *access)
{
    if (access->kind != ACCESS_LOAD) {
        return false;
    }
    return d->kind.replacement == DACACHE_BYPASS ||
           (d->kind.replacement == DACACHE_BYPASS_CLASS &&
            position_of(d, access) == d->sm->config->l1d_ways - 1);
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct dacache *d = self;
    const uint32_t ways = d->sm->config->l1d_ways;
    const uint32_t all = ways == 32 ? UINT32_MAX : (UINT32_C(1) << ways) - 1;
    memcpy(d->victim_at.stack_i, stack_of(d, set), ways * sizeof(uint64_t));
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
    const uint64_t q = position_of(d, access);
    d->counts.inserted_mru += q == 0;
    d->counts.inserted_lru += q == d->sm->config->l1d_ways - 1;
    d->counts.inserted_between += q != 0 && q != d->sm->config->l1d_ways - 1;
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
    *d->track_at.start_v = 1;
    *d->track_at.start_nreq = n;
    pins_comb(&d->track);
    pins_seq(&d->track);
    *d->track_at.start_v = 0;
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
    *d->track_at.acc_v = 1;
    *d->track_at.acc_result = result;
    *d->track_at.acc_last = last;
    pins_comb(&d->track);
    if (*d->track_at.retire_v) {
        train(d, access, *d->track_at.miss_seen != 0);
    }
    pins_seq(&d->track);
    *d->track_at.acc_v = 0;
    if (last) {
        d->load_head = (d->load_head + 1) % DACACHE_LOADS;
        d->n_loads--;
    }
}

/* ---- attaching ---- */

enum { MOST_SMS = 64 };
struct dacache_all {
    uint32_t n, n_parts; /* no partition is trained by StaticN */
    struct dacache *of_sm[MOST_SMS];
    const struct partition *part[MOST_SMS];
};

static void statistics(void *self, json_t *into)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {
#define FIELD(name) {#name, offsetof(struct dacache_counts, name)}
        FIELD(inserted_mru),      FIELD(inserted_between),   FIELD(inserted_lru),
        FIELD(bypasses_coherent), FIELD(bypasses_divergent), FIELD(vc_probes),
        FIELD(vc_hits),           FIELD(found_locality),     FIELD(found_none),
#undef FIELD
    };
    const struct dacache_all *all = self;
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < all->n; i++) {
            sum += *(const uint64_t *)(const void *)((const char *)&all->of_sm[i]->counts +
                                                     fields[f].offset);
        }
        json_object_set_new(into, fields[f].name, json_integer((json_int_t)sum));
    }
    partition_statistics(all->part, all->n_parts, into);
}

static int attach_one(struct mechanism_context *context, struct sm *sm, struct dacache *d,
                      const struct dacache_kind *kind)
{
    const uint64_t to_mru = (UINT64_C(1) << (32 - __builtin_clz(sm->config->l1d_ways - 1))) - 1;
    d->sm = sm;
    d->kind = *kind;
    if (gate_policy_free(context, sm) != 0 || dacache_open(context, d) != 0) {
        return -1;
    }
    *d->gauge_at.en_gauge = 1;
    *d->victim_at.uncon = kind->replacement == DACACHE_UNCON;
    *d->stack_at.g = kind->promotion ? kind->promotion : to_mru;
    start_partition(d);
    sm->sockets.policy = (struct policy_socket){.self = d,
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
    return mechanism_observe(context, sm, &observer);
}

/* "PARTITION REPLACEMENT PROMOTION", perhaps " sched": "-1 bypass 4". */
static struct dacache_kind kind_of(const char *argument)
{
    struct dacache_kind kind = {.partition = -1};
    char replacement[8] = "", scope[8] = "";
    sscanf(argument, "%d %7s %u %7s", &kind.partition, replacement, &kind.promotion, scope);
    kind.replacement = strcmp(replacement, "uncon") == 0   ? DACACHE_UNCON
                       : strcmp(replacement, "stall") == 0 ? DACACHE_STALL
                       : strcmp(replacement, "class") == 0 ? DACACHE_BYPASS_CLASS
                                                           : DACACHE_BYPASS;
    kind.scheduler_scope = strcmp(scope, "sched") == 0;
    return kind;
}

int attach_dacache(struct mechanism_context *context, const char *argument)
{
    struct gpu *gpu = context->gpu;
    const struct dacache_kind kind = kind_of(argument);
    struct dacache_all *all = mechanism_keep(context, sizeof *all);
    if (all == NULL || gate_loads_in_order(context, "dacache") != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < gpu->n_sms; i++) {
        struct dacache *d = mechanism_keep(context, sizeof *d);
        if (d == NULL || attach_one(context, &gpu->sm[i], d, &kind) != 0) {
            return -1;
        }
        all->part[i] = &d->part;
        all->of_sm[all->n++] = d;
        all->n_parts += kind.partition < 0;
    }
    const struct mechanism_report report = {all, "dacache", statistics, NULL};
    return mechanism_reports(context, &report);
}
