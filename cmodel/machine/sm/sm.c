/* sm.c - an SM's life: storage, the order of events in one cycle, sleeping.
 *
 * Works after aci-iacm-blpp section 7 (order of events in one L1D cycle: fills, then
 * one request) and docs/architecture.md "Idle cycles are skipped".  See sm.h.
 */
#include "machine/sm/sm_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/plug/sockets_base.h"

/* ---- storage ---- */

static void set_pipe(struct sm *sm, enum isa_pipe pipe, uint32_t units, uint32_t interval,
                     uint32_t latency)
{
    sm->units[pipe] = units;
    sm->interval[pipe] = interval;
    sm->latency[pipe] = latency;
}

static void set_pipes(struct sm *sm, const struct gpu_config *c)
{
    uint32_t n = c->sm_schedulers;

    set_pipe(sm, ISA_PIPE_INT, c->pipe_int_units, c->pipe_int_interval, c->pipe_int_latency);
    set_pipe(sm, ISA_PIPE_FP32, c->pipe_fp32_units, c->pipe_fp32_interval, c->pipe_fp32_latency);
    set_pipe(sm, ISA_PIPE_FP64, c->pipe_fp64_units, c->pipe_fp64_interval, c->pipe_fp64_latency);
    set_pipe(sm, ISA_PIPE_SFU, c->pipe_sfu_units, c->pipe_sfu_interval, c->pipe_sfu_latency);
    set_pipe(sm, ISA_PIPE_MEM, 1, c->ldst_interval, c->ldst_latency);
    set_pipe(sm, ISA_PIPE_SHARED, 1, c->shared_interval, c->shared_latency);
    set_pipe(sm, ISA_PIPE_CONST, n, 1, c->sm_const_cycles);
    set_pipe(sm, ISA_PIPE_CONTROL, n, 1, 1);
    set_pipe(sm, ISA_PIPE_BARRIER, n, 1, 1);
    set_pipe(sm, ISA_PIPE_FENCE, n, 1, 1);
}

static int init(struct sm *sm, uint32_t id, const struct gpu_config *config, struct memory *memory)
{
    uint32_t n = config->ldst_inflight;

    *sm = (struct sm){.id = id,
                      .config = config,
                      .memory = memory,
                      .stall = -1,
                      .replay.stall = -1,
                      .wake = CYCLE_NEVER};
    set_pipes(sm, config);
    for (uint32_t w = 0; w < config->sm_warps; w++) {
        sm->sched_mask[w % config->sm_schedulers] |= UINT64_C(1) << w;
    }
    sm->inst_pool = calloc(n, sizeof *sm->inst_pool);
    sm->inst_free = calloc(n, sizeof(struct mem_inst *));
    sm->stats.set_accesses = calloc(config->l1d_sets, sizeof(uint64_t));
    if (!sm->inst_pool || !sm->inst_free || !sm->stats.set_accesses ||
        cache_init(&sm->l1d, config->l1d_sets, config->l1d_ways) != 0 ||
        mshr_init(&sm->mshr, config->l1d_mshrs, config->l1d_mshr_targets) != 0 ||
        ring_init(&sm->out, config->l1d_miss_queue + config->l1d_mshrs) != 0 ||
        ring_init(&sm->in, config->icnt_reply_buffer) != 0 ||
        base_sm_sockets(&sm->sockets, config) != 0) {
        return -1;
    }
    while (sm->n_inst_free < n) {
        sm->inst_free[sm->n_inst_free] = &sm->inst_pool[sm->n_inst_free];
        sm->n_inst_free++;
    }
    return 0;
}

/* Warps still resident (a run that ended early) own front-end resources. */
static void end_warps(struct sm *sm)
{
    for (uint64_t left = sm->resident; left; left &= left - 1) {
        sm->facts->launch->warp_end(sm->facts->launch->self, sm->warp[__builtin_ctzll(left)]);
    }
    sm->resident = 0;
    sm->classes_known = false;
}

static void destroy(struct sm *sm)
{
    base_sm_sockets_free(&sm->sockets);
    free(sm->inst_pool);
    free(sm->inst_free);
    free(sm->stats.set_accesses);
    cache_free(&sm->l1d);
    mshr_free(&sm->mshr);
    ring_free(&sm->out);
    ring_free(&sm->in);
    exchange_pool_free(&sm->pool);
    free(sm->event);
    free(sm->warp_storage);
    free(sm->pending);
    free(sm->shared_storage);
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
    return &sm->out;
}

