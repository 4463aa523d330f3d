/* checker_look.c - one access of a launch: is it inside a buffer, defined, ordered.  See checker_private.h.
 */
#include <string.h>

#include "machine/checker/checker_private.h"

struct checker_place checker_place_of(const struct checker_looked_at *l,
                                      const struct checker_trailer *at, uint32_t pc, uint32_t lane)
{
    return (struct checker_place){
        .launch = l->inner, .pc = pc, .cta = at->block->id, .thread = at->warp * ISA_LANES + lane};
}

/* Lanes whose bytes are not all in one buffer. */
static uint32_t outside(struct checker_looked_at *l, const struct isa_memop *memop)
{
    uint32_t lanes = 0;

    for (uint32_t rest = memop->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t at = memop->addr[lane];
        const struct memory_buffer *buffer = memory_find(l->check->memory, at, &l->hint);

        if (!buffer || memop->inst->bytes > buffer->bytes - (at - buffer->base)) {
            lanes |= UINT32_C(1) << lane;
        }
    }
    return lanes;
}

static void say_outside(struct checker_looked_at *l, const struct checker_place *place, uint64_t at,
                        const struct isa_inst *inst)
{
    const struct memory_buffer *near = memory_nearest(l->check->memory, at);

    checker_say(
        &l->check->report, CHECKER_MEMORY, place,
        "%u-byte %s at 0x%llx outside every buffer; nearest is \"%s\" of %llu bytes at 0x%llx",
        inst->bytes, checker_verb(inst), (unsigned long long)at, near ? near->name : "none",
        (unsigned long long)(near ? near->bytes : 0), (unsigned long long)(near ? near->base : 0));
}

static void look_defined(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                         const struct isa_memop *memop)
{
    struct checker_ranges *undefined = &l->check->undefined;
    uint32_t bytes = memop->inst->bytes, lanes = 0;

    for (uint32_t rest = memop->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);

        if (memop->inst->access != ISA_ACCESS_STORE &&
            !checker_defined(undefined, memop->addr[lane], bytes)) {
            lanes |= UINT32_C(1) << lane;
        }
    }
    for (uint32_t rest = memop->mask; rest && memop->inst->access != ISA_ACCESS_LOAD;
         rest &= rest - 1) {
        checker_define(undefined, memop->addr[__builtin_ctz(rest)], bytes);
    }
    if (lanes) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        struct checker_place place = checker_place_of(l, at, pc, lane);

        if (checker_new(&l->check->report, CHECKER_INIT, &place, UINT32_MAX, lanes)) {
            checker_say(&l->check->report, CHECKER_INIT, &place,
                        "%u-byte %s at 0x%llx of global memory that was never written", bytes,
                        checker_verb(memop->inst), (unsigned long long)memop->addr[lane]);
        }
    }
}

bool checker_looks_at_order(const struct checker_looked_at *l)
{
    return l->check->what & (CHECKER_RACE | CHECKER_GLOBAL);
}

static void look_race(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                      const struct isa_memop *memop)
{
    const struct checker_order order = l->order[pc];
    const bool orders = order.strong && checker_looks_at_order(l),
               load = memop->inst->access == ISA_ACCESS_LOAD;
    bool good = true;

    if (l->check->what & CHECKER_GLOBAL) {
        good &= checker_global_access(&l->lines, &l->shared, at->block, at->warp, pc, memop);
    }
    if (orders && (load || memop->inst->access == ISA_ACCESS_ATOMIC)) {
        at->block->warp[at->warp].strong_loads++;
    }
    if (orders && !load) {
        good &= checker_release(&l->words, at->block, at->warp, order, memop);
    }
    l->out_of_memory |= !good;
}

void checker_look_shared(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                         const struct isa_memop *memop)
{
    const struct checker_order order = l->order[pc];
    bool orders = order.strong && checker_looks_at_order(l), good = true;

    if (orders) {
        good = checker_acquire(&at->block->words, at->block, at->warp, order.acquires, memop);
    }
    checker_shared_access(&l->shared, at->block, at->warp, pc, memop);
    if (orders && (memop->inst->access != ISA_ACCESS_LOAD || order.releases)) {
        good &= checker_release(&at->block->words, at->block, at->warp, order, memop);
    }
    l->out_of_memory |= !good;
}

void checker_look_global(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                         struct isa_step *step, struct isa_memop *memop)
{
    if (l->check->what & CHECKER_MEMORY) {
        uint32_t lanes = outside(l, memop);

        if (lanes) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            struct checker_place place = checker_place_of(l, at, pc, lane);

            if (checker_new(&l->check->report, CHECKER_MEMORY, &place, UINT32_MAX, lanes)) {
                say_outside(l, &place, memop->addr[lane], memop->inst);
            }
            memop->mask &= ~lanes;
            step->active &= ~lanes;
        }
    }
    if (l->check->what & CHECKER_INIT && memop->mask) {
        look_defined(l, at, pc, memop);
    }
    if (!memop->mask) {
        step->kind = ISA_STEP_DONE;
        return;
    }
    look_race(l, at, pc, memop);
}

/* An asynchronous copy writes shared memory from when it is issued on. */
void checker_look_copy(struct checker_looked_at *l, const struct checker_trailer *at, uint32_t pc,
                       uint32_t lanes, const struct isa_memop *memop)
{
    struct isa_inst store = l->inner->kernel->inst[pc];
    struct isa_memop writes = {.inst = &store, .space = ISA_SPACE_SHARED, .mask = lanes};

    store.access = ISA_ACCESS_STORE;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        uint32_t to;

        memcpy(&to, memop->data[lane], sizeof to);
        writes.addr[lane] = to;
    }
    checker_shared_access(&l->shared, at->block, at->warp, pc, &writes);
}
