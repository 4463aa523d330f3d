/* sm_staged.c - see sm_staged.h. */
#include "machine/sm/sm_staged.h"

#include <stdlib.h>

#include "machine/sm/coalesce.h"
#include "machine/sm/sm_async.h"

struct sm_staged *sm_staged_new(const struct gpu_config *config)
{
    struct sm_staged *staged = calloc(1, sizeof *staged);

    if (staged) {
        sm_operands_init(&staged->operands, config);
        sm_units_init(&staged->units, &staged->operands, config);
        sm_memory_unit_init(&staged->memory, config);
    }
    return staged;
}

/* ---- issue ---- */

static uint32_t bank_cycles(struct sm *sm, const struct isa_memop *op)
{
    const bool first = sm->config->shared_conflicts == CONFLICTS_FIRST_WORD;
    const uint32_t banks = sm->config->shared_banks;
    const uint32_t passes = !op->mask ? 1
                            : first   ? coalesce_shared_first_words(op, banks)
                                      : coalesce_shared_passes(op, banks);

    sm->stats.shared_instructions++;
    sm->stats.shared_conflict_cycles += passes - 1;
    return passes;
}

void sm_staged_issue(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_step *step,
                     struct mem_inst *inst)
{
    struct staged op = {.pc = pc, .slot = (uint8_t)slot, .pipe = sm->facts->inst[pc].pipe};

    switch (step->kind) {
    case ISA_STEP_MEMORY:
        op.inst = inst;
        if (inst->op.inst->is_async && sm->async) {
            sm_async_load(sm, inst);
        }
        sm_ldst_issue(sm, inst);
        break;
    case ISA_STEP_SHARED:
        op.pipe = ISA_PIPE_SHARED; /* perhaps not before: a generic address */
        op.cycles = (uint8_t)bank_cycles(sm, inst ? &inst->op : &sm->scratch);
        break;
    case ISA_STEP_BARRIER: sm_issue_barrier(sm, slot, step); break;
    case ISA_STEP_FENCE:
        sm->stats.fences++;
        sm->warps.wait_fence |= (uint64_t)(step->scope != ISA_SCOPE_CTA) << slot;
        break;
    case ISA_STEP_ASYNC: sm_async_issue(sm, slot, pc, &step->async); break; /* groups of loads */
    case ISA_STEP_FAULT: sm_fail(sm, slot, pc, step->fault); break;
    case ISA_STEP_DONE:
    default: break;
    }
    sm_set_pending(sm, slot, pc, step->kind == ISA_STEP_MEMORY);
    sm->warps.inflight[slot]++;
    sm_operands_enter(sm, op);
    if (inst && !op.inst) {
        sm_inst_release(&sm->ldst, inst); /* not a memory access after all */
    }
}

/* ---- cycles ---- */

void sm_staged_execute(struct sm *sm, bool replied)
{
    sm_units_step(sm);
    sm_memory_unit_step(sm, replied);
}

uint64_t sm_staged_next(const struct sm *sm)
{
    if (!sm->staged->operands.still) {
        return sm->now + 1;
    }
    return cycle_earlier(sm_units_next(sm), sm_memory_unit_next(sm));
}