struct ring *sm_replies(struct sm *sm)
{
    return &sm->in;
}

static int resize_for_kernel(struct sm *sm, const struct kernel_facts *facts)
{
    size_t stride = (facts->launch->warp_bytes + 63) & ~(size_t)63;
    size_t words = (size_t)facts->words * 2 * SM_MAX_WARPS;

    free(sm->warp_storage);
    free(sm->pending);
    free(sm->shared_storage);
    sm->warp_storage = aligned_alloc(64, stride * sm->config->sm_warps);
    sm->pending = calloc(words, sizeof *sm->pending);
    sm->shared_storage = calloc((size_t)facts->ctas_per_sm * facts->shared_bytes + 1, 1);
    if (!sm->warp_storage || !sm->pending || !sm->shared_storage) {
        return -1;
    }
    for (uint32_t w = 0; w < sm->config->sm_warps; w++) {
        sm->warp[w] = (struct isa_warp *)(void *)(sm->warp_storage + w * stride);
    }
    return 0;
}

int sm_kernel_start(struct sm *sm, const struct kernel_facts *facts, bool demand_paging)
{
    struct sm_sockets *s = &sm->sockets;

    sm->facts = facts;
    sm->demand_paging = demand_paging;
    if (resize_for_kernel(sm, facts) != 0) {
        return -1;
    }
    memset(sm->pipe_next, 0, sizeof sm->pipe_next);
    sm->pipes_wanted = 0;
    sm->hold = sm->config->sm_launch_hold;
    sm->stateful_scheduler = false;
    for (uint32_t n = 0; n < sm->config->sm_schedulers; n++) {
        sm->stateful_scheduler |= s->sched[n].stateful;
    }
    sm->steady = (s->promises & PLUG_QUIET) && !sm->config->ldst_replay_queue;
    sm->l1d.locks = s->coherence.load || s->coherence.store_hit;
    cache_invalidate_all(&sm->l1d); /* local memory died with its threads, the rest is clean */
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

bool sm_keeps_to_itself(const struct sm *sm)
{
    const struct sm_sockets *s = &sm->sockets;

    return (s->promises & PLUG_LOCAL) && sm->steady && !sm->demand_paging && !s->prefetch.load &&
           !s->prefetch.peek && !s->speculation.self;
}

bool sm_distributed(struct sm *sm, uint64_t now)
{
    bool held = sm->hold;

    if (held) {
        sm_account(sm, now);
        sm->hold = false;
    }
    return held;
}

void sm_kernel_end(struct sm *sm, uint64_t now)
{
    now = cycle_later(now, sm->last_step);
    sm_account(sm, now);
    sm_count_mshrs(sm, now);
    if (sm->resident) {
        sm->stats.active_cycles += now - sm->resident_since;
    }
    sm->resident_since = now;
    end_warps(sm);
}

/* ---- the timing wheel ---- */

static uint32_t new_event(struct sm *sm)
{
    uint32_t at;

    if (!sm->event_free) {
        uint32_t more = sm->n_events ? 2 * sm->n_events : 256;
        struct wheel_event *event = realloc(sm->event, more * sizeof *event);

        if (!event) {
            abort(); /* a few kilobytes: nothing else would work either */
        }
        sm->event = event;
        for (at = sm->n_events; at < more; at++) {
            event[at].next = sm->event_free;
            sm->event_free = at + 1;
        }
        sm->n_events = more;
    }
    at = sm->event_free;
    sm->event_free = sm->event[at - 1].next;
    return at;
}

static void link_event(struct sm *sm, uint32_t at)
{
    struct wheel_event *event = &sm->event[at - 1];
    uint64_t when = event->at - sm->now < SM_WHEEL ? event->at : sm->now + SM_WHEEL - 1;
    uint32_t bucket = (uint32_t)(when % SM_WHEEL);

    event->next = sm->wheel[bucket];
    sm->wheel[bucket] = at;
    sm->wheel_used[bucket / 64] |= UINT64_C(1) << (bucket % 64);
}

void sm_wheel_add(struct sm *sm, uint64_t at, enum wheel_kind kind, uint32_t slot, uint32_t pc,
                  struct mem_inst *inst)
{
    uint32_t index = new_event(sm);
    struct wheel_event *event = &sm->event[index - 1];

    event->at = at;
    event->kind = (uint8_t)kind;
    event->slot = (uint8_t)slot;
    event->pc = pc;
    event->inst = inst;
    sm->inflight[slot]++;
    link_event(sm, index);
}

static void clear_pending(struct sm *sm, uint32_t slot, uint32_t pc)
{
    uint32_t words = sm->facts->words;
    const uint64_t *define = facts_define(sm->facts, pc);
    uint64_t *pending = sm_pending(sm, slot);

    for (uint32_t word = 0; word < words; word++) {
        pending[word] &= ~define[word];
        pending[words + word] &= ~define[word];
    }
}

static void retire_memory(struct sm *sm, struct mem_inst *inst)
{
    const struct isa_launch *launch = sm->facts->launch;
    uint64_t time = sm->now - inst->issued;

    if (inst->op.mask) {
        launch->retire(launch->self, sm->warp[inst->slot], &inst->op);
    }
    sm->loads[inst->slot]--;
    if (inst->kind == ACCESS_LOAD && inst->n) {
        *(inst->n > 2 ? &sm->stats.access_time_divergent : &sm->stats.access_time_coherent) += time;
        sm->stats.latency[stats_log2(time)]++;
    }
    sm->inst_free[sm->n_inst_free++] = inst;
}

static void fire(struct sm *sm, const struct wheel_event *event)
{
    uint32_t slot = event->slot;
    uint64_t bit = UINT64_C(1) << slot;

    sm->inflight[slot]--;
    if (event->kind == WHEEL_FETCH) {
        sm->wait_fetch &= ~bit;
    } else {
        clear_pending(sm, slot, event->pc);
    }
    if (event->kind == WHEEL_MEMORY) {
        retire_memory(sm, event->inst);
    }
    /* The result of an arithmetic operation frees only who waits for one. */
    if (event->kind != WHEEL_ARITH || ((sm->wait_arith | sm->wait_load) & bit)) {
        sm_update_warp(sm, slot);
    }
    sm_check_warp(sm, slot);
}

static void wheel_step(struct sm *sm)
{
    uint32_t bucket = (uint32_t)(sm->now % SM_WHEEL), at = sm->wheel[bucket];

    if (!at) {
        return;
    }
    sm->wheel[bucket] = 0;
    sm->wheel_used[bucket / 64] &= ~(UINT64_C(1) << (bucket % 64));
    while (at) {
        struct wheel_event event = sm->event[at - 1];

        if (event.at > sm->now) {
            link_event(sm, at); /* further away than the wheel is round */
        } else {
            sm->event[at - 1].next = sm->event_free;
            sm->event_free = at;
            fire(sm, &event);
            sm->progress = true;
        }
        at = event.next;
    }
}

/* The first cycle after `now` whose bucket is in use. */
static uint64_t wheel_next(const struct sm *sm)
{
    uint32_t start = (uint32_t)((sm->now + 1) % SM_WHEEL);

    for (uint32_t step = 0; step <= SM_WHEEL / 64; step++) {
        uint32_t word = (start / 64 + step) % (SM_WHEEL / 64);
        uint64_t used = sm->wheel_used[word];

        if (step == 0) {
            used &= UINT64_MAX << (start % 64);
        }
        if (used) {
            uint32_t bucket = word * 64 + (uint32_t)__builtin_ctzll(used);
            return sm->now + 1 + (bucket - start + SM_WHEEL) % SM_WHEEL;
        }
    }
    return CYCLE_NEVER;
}

/* ---- one cycle ---- */

static uint64_t next_wake(struct sm *sm)
{
    uint64_t next = sm_next_issue(sm), soonest = sm->now + 1;

    if (next <= soonest || sm->serving || sm->repeat || (sm->progress && sm->stateful_scheduler)) {
        return soonest;
    }
    next = cycle_earlier(next, sm_ldst_next(sm));
    if (next > soonest && sm->in.count) {
        next = cycle_earlier(next, ring_head(&sm->in)->ready_at);
    }
    if (next > soonest) {
        next = cycle_earlier(next, wheel_next(sm));
    }
    return next > soonest ? next : soonest;
}

/* One core cycle. */
static void step(struct sm *sm, uint64_t now)
{
    uint64_t skipped = now > sm->last_step ? now - sm->last_step : 0;

    if (skipped) {
        sm_account(sm, now);
    }
    sm->now = now;
    sm->progress = false;
    sm->last_step = now + 1;
    if (!clocked_begin(sm->sockets.clocked, sm->sockets.n_clocked, now, skipped)) {
        sm->blocked_until = now + 1;
    }
    wheel_step(sm);
    sm_ldst_step(sm, sm_reply_step(sm));
    for (uint64_t left = sm->sockets.coherence.fence ? sm->wait_fence : 0; left; left &= left - 1) {
        sm_check_warp(sm, (uint32_t)__builtin_ctzll(left));
    }
    sm_issue(sm);
    sm->wake = next_wake(sm);
    if (clocked_end(sm->sockets.clocked, sm->sockets.n_clocked)) {
        sm->wake = now + 1;
    }
}

/* Would a cycle go as it will when the machine gets there?  The network may have taken messages
 * from the memory port by then; a cycle needs room for three at most (a fill's eviction, an
 * access and its eviction).  Without warps an SM may be what ends the kernel. */
static bool may_run_ahead(const struct sm *sm)
{
    return sm->resident && sm_port_room(sm, 3);
}

void sm_run(struct sm *sm, uint64_t now, uint64_t first, uint64_t last)
{
    uint64_t at = first > now ? first : now;

    sm->ran = false;
    while (at <= last && !sm_untold(sm) && (at == now || may_run_ahead(sm))) {
        uint32_t replies = sm->in.count;

        step(sm, at);
        sm->ran = true;
        if (sm->progress) {
            sm->progress_at = at;
        }
        if (at > now && sm->in.count < replies) {
            ring_taken_ahead(&sm->in, at, now);
        }
        at = sm->wake;
    }
}

/* ---- what the machine asks ---- */

bool sm_ran(const struct sm *sm)
{
    return sm->ran;
}

uint64_t sm_now(const struct sm *sm)
{
    return sm->now;
}

uint64_t sm_wake(const struct sm *sm)
{
    return sm->wake;
}

uint64_t sm_progress_at(const struct sm *sm)
{
    return sm->progress_at;
}

bool sm_untold(const struct sm *sm)
{
    return sm->n_finished || sm->faulted;
}

uint32_t sm_take_finished(struct sm *sm, const uint64_t **ids)
{
    uint32_t n = sm->n_finished;

    *ids = sm->finished;
    sm->n_finished = 0;
    return n;
}

const char *sm_fault(const struct sm *sm)
{
    return sm->faulted ? sm->fault : NULL;
}

uint64_t sm_take_touched_page(struct sm *sm)
{
    uint64_t page = sm->touch_page;

    sm->touch_page = 0;
    return page;
}

bool sm_waits_for_port(const struct sm *sm)
{
    return sm->stall == STALL_PORT || sm->sockets.prefetch.peek || sm->replay.count;
}

uint32_t sm_ctas(const struct sm *sm)
{
    return sm->n_ctas;
}

const struct sm_stats *sm_stats(const struct sm *sm)
{
    return &sm->stats;
}

struct sm_held sm_held(const struct sm *sm)
{
    return (struct sm_held){.exchanges = sm->pool.in_use,
                            .mshrs = sm->mshr.used,
                            .instructions = sm->config->ldst_inflight - sm->n_inst_free};
}

bool sm_is_empty(const struct sm *sm)
{
    return !sm->resident && !sm->in.count && !sm->out.count;
}

void sm_describe(const struct sm *sm, char *out, size_t n_out)
{
    static const char *const reasons[] = {"a line", "an MSHR", "the memory port", "the protocol"};
    const struct packet *head = sm->in.count ? ring_head(&sm->in) : NULL;

    snprintf(out, n_out,
             "SM %u: %d warps (ready %d, loads %d, arithmetic %d, barrier %d, fence %d, fetch %d, "
             "exited %d), MSHRs %u, port %u of %u, replies %u%s, LD/ST %u%s%s",
             sm->id, __builtin_popcountll(sm->resident), __builtin_popcountll(sm->ready),
             __builtin_popcountll(sm->wait_load), __builtin_popcountll(sm->wait_arith),
             __builtin_popcountll(sm->wait_barrier), __builtin_popcountll(sm->wait_fence),
             __builtin_popcountll(sm->wait_fetch), __builtin_popcountll(sm->done), sm->mshr.used,
             sm->out.count, sm->config->l1d_miss_queue, sm->in.count,
             head && head->ready_at == CYCLE_NEVER ? " (never)" : "", sm->ldst_count,
             sm->stall >= 0 ? " stalled on " : "", sm->stall >= 0 ? reasons[sm->stall] : "");
}
