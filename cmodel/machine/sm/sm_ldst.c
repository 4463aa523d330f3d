/* sm_ldst.c - the LD/ST unit of an SM: coalesced requests to the L1D port, one at a time.
 *
 * Works after wang2015-divergence 3.1 (one access per cycle, a stalled access is
 * replayed and blocks all later memory instructions, unless there is a replay queue to
 * take it) and 3.8 (LD/ST breakdown, memory occlusion, MPLI, concentration).  It must not
 * know what the L1D does with an access.
 */
#include <string.h>

#include "machine/sm/sm_l1d_sectors.h"

/* ---- the port ---- */

uint64_t *sm_refused(struct sm *sm, int reason)
{
    static const uint16_t at[STALL_REASONS] = {
        [STALL_LINE] = offsetof(struct sm_stats, fail_line),
        [STALL_MSHR] = offsetof(struct sm_stats, fail_mshr),
        [STALL_PORT] = offsetof(struct sm_stats, fail_port),
        [STALL_PROTOCOL] = offsetof(struct sm_stats, fail_protocol),
    };

    return (uint64_t *)(void *)((uint8_t *)&sm->stats + at[reason]);
}

/* Field by field and in place: a copy of fields just written would wait for them. */
static void describe(const struct sm *sm, const struct mem_inst *inst, uint32_t at,
                     struct access_info *info)
{
    info->block = inst->access[at].block;
    info->pc = inst->pc;
    info->sm = (uint16_t)sm->id;
    info->kind = inst->kind;
    info->warp_slot = inst->slot;
    info->priority = inst->priority;
    info->n_requests = inst->n;
    info->position = (uint8_t)at;
    info->past_l1d = false;
    info->local = inst->op.space == ISA_SPACE_LOCAL && !sm->sockets.coherence.local;
    info->sectors = inst->access[at].sectors;
    info->note = 0;
    info->cycle = sm->now;
    info->bytes[0] = info->bytes[1] = 0;
    if (sm->sockets.coherence.load && inst->kind == ACCESS_LOAD) {
        sm_lane_bytes(&inst->op, inst->access[at].lanes, info->bytes);
    }
}

static uint32_t mpli_bin(uint32_t misses)
{
    return misses < 3 ? misses : misses < ISA_LANES ? 3 : 4;
}

/* The last request of a load was accepted: the load leaves the memory stage. */
static void load_accepted(struct sm *sm, const struct mem_inst *inst)
{
    bool divergent = sm_is_divergent(inst);
    struct sm_stats *stats = &sm->stats;
    uint64_t ideal = sm->config->ldst_latency +
                     (inst->n - 1u) * (uint64_t)sm->config->l1d_access_cycles;
    uint64_t delay = sm->now - inst->issued - ideal;
    double concentration = inst->n_sets ? (double)inst->n / inst->n_sets : 1.0;

    *(divergent ? &stats->occlusion_divergent : &stats->occlusion_coherent) += delay;
    stats->mpli[divergent][mpli_bin(inst->misses)]++;
    if (inst->misses == 0) {
        ++*(divergent ? &stats->fully_cached_divergent : &stats->fully_cached_coherent);
    }
    if (inst->misses == inst->n) {
        ++*(divergent ? &stats->fully_missed_divergent : &stats->fully_missed_coherent);
    }
    stats->concentration_all += concentration;
    if (divergent) {
        stats->concentration_divergent += concentration;
    }
    OBSERVE(sm->sockets, load_retire, sm->id, inst->slot, inst->pc, inst->priority, inst->n,
            inst->misses);
}

static void port_used(struct sm *sm)
{
    sm->progress = true;
    sm->ldst.port_free = sm->now + sm->config->l1d_access_cycles;
}

/* The next access has left the LD/ST unit: taken by the L1D, or set aside. */
static void advance(struct sm *sm, struct mem_inst *inst)
{
    port_used(sm);
    if (++inst->next < inst->n) {
        l1d_look_ahead(sm, inst->access[inst->next].block);
        return;
    }
    sm->ldst.head = (sm->ldst.head + 1) % 16;
    sm->ldst.count--;
    sm->issue.next_at = 0; /* memory instructions may have waited for the place */
    if (inst->kind == ACCESS_LOAD && !inst->set_aside) {
        load_accepted(sm, inst);
    } else if (inst->kind == ACCESS_STORE) {
        sm_inst_release(&sm->ldst, inst); /* its bytes are in the messages */
    }
}

