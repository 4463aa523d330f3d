/* sm_memory_unit.c - see sm_memory_unit.h.
 *
 * Order in one cycle: write-back, the end of the L1D's queue, the input register, the next
 * instruction.
 *
 * Limit: what the L1D was asked for comes back beside the write-back port (sm_reply.c).
 */
#include "machine/sm/sm_memory_unit.h"

#include "machine/sm/sm_staged.h"

void sm_memory_unit_init(struct memory_unit *unit, const struct gpu_config *config)
{
    unit->shared.places = config->shared_stages;
    unit->queue.places = config->l1d_stages;
}

/* ---- write-back ---- */

static void write_back(struct sm *sm, struct memory_unit *unit)
{
    const struct delay_item *end;

    if (unit->writing && sm_operands_writable(sm, unit->write.slot, unit->write.pc)) {
        sm_operands_write(sm, unit->write.slot, unit->write.pc);
        unit->writing = false;
        sm->warps.inflight[unit->write.slot]--;
        sm_retire(sm, WHEEL_ARITH, unit->write.slot, unit->write.pc, NULL);
    }
    end = unit->writing ? NULL : delay_line_end(&unit->shared, sm->now);
    if (end) {
        unit->write = *end;
        unit->writing = true;
        delay_line_leave(&unit->shared);
        sm->progress = true;
    }
}

/* ---- the end of the L1D's queue ---- */

static void look_up(struct sm *sm, struct memory_unit *unit, bool replied)
{
    const struct delay_item *end;

    if (sm_ldst_stalls_again(sm, replied)) {
        ++*sm_refused(sm, sm->ldst.stall);
        return;
    }
    end = delay_line_end(&unit->queue, sm->now);
    sm->ldst.stall = end ? sm_ldst_offer(sm, end->inst, end->at) : ACCESS_TAKEN;
    if (end && sm->ldst.stall == ACCESS_TAKEN) {
        delay_line_leave(&unit->queue);
    }
}

/* ---- the input register ---- */

/* The instruction has left the unit; what it waits for is counted elsewhere. */
static void leave(struct sm *sm, struct memory_unit *unit)
{
    const uint32_t slot = unit->op.slot;

    unit->taken = false;
    sm->progress = true;
    sm->warps.inflight[slot]--;
    sm_check_warp(sm, slot);
}

static void move_shared(struct sm *sm, struct memory_unit *unit)
{
    const struct delay_item item = {.pc = unit->op.pc, .slot = unit->op.slot};

    if (sm->now < unit->since + unit->op.cycles) {
        return;
    }
    if (!sm->facts->inst[unit->op.pc].defines) {
        leave(sm, unit);
    } else if (!delay_line_full(&unit->shared)) {
        delay_line_enter(&unit->shared, sm->now, item);
        unit->taken = false; /* in flight until it is written back */
        sm->progress = true;
    }
}

/* An access without lanes has its (no) data at once. */
static void move_nothing(struct sm *sm, struct memory_unit *unit)
{
    struct mem_inst *inst = unit->op.inst;

    if (inst && inst->returns) {
        sm_retire(sm, WHEEL_MEMORY, unit->op.slot, unit->op.pc, inst);
    } else if (inst) {
        sm_inst_release(&sm->ldst, inst);
        sm->issue.next_at = 0;
    }
    leave(sm, unit);
}

/* What the next request, which goes past the queue, must follow is still in it. */
static bool must_follow(const struct memory_unit *unit, const struct mem_inst *inst)
{
    for (uint32_t i = 0; i < unit->queue.count; i++) {
        const struct mem_inst *queued = delay_line_item(&unit->queue, i)->inst;

        if (sm_ldst_ordered_at(inst, queued, inst->access[inst->entered].block)) {
            return true;
        }
    }
    return false;
}

static void move_requests(struct sm *sm, struct memory_unit *unit)
{
    struct mem_inst *inst = unit->op.inst;
    const struct delay_item item = {
        .inst = inst, .pc = unit->op.pc, .slot = unit->op.slot, .at = inst->entered};

    if (inst->kind != ACCESS_ATOMIC && inst->cacheable) {
        if (delay_line_full(&unit->queue)) {
            return;
        }
        delay_line_enter(&unit->queue, sm->now, item);
    } else if (must_follow(unit, inst) || sm_ldst_offer(sm, inst, inst->entered) != ACCESS_TAKEN) {
        return;
    }
    sm->progress = true;
    sm->stats.ldst_coal += inst->entered + 1u < inst->n;
    if (++inst->entered == inst->n) {
        leave(sm, unit);
    }
}

static void move_input(struct sm *sm, struct memory_unit *unit)
{
    if (unit->op.pipe == ISA_PIPE_SHARED) {
        move_shared(sm, unit);
    } else if (!unit->op.inst || unit->op.inst->n == 0) {
        move_nothing(sm, unit);
    } else {
        move_requests(sm, unit);
    }
}

/* ---- one cycle ---- */

void sm_memory_unit_step(struct sm *sm, bool replied)
{
    struct memory_unit *unit = &sm->staged->memory;
    struct operands *operands = &sm->staged->operands;

    write_back(sm, unit);
    look_up(sm, unit, replied);
    if (unit->taken) {
        move_input(sm, unit);
    }
    if (!unit->taken && operands->out[CLASS_MEM].count) {
        unit->op = sm_operands_take(operands, CLASS_MEM);
        unit->taken = true;
        unit->since = sm->now;
        sm->progress = true;
    }
}

/* Does only the end of the queue let the input register go on? */
static bool input_waits(const struct memory_unit *unit)
{
    const struct mem_inst *inst = unit->op.inst;

    return inst && inst->kind != ACCESS_ATOMIC && inst->cacheable && delay_line_full(&unit->queue);
}

uint64_t sm_memory_unit_next(const struct sm *sm)
{
    const struct memory_unit *unit = &sm->staged->memory;
    const bool asleep = sm->ldst.stall >= 0 && sm->ldst.stall != STALL_PROTOCOL;
    uint64_t next = delay_line_next(&unit->shared);

    if (unit->writing || (unit->taken && !input_waits(unit)) ||
        (!unit->taken && sm->staged->operands.out[CLASS_MEM].count)) {
        return sm->now + 1;
    }
    return asleep ? next : cycle_earlier(next, delay_line_next(&unit->queue));
}
