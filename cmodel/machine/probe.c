/* probe.c - a read-only view of the machine, cycle by cycle.  See probe.h. */
#include "machine/probe.h"

#include <stdlib.h>
#include <string.h>

#include "machine/sm/sm_private.h"

/* Widths of the signals: more than any configuration needs. */
enum { BITS_COUNT = 16, BITS_ENUM = 4, BITS_WARP = 7, BITS_CTAS = 32 };

/* The state of a warp slot, the first that applies. */
#define WARP_STATES(S) \
    S(free) S(ready) S(wait_load) S(wait_arith) S(barrier) S(fence) S(fetch) S(leaving)
enum warp_state {
#define S(name) WARP_##name,
    WARP_STATES(S)
#undef S
        WARP_STATES_N
};

/* A DRAM bank: its row is closed and nothing waits, or something does; the row is open and nothing
 * waits for it, or the next request does, or only requests to other rows. */
#define BANK_STATES(S) S(closed) S(opening) S(open) S(hits) S(conflict)
enum bank_state {
#define S(name) BANK_##name,
    BANK_STATES(S)
#undef S
        BANK_STATES_N
};

/* An SM as it was after the cycle before. */
struct sm_before {
    struct sm_stats stats;
    uint64_t resident;
    uint32_t pc[SM_MAX_WARPS];
};

struct probe {
    const struct gpu *gpu;
    struct sm_before *sm;
    struct l2_stats *bank;
    struct dram_stats *channel;
};

const char *const *probe_names(enum probe_kind kind, uint32_t *n)
{
#define TEN(t) \
    "w" #t "0", "w" #t "1", "w" #t "2", "w" #t "3", "w" #t "4", "w" #t "5", "w" #t "6", \
        "w" #t "7", "w" #t "8", "w" #t "9"
    static const char *const number[SM_MAX_WARPS + 1] = {
        TEN(), TEN(1), TEN(2), TEN(3), TEN(4), TEN(5), "w60", "w61", "w62", "w63", "none"};
#undef TEN
    static const char *const warp[] = {
#define S(name) #name,
        WARP_STATES(S)
#undef S
    };
    static const char *const slot[] = {
#define C(name, definition) #name,
        SLOT_CLASSES(C)
#undef C
            "not_stepped"};
    static const char *const bank[] = {
#define S(name) #name,
        BANK_STATES(S)
#undef S
    };
    static const char *const stall[] = {"none", "line", "mshr", "port", "protocol"};

    switch (kind) {
    case PROBE_WARP: *n = SM_MAX_WARPS + 1; return number;
    case PROBE_WARP_STATE: *n = WARP_STATES_N; return warp;
    case PROBE_SLOT: *n = SLOT_CLASSES_N + 1; return slot;
    case PROBE_STALL: *n = STALL_REASONS + 1; return stall;
    case PROBE_BANK: *n = BANK_STATES_N; return bank;
    default: *n = 0; return NULL;
    }
}

struct probe *probe_create(const struct gpu *gpu)
{
    struct probe *probe = calloc(1, sizeof *probe);

    if (!probe) {
        return NULL;
    }
    probe->gpu = gpu;
    probe->sm = calloc(gpu->n_sms, sizeof *probe->sm);
    probe->bank = calloc(gpu->n_banks, sizeof *probe->bank);
    probe->channel = calloc(gpu->n_channels, sizeof *probe->channel);
    if (!probe->sm || !probe->bank || !probe->channel) {
        probe_destroy(probe);
        return NULL;
    }
    probe_next(probe);
    return probe;
}

void probe_destroy(struct probe *probe)
{
    if (probe) {
        free(probe->sm);
        free(probe->bank);
        free(probe->channel);
    }
    free(probe);
}

void probe_next(struct probe *probe)
{
    const struct gpu *gpu = probe->gpu;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        const struct sm *sm = &gpu->sm[s];

        probe->sm[s].stats = sm->stats;
        probe->sm[s].resident = sm->warps.resident;
        for (uint64_t left = sm->warps.resident; left; left &= left - 1) {
            uint32_t slot = (uint32_t)__builtin_ctzll(left);

            probe->sm[s].pc[slot] = sm->warps.at[slot]->pc;
        }
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        probe->bank[b] = gpu->bank[b].stats;
    }
    for (uint32_t d = 0; d < gpu->n_channels; d++) {
        probe->channel[d] = gpu->channel[d].stats;
    }
}

