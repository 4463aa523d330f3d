/* sm_memory_unit.h - the LD/ST unit of an SM behind its operand collectors.
 *
 * One instruction at a time is in its input register, until all its requests are handed on: to
 * shared memory after as many cycles as its bank conflicts take, then through a pipeline of
 * shared.stages; to the L1D through a queue of l1d.stages for each of its banks, at whose end the
 * tags are looked up: in a cycle one request for each bank, as long as each finds its own free; past the L1D at once, behind what the warp asked for of the same block if one
 * of the two writes.  Loads from shared memory are written back one a cycle, the cycle after they
 * left the pipeline, when the bank of their register is not written already.
 * Taken in cycle t, a load from shared memory without conflict is usable in t + shared.stages + 2,
 * an L1D hit in t + l1d.stages + 1 + l1d.hit_cycles.
 * It must not know what the L1D does with a request.
 */
#ifndef WARPLOCK_MACHINE_SM_MEMORY_UNIT_H
#define WARPLOCK_MACHINE_SM_MEMORY_UNIT_H

#include "machine/sm/delay_line.h"
#include "machine/sm/sm_operands.h"

struct memory_unit {
    bool taken;     /* `op` is in the input register, */
    uint64_t since; /* from this cycle on */
    struct staged op;
    struct delay_line shared, queue[L1D_BANKS];
    bool writing; /* `write` was chosen for write-back */
    struct delay_item write;
};

void sm_memory_unit_init(struct memory_unit *unit, const struct gpu_config *config);
/* One cycle; `replied`: a reply has changed the L1D or its MSHRs in this cycle. */
void sm_memory_unit_step(struct sm *sm, bool replied);
/* The next cycle in which something can happen by itself. */
uint64_t sm_memory_unit_next(const struct sm *sm);

#endif
