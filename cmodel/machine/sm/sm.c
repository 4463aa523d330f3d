/* sm.c - an SM's life: storage, the order of events in one cycle, sleeping.
 *
 * Works after aci-iacm-blpp section 7 (order of events in one L1D cycle: fills, then
 * one request) and docs/architecture.md "Idle cycles are skipped".  See sm.h.
 */
#include "machine/sm/sm_l1d_sectors.h"

#include <stdlib.h>
#include <string.h>

#include "machine/plug/sockets_base.h"
#include "machine/sm/sm_async.h"
#include "machine/sm/sm_staged.h"

/* ---- storage ---- */

static int init(struct sm *sm, uint32_t id, const struct gpu_config *config, struct memory *memory)
{
    const bool sectored = config->l1d_sector_bytes != 0;
    uint32_t n = config->ldst_inflight;

    *sm = (struct sm){.id = id,
                      .config = config,
                      .memory = memory,
                      .ldst.stall = {-1, -1, -1, -1},
                      .replay.stall = -1,
                      .wake = CYCLE_NEVER};
    sm_pipes_init(&sm->pipes, config);
    for (uint32_t w = 0; w < config->sm_warps; w++) {
        sm->issue.sched_mask[w % config->sm_schedulers] |= UINT64_C(1) << w;
    }
    sm->ldst.inst = calloc(n, sizeof *sm->ldst.inst);
    sm->ldst.free = calloc(n, sizeof(struct mem_inst *));
    sm->stats.set_accesses = calloc(config->l1d_sets, sizeof(uint64_t));
    if (!sm->ldst.inst || !sm->ldst.free || !sm->stats.set_accesses ||
        cache_init(&sm->l1d, config->l1d_sets, sectored ? 1 : config->l1d_ways) != 0 ||
        (sectored && !(sm->sectors = sm_sectors_new(config))) ||
        mshr_init(&sm->mshr, config->l1d_mshrs, config->l1d_mshr_targets) != 0 ||
        ring_init(&sm->port.out, config->l1d_miss_queue + config->l1d_mshrs) != 0 ||
        ring_init(&sm->reply.in, config->icnt_reply_buffer) != 0 ||
        base_sm_sockets(&sm->sockets, config) != 0) {
        return -1;
    }
    if ((config->operands_banks && !(sm->staged = sm_staged_new(config))) ||
        (config->fetch_rounds && !(sm->fetch = sm_fetch_new(config)))) {
        return -1;
    }
    if (sm->staged) {
        sm_operands_classes(&sm->staged->operands, sm->pipes.class_of);
    }
    while (sm->ldst.n_free < n) {
        sm->ldst.free[sm->ldst.n_free] = &sm->ldst.inst[sm->ldst.n_free];
        sm->ldst.n_free++;
    }
    return 0;
}

/* Warps still resident (a run that ended early) own front-end resources. */
static void end_warps(struct sm *sm)
{
    for (uint64_t left = sm->warps.resident; left; left &= left - 1) {
        sm->facts->launch->warp_end(sm->facts->launch->self, sm->warps.at[__builtin_ctzll(left)]);
    }
    sm->warps.resident = 0;
    sm->issue.classes_known = false;
}

static void destroy(struct sm *sm)
{
    base_sm_sockets_free(&sm->sockets);
    free(sm->ldst.inst);
    free(sm->ldst.free);
    free(sm->stats.set_accesses);
    cache_free(&sm->l1d);
    sm_sectors_free(sm->sectors);
    mshr_free(&sm->mshr);
    sm_round_free(sm);
    ring_free(&sm->port.out);
    ring_free(&sm->reply.in);
    exchange_pool_free(&sm->port.pool);
    free(sm->staged);
    sm_fetch_free(sm->fetch);
    sm_async_free(sm);
    free(sm->wheel.event);
    free(sm->warps.storage);
    free(sm->warps.scoreboard);
    free(sm->ctas.shared);
}

struct sm *sm_create_all(uint32_t n, const struct gpu_config *config, struct memory *memory)
{
    struct sm *all = aligned_alloc(_Alignof(struct sm), n * sizeof *all);

    if (!all) {
        return NULL;
    }
    memset(all, 0, n * sizeof *all);
    for (uint32_t s = 0; s < n; s++) {
        if (init(&all[s], s, config, memory) != 0) {
            sm_destroy_all(all, n);
            return NULL;
        }
    }
    return all;
}

void sm_destroy_all(struct sm *all, uint32_t n)
{
    for (uint32_t s = 0; all && s < n; s++) {
        destroy(&all[s]);
    }
    free(all);
}

struct sm *sm_at(struct sm *all, uint32_t number)
{
    return &all[number];
}

struct ring *sm_requests(struct sm *sm)
{
    return &sm->port.out;
}