/* ---- one SM ---- */

static void count(const struct probe_sink *sink, const char *name, uint64_t value)
{
    sink->value(sink->self, name, PROBE_ALONE, BITS_COUNT, PROBE_COUNT, value);
}

static void level(const struct probe_sink *sink, const char *name, uint64_t value)
{
    sink->value(sink->self, name, PROBE_ALONE, BITS_COUNT, PROBE_LEVEL, value);
}

static enum warp_state warp_state(const struct sm *sm, uint32_t slot)
{
    uint64_t bit = UINT64_C(1) << slot;

    if (!(sm->warps.resident & bit)) {
        return WARP_free;
    }
    if (sm->warps.wait_barrier & bit) {
        return WARP_barrier;
    }
    if (sm->warps.wait_fence & bit) {
        return WARP_fence;
    }
    if (sm->warps.wait_load & bit) {
        return WARP_wait_load;
    }
    if (sm->warps.wait_arith & bit) {
        return WARP_wait_arith;
    }
    if (sm->warps.ready & bit) {
        return WARP_ready;
    }
    return sm->warps.wait_fetch & bit ? WARP_fetch : WARP_leaving;
}

/* The class whose counter the cycle advanced. */
static uint32_t slot_class(const struct sm *sm, const struct sm_before *before, uint32_t sched)
{
    for (uint32_t class = 0; class < SLOT_CLASSES_N; class ++) {
        if (sm->stats.slot[sched][class] != before->stats.slot[sched][class]) {
            return class;
        }
    }
    return SLOT_CLASSES_N;
}

/* The warp that issued: its next instruction is another one, or it has left.  Limit: one
 * that branches to its own address is not seen. */
static uint32_t issued_warp(const struct sm *sm, const struct sm_before *before, uint32_t sched)
{
    uint32_t left = SM_MAX_WARPS;

    for (uint64_t mine = sm->issue.sched_mask[sched] & (sm->warps.resident | before->resident);
         mine; mine &= mine - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(mine);
        bool was = before->resident >> slot & 1, is = sm->warps.resident >> slot & 1;

        if (is && sm->warps.at[slot]->pc != (was ? before->pc[slot] : 0)) {
            return slot;
        }
        if (was && !is) {
            left = slot;
        }
    }
    return left;
}

static void walk_schedulers(const struct sm *sm, const struct sm_before *before,
                            const struct probe_sink *sink)
{
    for (uint32_t s = 0; s < sm->config->sm_schedulers; s++) {
        uint32_t class = slot_class(sm, before, s);

        sink->value(sink->self, "slot", (int)s, BITS_ENUM, PROBE_SLOT, class);
        sink->value(sink->self, "issued_warp", (int)s, BITS_WARP, PROBE_WARP,
                    class == SLOT_issued ? issued_warp(sm, before, s) : SM_MAX_WARPS);
    }
}

static void walk_l1d(const struct sm *sm, const struct sm_before *before,
                     const struct probe_sink *sink)
{
    const struct sm_stats *now = &sm->stats, *then = &before->stats;
#define ADDED(name) (now->name - then->name)

    sink->enter(sink->self, "l1d", PROBE_ALONE);
    count(sink, "hits", ADDED(load_hits_coherent) + ADDED(load_hits_divergent));
    count(sink, "merges", ADDED(load_merges_coherent) + ADDED(load_merges_divergent));
    count(sink, "misses", ADDED(load_misses_coherent) + ADDED(load_misses_divergent));
    count(sink, "bypasses", ADDED(load_bypasses_coherent) + ADDED(load_bypasses_divergent));
    count(sink, "stores", ADDED(store_accesses));
    count(sink, "fail_line", ADDED(fail_line));
    count(sink, "fail_mshr", ADDED(fail_mshr));
    count(sink, "fail_port", ADDED(fail_port));
    count(sink, "fail_protocol", ADDED(fail_protocol));
    level(sink, "mshr_used", sm->mshr.used);
    sink->leave(sink->self);
#undef ADDED
}

