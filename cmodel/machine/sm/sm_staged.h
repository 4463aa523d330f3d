/* sm_staged.h - the stages of an SM that has operand collectors: issue registers, collectors,
 * units, LD/ST unit.
 *
 * Without them (operands.banks = 0) an instruction that issues is in a pipe of fixed latency
 * (sm_issue.c).  What issuing does to the warp is the same with both.
 */
#ifndef WARPLOCK_MACHINE_SM_STAGED_H
#define WARPLOCK_MACHINE_SM_STAGED_H

#include "machine/sm/sm_memory_unit.h"
#include "machine/sm/sm_operands.h"
#include "machine/sm/sm_private.h"
#include "machine/sm/sm_units.h"

struct sm_staged {
    struct operands operands;
    struct units units;
    struct memory_unit memory;
};

/* NULL when out of memory. */
struct sm_staged *sm_staged_new(const struct gpu_config *config);

/* What the instruction that warp `slot` has just executed does at once; and it takes its issue
 * register. */
void sm_staged_issue(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_step *step,
                     struct mem_inst *inst);
/* The parts of one cycle: all units; the collectors. */
void sm_staged_execute(struct sm *sm, bool replied);
static inline void sm_staged_collect(struct sm *sm)
{
    sm_operands_step(sm);
}
/* The next cycle in which something can happen by itself. */
uint64_t sm_staged_next(const struct sm *sm);

#endif