struct ring *sm_replies(struct sm *sm)
{
    return &sm->reply.in;
}

/* ---- a kernel ---- */

/* The class of every scheduler in cycles in which nothing could change. */
static void account(struct sm *sm, uint64_t now)
{
    uint64_t skipped = now - sm->last_step;

    if (now <= sm->last_step) {
        return;
    }
    sm_idle(sm, skipped);
    for (uint32_t bank = 0; bank < sm->config->l1d_banks; bank++) {
        if (sm->ldst.stall[bank] >= 0) {
            *sm_refused(sm, sm->ldst.stall[bank]) += skipped;
        }
    }
    if (sm->replay.stall >= 0) {
        sm->replay.stall_cycles += skipped;
    }
    sm->last_step = now;
}

static int resize_for_kernel(struct sm *sm, const struct kernel_facts *facts)
{
    size_t stride = (facts->launch->warp_bytes + 63) & ~(size_t)63;
    size_t words = (size_t)facts->words * 2 * SM_MAX_WARPS;

    free(sm->warps.storage);
    free(sm->warps.scoreboard);
    free(sm->ctas.shared);
    sm->warps.storage = aligned_alloc(64, stride * sm->config->sm_warps);
    sm->warps.scoreboard = calloc(words, sizeof *sm->warps.scoreboard);
    sm->ctas.shared = calloc((size_t)facts->ctas_per_sm * facts->shared_bytes + 1, 1);
    if (!sm->warps.storage || !sm->warps.scoreboard || !sm->ctas.shared) {
        return -1;
    }
    for (uint32_t w = 0; w < sm->config->sm_warps; w++) {
        sm->warps.at[w] = (struct isa_warp *)(void *)(sm->warps.storage + w * stride);
        sm->warps.pending[w] = &sm->warps.scoreboard[(size_t)w * 2 * facts->words];
    }
    return 0;
}

int sm_kernel_start(struct sm *sm, const struct kernel_facts *facts, bool demand_paging)
{
    struct sm_sockets *s = &sm->sockets;

    sm->facts = facts;
    sm->ldst.demand_paging = demand_paging;
    if (resize_for_kernel(sm, facts) != 0 ||
        sm_async_start(sm, facts->launch->asynchronous || facts->launch->cluster_ctas > 1) != 0) {
        return -1;
    }
    memset(sm->warps.pipe_next, 0, sizeof sm->warps.pipe_next);
    sm->warps.pipes_wanted = 0;
    sm->issue.hold = sm->config->sm_launch_hold;
    sm->issue.stateful = false;
    for (uint32_t n = 0; n < sm->config->sm_schedulers; n++) {
        sm->issue.stateful |= s->sched[n].stateful;
    }
    sm->valued = facts->launch->carries_values;
    sm->steady = (s->promises & PLUG_QUIET) && !sm->config->ldst_replay_queue;
    sm->l1d.locks = s->coherence.load || s->coherence.store_hit;
    if (s->coherence.keeps_copies || sm->config->l1d_at_launch == AT_LAUNCH_REFRESHED) {
        l1d_drop_dirty(sm);
    } else {
        cache_invalidate_all(&sm->l1d);
    }
    if (sm->sectors) {
        sm_sectors_start(sm);
    }
    if (s->policy.kernel_start) {
        s->policy.kernel_start(s->policy.self);
    }
    if (s->prefetch.kernel_start) {
        s->prefetch.kernel_start(s->prefetch.self);
    }
    if (s->coherence.kernel_start) {
        s->coherence.kernel_start(s->coherence.self);
    }
    for (uint32_t n = 0; n < sm->config->sm_schedulers; n++) {
        if (s->sched[n].kernel_start) {
            s->sched[n].kernel_start(s->sched[n].self);
        }
    }
    OBSERVE(*s, kernel_start, sm->id);
    return 0;
}

void sm_host_wrote(struct sm *sm, uint64_t address, uint64_t bytes)
{
    if (sm->sockets.coherence.keeps_copies) {
        cache_invalidate_range(&sm->l1d, address, bytes);
    }
}

const char *sm_cannot(const struct sm *sm)
{
    return sm->sectors ? sm_sectors_cannot(sm) : NULL;
}

const char *sm_cannot_keep(const struct sm *sm)
{
    const struct sm_sockets *s = &sm->sockets;

    return s->coherence.load                                 ? s->owner[SEAM_COHERENCE]
           : s->index_still.moved_by                         ? s->index_still.moved_by
           : !s->policy.kernel_start || s->policy.knows_kept ? NULL
           : s->owner[SEAM_POLICY]                           ? s->owner[SEAM_POLICY]
                                                             : s->around[SEAM_POLICY];
}