static void walk_sm(const struct sm *sm, const struct sm_before *before,
                    const struct probe_sink *sink)
{
    sink->enter(sink->self, "sm", (int)sm->id);
    walk_schedulers(sm, before, sink);
    level(sink, "resident_warps", (uint64_t)__builtin_popcountll(sm->warps.resident));
    level(sink, "ldst_queue", sm->ldst.count);
    sink->value(sink->self, "ldst_stall", PROBE_ALONE, BITS_ENUM, PROBE_STALL,
                sm->ldst.stall[0] < 0 ? 0 : (uint64_t)sm->ldst.stall[0] + 1);
    level(sink, "request_queue", sm->port.out.count);
    level(sink, "reply_queue", sm->reply.in.count);
    walk_l1d(sm, before, sink);
    sink->enter(sink->self, "warps", PROBE_ALONE);
    for (uint32_t slot = 0; slot < sm->config->sm_warps; slot++) {
        sink->value(sink->self, "warp", (int)slot, BITS_ENUM, PROBE_WARP_STATE,
                    warp_state(sm, slot));
    }
    sink->leave(sink->self);
    sink->leave(sink->self);
}

/* ---- the memory side ---- */

static void walk_bank(const struct l2_bank *bank, const struct l2_stats *then,
                      const struct probe_sink *sink)
{
    const struct l2_stats *now = &bank->stats;

    sink->enter(sink->self, "l2bank", (int)bank->id);
    level(sink, "requests", bank->in.count);
    level(sink, "replies", bank->out.count);
    level(sink, "to_dram", bank->to_dram.count);
    level(sink, "fills", bank->fill_count);
    level(sink, "mshr_used", bank->mshr.used);
    count(sink, "hits", now->read_hits - then->read_hits);
    count(sink, "misses", now->read_misses - then->read_misses);
    sink->leave(sink->self);
}

static enum bank_state bank_state(const struct dram_bank *bank)
{
    if (!bank->open) {
        return bank->n > 0 ? BANK_opening : BANK_closed;
    }
    return bank->n == 0 ? BANK_open : bank->hit != 0 ? BANK_hits : BANK_conflict;
}

static void walk_channel(const struct dram_channel *channel, const struct dram_stats *then,
                         const struct probe_sink *sink)
{
    const struct dram_stats *now = &channel->stats;

    sink->enter(sink->self, "dram", (int)channel->id);
    level(sink, "queue", channel->used);
    count(sink, "reads", now->reads - then->reads);
    count(sink, "writes", now->writes - then->writes);
    count(sink, "activates", now->activates - then->activates);
    count(sink, "precharges", now->precharges - then->precharges);
    for (uint32_t b = 0; b < channel->config->dram_banks; b++) {
        sink->value(sink->self, "bank", (int)b, BITS_ENUM, PROBE_BANK,
                    bank_state(&channel->bank[b]));
    }
    sink->leave(sink->self);
}

void probe_walk(const struct probe *probe, const struct probe_sink *sink)
{
    const struct gpu *gpu = probe->gpu;

    sink->value(sink->self, "ctas_done", PROBE_ALONE, BITS_CTAS, PROBE_LEVEL,
                gpu->ctas_done & UINT32_MAX);
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        walk_sm(&gpu->sm[s], &probe->sm[s], sink);
    }
    sink->enter(sink->self, "interconnect", PROBE_ALONE);
    level(sink, "requests_waiting", network_waiting(&gpu->request_net));
    level(sink, "replies_waiting", network_waiting(&gpu->reply_net));
    sink->leave(sink->self);
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        walk_bank(&gpu->bank[b], &probe->bank[b], sink);
    }
    for (uint32_t d = 0; d < gpu->n_channels; d++) {
        walk_channel(&gpu->channel[d], &probe->channel[d], sink);
    }
    sink->enter(sink->self, "host", PROBE_ALONE);
    level(sink, "requests", hostmem_waiting(&gpu->host));
    level(sink, "replies", hostmem_replies(&gpu->host));
    sink->leave(sink->self);
}
