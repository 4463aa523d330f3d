/* sm_retire.c - the write-back stage of an SM: what is finished when, and what that frees.
 *
 * Works after isa.h: a load's bytes reach the registers when the machine retires it.  Results wait
 * in a timing wheel for their cycle.  It must not know what took them so long.
 */
#include <stdlib.h>

#include "machine/sm/sm_async.h"
#include "machine/sm/sm_operands.h"
#include "machine/sm/sm_private.h"

/* ---- the timing wheel ---- */

static uint32_t new_event(struct sm *sm)
{
    uint32_t at;

    if (!sm->wheel.free) {
        uint32_t more = sm->wheel.n ? 2 * sm->wheel.n : 256;
        struct wheel_event *event = realloc(sm->wheel.event, more * sizeof *event);

        if (!event) {
            abort(); /* a few kilobytes: nothing else would work either */
        }
        sm->wheel.event = event;
        for (at = sm->wheel.n; at < more; at++) {
            event[at].next = sm->wheel.free;
            sm->wheel.free = at + 1;
        }
        sm->wheel.n = more;
    }
    at = sm->wheel.free;
    sm->wheel.free = sm->wheel.event[at - 1].next;
    return at;
}

static void link_event(struct sm *sm, uint32_t at)
{
    struct wheel_event *event = &sm->wheel.event[at - 1];
    uint64_t when = event->at - sm->now < SM_WHEEL ? event->at : sm->now + SM_WHEEL - 1;
    uint32_t bucket = (uint32_t)(when % SM_WHEEL);

    event->next = sm->wheel.bucket[bucket];
    sm->wheel.bucket[bucket] = at;
    sm->wheel.used[bucket / 64] |= UINT64_C(1) << (bucket % 64);
}

void sm_wheel_add(struct sm *sm, uint64_t at, enum wheel_kind kind, uint32_t slot, uint32_t pc,
                  struct mem_inst *inst)
{
    uint32_t index = new_event(sm);
    struct wheel_event *event = &sm->wheel.event[index - 1];

    event->at = at;
    event->kind = (uint8_t)kind;
    event->slot = (uint8_t)slot;
    event->pc = pc;
    event->inst = inst;
    sm->warps.inflight[slot]++;
    link_event(sm, index);
}

/* ---- write-back ---- */

void sm_request_done(struct sm *sm, struct mem_inst *inst, uint64_t ready)
{
    inst->ready = inst->ready > ready ? inst->ready : ready;
    if (--inst->pending) {
        return;
    }
    if (inst->kind == ACCESS_ATOMIC && (sm->warps.wait_atomic >> inst->slot & 1)) {
        sm_wheel_add(sm, sm->now + 1, WHEEL_ATOMIC, inst->slot, inst->pc, NULL);
    }
    if (inst->returns && inst->ready <= sm->now) {
        sm_retire(sm, WHEEL_MEMORY, inst->slot, inst->pc, inst);
    } else if (inst->returns) {
        __builtin_prefetch(sm->warps.at[inst->slot]); /* for its retirement, soon */
        sm_wheel_add(sm, inst->ready, WHEEL_MEMORY, inst->slot, inst->pc, inst);
    } else {
        sm_inst_release(&sm->ldst, inst);
        sm->issue.next_at = 0;
    }
}

static void clear_pending(struct sm *sm, uint32_t slot, uint32_t pc)
{
    uint32_t words = sm->facts->words;
    const uint64_t *define = sm->facts->inst[pc].define;
    uint64_t *pending = sm->warps.pending[slot];

    for (uint32_t word = 0; word < words; word++) {
        pending[word] &= ~define[word];
        pending[words + word] &= ~define[word];
    }
}

static void retire_memory(struct sm *sm, struct mem_inst *inst)
{
    const struct isa_launch *launch = sm->facts->launch;
    uint64_t time = sm->now - inst->issued;

    if (inst->injected) {
        sm->sockets.inject.arrived(sm->sockets.inject.self, inst->slot, &inst->op);
    } else if (inst->op.mask) {
        launch->retire(launch->self, sm->warps.at[inst->slot], &inst->op);
        if (sm_round_open(sm)) {
            sm_round_loaded(sm, &inst->op);
        }
    }
    sm->warps.loads[inst->slot]--;
    if (inst->op.inst->is_async && sm->async) {
        sm_async_loaded(sm, inst);
    }
    if (inst->kind == ACCESS_LOAD && inst->n) {
        *(inst->n > 2 ? &sm->stats.access_time_divergent : &sm->stats.access_time_coherent) += time;
        sm->stats.latency[stats_log2(time)]++;
    }
    sm_inst_release(&sm->ldst, inst);
}

void sm_retire(struct sm *sm, enum wheel_kind kind, uint32_t slot, uint32_t pc,
               struct mem_inst *inst)
{
    uint64_t bit = UINT64_C(1) << slot;

    if (kind == WHEEL_STORE) {
        sm_store_done(sm, slot);
        return;
    }
    if (kind == WHEEL_FETCH) {
        sm->warps.wait_fetch &= ~bit;
    } else if (kind == WHEEL_ATOMIC) {
        sm->warps.wait_atomic &= ~bit;
    } else if (!inst || !inst->injected) {
        clear_pending(sm, slot, pc);
    }
    if (kind == WHEEL_MEMORY) {
        retire_memory(sm, inst);
    }
    /* The result of an arithmetic operation frees only who waits for one. */
    if (kind != WHEEL_ARITH || ((sm->warps.wait_arith | sm->warps.wait_load) & bit)) {
        sm_update_warp(sm, slot);
    }
    sm_check_warp(sm, slot);
}

static void fire(struct sm *sm, const struct wheel_event *event)
{
    sm->warps.inflight[event->slot]--;
    if (sm->staged && event->kind == WHEEL_ARITH) {
        sm_operands_write(sm, event->slot, event->pc);
    }
    sm_retire(sm, (enum wheel_kind)event->kind, event->slot, event->pc, event->inst);
}

/* ---- one cycle ---- */

void sm_retire_bucket(struct sm *sm, uint32_t bucket)
{
    uint32_t at = sm->wheel.bucket[bucket];

    sm->wheel.bucket[bucket] = 0;
    sm->wheel.used[bucket / 64] &= ~(UINT64_C(1) << (bucket % 64));
    while (at) {
        struct wheel_event event = sm->wheel.event[at - 1];

        if (event.at > sm->now) {
            link_event(sm, at); /* further away than the wheel is round */
        } else {
            sm->wheel.event[at - 1].next = sm->wheel.free;
            sm->wheel.free = at;
            fire(sm, &event);
            sm->progress = true;
        }
        at = event.next;
    }
}

/* The first cycle after this one whose bucket is in use. */
uint64_t sm_retire_next(const struct sm *sm)
{
    uint32_t start = (uint32_t)((sm->now + 1) % SM_WHEEL);

    for (uint32_t step = 0; step <= SM_WHEEL / 64; step++) {
        uint32_t word = (start / 64 + step) % (SM_WHEEL / 64);
        uint64_t used = sm->wheel.used[word];

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