const char *sm_needs_one_memory(const struct sm *sm, bool moves)
{
    const struct sm_sockets *s = &sm->sockets;

    if (sm->sectors) {
        return "an L1D by sectors caches host memory; set l1d.sector_bytes=0";
    }
    if (s->coherence.reply || s->coherence.load || s->coherence.store_hit) {
        return "host memory answers no coherence protocol; leave the protocol out";
    }
    if (moves && (s->inclusion.has || s->inclusion.copy_back)) {
        return "copies beside the L1D would outlive a page; set host.pages=0 and host.gpu_pages=0, or "
               "leave inclusion out";
    }
    return NULL;
}

bool sm_keeps_to_itself(const struct sm *sm)
{
    return (sm->sockets.promises & PLUG_LOCAL) && sm->steady && !sm->ldst.demand_paging;
}

bool sm_distributed(struct sm *sm, uint64_t now)
{
    bool held = sm->issue.hold;

    if (held) {
        account(sm, now);
        sm->issue.hold = false;
    }
    return held;
}

void sm_kernel_end(struct sm *sm, uint64_t now)
{
    now = cycle_later(now, sm->last_step);
    account(sm, now);
    sm_count_mshrs(sm, now);
    if (sm->warps.resident) {
        sm->stats.active_cycles += now - sm->warps.resident_since;
    }
    sm->warps.resident_since = now;
    end_warps(sm);
}

void sm_launch_cta(struct sm *sm, uint64_t id, uint64_t now)
{
    account(sm, now);
    sm_place_cta(sm, id, now);
}

/* ---- one cycle ---- */

static uint64_t next_wake(struct sm *sm)
{
    uint64_t next = sm_next_issue(sm), soonest = sm->now + 1;

    if (next <= soonest || sm->reply.serving || sm->reply.repeat ||
        (sm->progress && sm->issue.stateful)) {
        return soonest;
    }
    if (sm->fetch && !sm_fetch_idle(sm->fetch)) {
        return soonest;
    }
    if (sm->async) {
        next = cycle_earlier(next, sm_async_next(sm));
    }
    next = cycle_earlier(next, sm->staged ? sm_staged_next(sm) : sm_ldst_next(sm));
    if (next > soonest && sm->reply.in.count) {
        next = cycle_earlier(next, ring_head(&sm->reply.in)->ready_at);
    }
    if (next > soonest) {
        next = cycle_earlier(next, sm_retire_next(sm));
    }
    return next > soonest ? next : soonest;
}

/* One core cycle. */
static void step(struct sm *sm, uint64_t now)
{
    if (now > sm->last_step) {
        account(sm, now);
    }
    sm->now = now;
    sm->progress = false;
    sm->last_step = now + 1;
    if (!clocked_begin(sm->sockets.clocked, sm->sockets.n_clocked, now,
                       &sm->sockets.clocked_next)) {
        sm->ldst.blocked_until = now + 1;
    }
    sm_retire_step(sm);
    if (sm->staged) {
        sm_staged_execute(sm, sm_reply_step(sm));
    } else {
        sm_ldst_step(sm, sm_reply_step(sm));
    }
    for (uint64_t left = sm->sockets.coherence.fence ? sm->warps.wait_fence : 0; left;
         left &= left - 1) {
        sm_check_warp(sm, (uint32_t)__builtin_ctzll(left));
    }
    if (sm->staged) {
        sm_staged_collect(sm);
    }
    if (sm->async) {
        sm_async_step(sm);
    }
    sm_issue(sm);
    if (sm->fetch && !sm_fetch_idle(sm->fetch)) {
        sm_fetch_step(sm);
    }
    sm->wake = next_wake(sm);
    if (clocked_end(sm->sockets.clocked, sm->sockets.n_clocked)) {
        sm->wake = now + 1;
    }
}

/* Would a cycle go as it will when the machine gets there?  The network may have taken messages
 * from the memory port by then; a cycle needs room for three at most (a fill's eviction, an
 * access or a prefetch, and its eviction).  Without warps an SM may be what ends the kernel. */
static bool may_run_ahead(const struct sm *sm)
{
    return sm->warps.resident && sm_port_room(sm, 3);
}

void sm_run(struct sm *sm, uint64_t now, uint64_t first, uint64_t last)
{
    uint64_t at = first > now ? first : now;

    sm->ran = false;
    for (bool may = !sm_untold(sm) && (at == now || may_run_ahead(sm)); may && at <= last;
         may = !sm_untold(sm) && may_run_ahead(sm)) {
        uint32_t replies = sm->reply.in.count;

        step(sm, at);
        sm->ran = true;
        if (sm->progress) {
            sm->progress_at = at;
        }
        if (at > now && sm->reply.in.count < replies) {
            ring_taken_ahead(&sm->reply.in, at, now);
        }
        at = sm->wake;
    }
}
