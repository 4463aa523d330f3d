/* sm_ldst_issue.c - a memory instruction issues: its lanes become requests.
 *
 * Works after wang2015-divergence 3.1 (coalescing) and 3.8 (what is counted of loads).  It must not
 * know when requests are presented, nor what the L1D does with them.
 */
#include "machine/sm/coalesce.h"
#include "machine/sm/sm_private.h"

/* What coalescing found, for prefetchers: blocks ascending, lowest touched byte of each. */
static void tell_prefetcher(struct sm *sm, const struct mem_inst *inst)
{
    uint64_t lowest[ISA_LANES];
    struct load_event event = {.pc = inst->pc,
                               .cta_slot = sm->ctas.of[inst->slot],
                               .warp_in_cta = inst->slot % sm->facts->warps_per_cta,
                               .warp_slot = inst->slot,
                               .n = inst->n,
                               .lowest = lowest,
                               .origin = inst->op.inst->origin,
                               .loop_depth = inst->op.inst->loop_depth,
                               .cycle = sm->now};

    for (uint32_t a = 0; a < inst->n; a++) {
        uint64_t low = UINT64_MAX;
        uint32_t at = a;

        for (uint32_t left = inst->access[a].lanes; left; left &= left - 1) {
            if (inst->op.addr[__builtin_ctz(left)] < low) {
                low = inst->op.addr[__builtin_ctz(left)];
            }
        }
        for (; at > 0 && lowest[at - 1] > low; at--) {
            lowest[at] = lowest[at - 1];
        }
        lowest[at] = low;
    }
    sm->sockets.prefetch.load(sm->sockets.prefetch.self, &event);
}

static void count_issue(struct sm *sm, const struct mem_inst *inst)
{
    if (inst->kind == ACCESS_STORE) {
        sm->stats.stores++;
    } else if (inst->kind == ACCESS_ATOMIC) {
        sm->stats.atomics++;
    } else if (inst->n == 0) {
        sm->stats.loads_empty++;
    } else if (sm_is_divergent(inst)) {
        sm->stats.loads_divergent++;
    } else {
        sm->stats.loads_coherent++;
    }
}

/* Local memory always: it is private, and perhaps dirty in the L1D. */
static bool is_cacheable(const struct sm *sm, const struct mem_inst *inst)
{
    uint8_t op = inst->op.inst->cacheop;

    return sm->config->l1d_enable &&
           (inst->op.space == ISA_SPACE_LOCAL ||
            (op != ISA_CACHE_CG && op != ISA_CACHE_CV && op != ISA_CACHE_VOLATILE));
}

static void make_requests(struct sm *sm, struct mem_inst *inst)
{
    const uint32_t bytes = inst->op.inst->bytes;

    if (sm->config->ldst_past_l1d == PAST_SECTORS && inst->kind != ACCESS_STORE &&
        (inst->kind == ACCESS_ATOMIC || !inst->cacheable)) {
        coalesce_segments(inst, SECTOR_BYTES, inst->kind == ACCESS_ATOMIC);
        sm->warps.wait_atomic |= (uint64_t)(inst->kind == ACCESS_ATOMIC && inst->n) << inst->slot;
    } else if (sm->config->l1d_sector_bytes) {
        coalesce_segments(inst, sm->config->l1d_sector_bytes, false);
    } else if (sm->config->ldst_segments == SEGMENTS_WIDTH && bytes < 4) {
        coalesce_segments(inst, bytes * SECTOR_BYTES, false);
    } else {
        coalesce(inst);
    }
    if (sm->config->ldst_order == ORDER_DESCENDING) {
        coalesce_descending(inst);
    }
}

void sm_ldst_issue(struct sm *sm, struct mem_inst *inst)
{
    const struct isa_inst *in = inst->op.inst;

    inst->kind = in->access == ISA_ACCESS_LOAD    ? ACCESS_LOAD
                 : in->access == ISA_ACCESS_STORE ? ACCESS_STORE
                                                  : ACCESS_ATOMIC;
    inst->returns = in->access == ISA_ACCESS_LOAD || in->access == ISA_ACCESS_ATOMIC;
    inst->cacheable = is_cacheable(sm, inst);
    if (!sm_is_aligned(sm, inst)) {
        return;
    }
    make_requests(sm, inst);
    if (!sm_is_allocated(sm, inst)) {
        return;
    }
    count_issue(sm, inst);
    OBSERVE(sm->sockets, issue_mem, sm->id, inst->slot, inst->pc, inst->kind == ACCESS_LOAD,
            inst->op.mask, inst->priority);
    OBSERVE(sm->sockets, coalesce_done, sm->id, inst->slot, inst->pc, inst->n);
    if (sm->sockets.prefetch.load && inst->kind == ACCESS_LOAD &&
        inst->op.space == ISA_SPACE_GLOBAL && inst->n && inst->cacheable) {
        tell_prefetcher(sm, inst);
    }
    if (inst->returns) {
        sm->warps.loads[inst->slot]++;
    } else {
        sm->warps.stores[inst->slot] += inst->n;
    }
    inst->pending = inst->n;
    if (sm->staged) {
        return; /* it goes through its stages */
    }
    if (inst->n == 0) {
        if (inst->returns) {
            sm_wheel_add(sm, sm->now + 1, WHEEL_MEMORY, inst->slot, inst->pc, inst);
        } else {
            sm_inst_release(&sm->ldst, inst);
        }
        return;
    }
    sm->ldst.queue[(sm->ldst.head + sm->ldst.count++) % 16] = inst;
}

static bool may_conflict(const struct mem_inst *a, const struct mem_inst *b)
{
    return a->slot == b->slot && (a->kind != ACCESS_LOAD || b->kind != ACCESS_LOAD);
}

static bool asks_for(const struct mem_inst *inst, uint64_t block)
{
    for (uint32_t at = 0; at < inst->n; at++) {
        if (inst->access[at].block == block) {
            return true;
        }
    }
    return false;
}

bool sm_ldst_ordered_at(const struct mem_inst *inst, uint32_t at, const struct mem_inst *other)
{
    return may_conflict(inst, other) && asks_for(other, inst->access[at].block);
}

bool sm_ldst_ordered(const struct mem_inst *inst, const struct mem_inst *other)
{
    for (uint32_t at = 0; may_conflict(inst, other) && at < inst->n; at++) {
        if (asks_for(other, inst->access[at].block)) {
            return true;
        }
    }
    return false;
}
