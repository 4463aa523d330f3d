/* sm_memory_unit.c - see sm_memory_unit.h.
 *
 * Order in one cycle: write-back, the end of the L1D's queue, the input register, the next
 * instruction.
 *
 * Limit: what the L1D was asked for comes back beside the write-back port (sm_reply.c).
 */
#include "machine/sm/sm_memory_unit.h"

#include "machine/sm/sm_l1d_sectors.h"
#include "machine/sm/sm_staged.h"

void sm_memory_unit_init(struct memory_unit *unit, const struct gpu_config *config)
{
    unit->shared.places = config->shared_stages;
    for (uint32_t bank = 0; bank < L1D_BANKS; bank++) {
        unit->queue[bank].places = config->l1d_stages;
    }
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

static void look_up(struct sm *sm, struct memory_unit *unit, uint32_t bank, bool replied)
{
    struct delay_line *queue = &unit->queue[bank];
    int *stall = &sm->ldst.stall[bank];
    const struct delay_item *end = delay_line_end(queue, sm->now);

    if (!end) {
        return; /* nor was there one that stalled */
    }
    if (sm_ldst_stalls_again(sm, bank, replied)) {
        ++*sm_refused(sm, *stall);
        return;
    }
    *stall = sm_ldst_offer(sm, end->inst, end->at, bank);
    if (*stall == ACCESS_TAKEN) {
        delay_line_leave(queue);
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
    } else { /* it accessed nothing after all, and its results are there */
        sm_retire(sm, WHEEL_ARITH, unit->op.slot, unit->op.pc, NULL);
    }
    leave(sm, unit);
}

/* What the next request, which goes past the queue, must follow is still in it. */
static bool must_follow(const struct memory_unit *unit, const struct mem_inst *inst)
{
    for (uint32_t bank = 0; bank < L1D_BANKS; bank++) {
        for (uint32_t i = 0; i < unit->queue[bank].count; i++) {
            const struct mem_inst *queued = delay_line_item(&unit->queue[bank], i)->inst;

            if (sm_ldst_ordered_at(inst, inst->entered, queued)) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t bank_of(const struct sm *sm, const struct mem_inst *inst)
{
    return sm_sectors_bank(sm->config, inst->access[inst->entered].sectors);
}

static bool goes_through_l1d(const struct mem_inst *inst)
{
    return inst->kind != ACCESS_ATOMIC && inst->cacheable;
}

/* Requests in their order, until one finds its bank taken in this cycle, or full. */
static void enter_queues(struct sm *sm, struct memory_unit *unit)
{
    struct mem_inst *inst = unit->op.inst;
    uint32_t entered = 0; /* banks */

    while (inst->entered < inst->n) {
        const struct delay_item item = {
            .inst = inst, .pc = unit->op.pc, .slot = unit->op.slot, .at = inst->entered};
        const uint32_t bank = bank_of(sm, inst);

        if ((entered >> bank & 1) || delay_line_full(&unit->queue[bank])) {
            return;
        }
        delay_line_enter(&unit->queue[bank], sm->now, item);
        entered |= UINT32_C(1) << bank;
        inst->entered++;
        sm->progress = true;
    }
}

static void move_requests(struct sm *sm, struct memory_unit *unit)
{
    struct mem_inst *inst = unit->op.inst;
    const uint32_t before = inst->entered;

    if (goes_through_l1d(inst)) {
        enter_queues(sm, unit);
    } else if (!must_follow(unit, inst) &&
               sm_ldst_offer(sm, inst, inst->entered, 0) == ACCESS_TAKEN) {
        inst->entered++;
        sm->progress = true;
    }
    sm->stats.ldst_coal += inst->entered > before && inst->entered < inst->n;
    if (inst->entered == inst->n) {
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
    for (uint32_t bank = 0; bank < sm->config->l1d_banks; bank++) {
        look_up(sm, unit, bank, replied);
    }
    if (unit->taken) {
        move_input(sm, unit);
    }
    if (!unit->taken && operands->out[CLASS_MEM].count) {
        unit->op = sm_operands_take(operands, CLASS_MEM, MOST_PARTS);
        unit->taken = true;
        unit->since = sm->now;
        sm->progress = true;
    }
}

/* Does only the end of the queue let the input register go on? */
static bool input_waits(const struct sm *sm, const struct memory_unit *unit)
{
    const struct mem_inst *inst = unit->op.inst;

    return inst && inst->n && goes_through_l1d(inst) &&
           delay_line_full(&unit->queue[bank_of(sm, inst)]);
}

/* Can only a reply or the network end the stall of a bank's queue?  If no other bank has taken
 * anything since. */
static bool is_asleep(const struct sm *sm, uint32_t bank)
{
    const struct sm_ldst *ldst = &sm->ldst;

    return ldst->stall[bank] >= 0 && ldst->stall[bank] != STALL_PROTOCOL &&
           ldst->taken == ldst->stall_taken[bank];
}

uint64_t sm_memory_unit_next(const struct sm *sm)
{
    const struct memory_unit *unit = &sm->staged->memory;
    uint64_t next = delay_line_next(&unit->shared);

    if (unit->writing || (unit->taken && !input_waits(sm, unit)) ||
        (!unit->taken && sm->staged->operands.out[CLASS_MEM].count)) {
        return sm->now + 1;
    }
    for (uint32_t bank = 0; bank < sm->config->l1d_banks; bank++) {
        if (!is_asleep(sm, bank)) {
            next = cycle_earlier(next, delay_line_next(&unit->queue[bank]));
        }
    }
    return next;
}