static int present_open(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                        const struct access_info *info)
{
    if (inst->kind == ACCESS_LOAD) {
        return (sm->sectors ? sm_sectors_load : sm_l1d_load)(sm, inst, access, info);
    }
    if (inst->kind == ACCESS_STORE) {
        return (sm->sectors ? sm_sectors_store : sm_l1d_store)(sm, inst, access, info);
    }
    return (sm->sectors ? sm_sectors_atomic : sm_l1d_atomic)(sm, inst, access, info);
}

static int present(struct sm *sm, struct mem_inst *inst, uint32_t at,
                   const struct access_info *info)
{
    const struct mem_access *access = &inst->access[at];
    int result;

    if (sm->ldst.blocked_until > sm->now) {
        return STALL_PROTOCOL;
    }
    if (sm->ldst.demand_paging && !memory_is_open(sm->memory, access->block)) {
        sm->ldst.touch_page = access->block; /* placed between this cycle and the next */
        return STALL_PROTOCOL;
    }
    result = present_open(sm, inst, access, info);
    if (result == ACCESS_TAKEN && sm->ldst.demand_paging) {
        memory_use(sm->memory, info->block, sm->now);
    }
    return result;
}

static void offer_prefetch(struct sm *sm)
{
    struct prefetch_socket *prefetch = &sm->sockets.prefetch;
    struct prefetch_request request;

    if (prefetch->peek && prefetch->peek(prefetch->self, &request) &&
        sm_l1d_prefetch(sm, &request)) {
        sm->progress = true;
    }
}

/* A stalled access presented again would meet what it met: only a reply or the network
 * ends these stalls, and neither has come; nor does a page or a flush stand in the way now. */
bool sm_ldst_stalls_again(const struct sm *sm, uint32_t bank, bool replied)
{
    const struct sm_ldst *ldst = &sm->ldst;

    if (ldst->demand_paging && memory_is_closed(sm->memory)) {
        return false;
    }
    return sm->steady && !replied && ldst->blocked_until <= sm->now && ldst->stall[bank] >= 0 &&
           ldst->stall[bank] != STALL_PROTOCOL && sm->port.out.count == ldst->stall_port[bank] &&
           ldst->taken == ldst->stall_taken[bank];
}

/* Without a free entry, only the line of its own block does; entries are freed later. */
bool sm_ldst_fill_helps(const struct sm *sm, const struct mshr_entry *entry)
{
    const struct mem_inst *inst = sm->ldst.queue[sm->ldst.head];

    if (sm->staged) {
        return true;
    }
    return sm->ldst.stall[0] != STALL_MSHR || !entry->has_line ||
           entry->first.block == inst->access[inst->next].block;
}

/* The head of the replay queue has the port. */
static void replay(struct sm *sm)
{
    uint32_t at;
    struct mem_inst *inst = sm_replay_head(sm, &at);
    struct access_info info;

    describe(sm, inst, at, &info);
    sm->replay.stall = present(sm, inst, at, &info);
    if (sm->replay.stall != ACCESS_TAKEN) {
        sm->replay.stall_cycles++;
        OBSERVE(sm->sockets, acc_stall, sm->id, &info, (enum stall_reason)sm->replay.stall, 1);
        return;
    }
    sm_replay_pop(sm);
    port_used(sm);
    if (inst->next == inst->n && !inst->set_aside) {
        load_accepted(sm, inst);
    }
}

/* Accesses of one block keep their order: behind those in the replay queue. */
static void keep_behind(struct sm *sm, struct mem_inst *inst)
{
    if (sm_replay_take(sm, inst)) {
        advance(sm, inst);
    } else {
        replay(sm);
    }
}

void sm_ldst_step(struct sm *sm, bool replied)
{
    struct mem_inst *inst = sm->ldst.queue[sm->ldst.head];
    struct access_info info;

    if (sm_ldst_stalls_again(sm, 0, replied)) {
        ++*sm_refused(sm, sm->ldst.stall[0]);
        return;
    }
    sm->ldst.stall[0] = sm->replay.stall = -1;
    if (sm->ldst.port_free > sm->now) {
        return;
    }
    if (sm->replay.count && (!sm->ldst.count || inst->start > sm->now || sm_replay_first(sm))) {
        replay(sm);
        return;
    }
    if (!sm->ldst.count || inst->start > sm->now) {
        if (sm->ldst.blocked_until <= sm->now) {
            offer_prefetch(sm);
        }
        return;
    }
    if (sm->replay.count && sm_replay_holds(sm, inst->access[inst->next].block)) {
        keep_behind(sm, inst);
        return;
    }
    describe(sm, inst, inst->next, &info);
    sm->ldst.stall[0] = present(sm, inst, inst->next, &info);
    if (sm->ldst.stall[0] == ACCESS_TAKEN) {
        sm->stats.ldst_coal += inst->next + 1u < inst->n ? sm->config->l1d_access_cycles : 0;
        advance(sm, inst);
        return;
    }
    if (sm->config->ldst_replay_queue &&
        (sm->ldst.stall[0] == STALL_MSHR || sm->ldst.stall[0] == STALL_PORT) &&
        sm_replay_take(sm, inst)) {
        sm->ldst.stall[0] = -1;
        advance(sm, inst);
        return;
    }
    sm->ldst.stall_port[0] = sm->port.out.count;
    ++*sm_refused(sm, sm->ldst.stall[0]);
    OBSERVE(sm->sockets, acc_stall, sm->id, &info, (enum stall_reason)sm->ldst.stall[0], 1);
}

int sm_ldst_offer(struct sm *sm, struct mem_inst *inst, uint32_t at, uint32_t bank)
{
    struct access_info info;
    int stall;

    describe(sm, inst, at, &info);
    stall = present(sm, inst, at, &info);
    if (stall != ACCESS_TAKEN) {
        sm->ldst.stall_port[bank] = sm->port.out.count;
        sm->ldst.stall_taken[bank] = sm->ldst.taken;
        ++*sm_refused(sm, stall);
        OBSERVE(sm->sockets, acc_stall, sm->id, &info, (enum stall_reason)stall, 1);
        return stall;
    }
    sm->progress = true;
    sm->ldst.taken += sm->config->l1d_banks > 1;
    if (++inst->next == inst->n && inst->kind == ACCESS_LOAD) {
        load_accepted(sm, inst);
    } else if (inst->next == inst->n && inst->kind == ACCESS_STORE) {
        sm_inst_release(&sm->ldst, inst);
        sm->issue.next_at = 0;
    }
    return ACCESS_TAKEN;
}

static bool stall_is_watched(const struct sm *sm)
{
    for (uint32_t o = 0; o < sm->sockets.n_observers; o++) {
        if (sm->sockets.observer[o].acc_stall) {
            return true;
        }
    }
    return false;
}

/* Has the prefetcher a request, or will it have one without being told anything? */
static bool prefetcher_active(const struct sm *sm)
{
    const struct prefetch_socket *prefetch = &sm->sockets.prefetch;
    struct prefetch_request request;

    return prefetch->peek && (prefetch->peek(prefetch->self, &request) ||
                              (prefetch->busy && prefetch->busy(prefetch->self)));
}

uint64_t sm_ldst_next(const struct sm *sm)
{
    uint64_t next = CYCLE_NEVER;

    if (sm->replay.count &&
        (sm->replay.stall < 0 || sm->replay.stall == STALL_PROTOCOL || stall_is_watched(sm))) {
        return sm->ldst.port_free > sm->now ? sm->ldst.port_free : sm->now + 1;
    }
    if (sm->ldst.count) {
        next = sm->ldst.queue[sm->ldst.head]->start;
        next = next < sm->ldst.port_free ? sm->ldst.port_free : next;
        /* Only a reply or the network ends these stalls, and both wake the SM. */
        if (sm->ldst.stall[0] >= 0 && sm->ldst.stall[0] != STALL_PROTOCOL &&
            !stall_is_watched(sm)) {
            return CYCLE_NEVER;
        }
    }
    if (next > sm->now + 1 && prefetcher_active(sm)) {
        next = sm->now + 1;
    }
    return next == CYCLE_NEVER || next > sm->now ? next : sm->now + 1;
}
