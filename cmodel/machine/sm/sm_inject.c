/* sm_inject.c - loads that a mechanism injects behind others, and loads that become moves.
 *
 * Works after lakshminarayana2014-graph 3.1.7.  An injected load takes an issue slot and the LD/ST unit
 * like any other, and its bytes go to whoever injected it.  A load that is a move executes as ever,
 * has its bytes from registers of the mechanism's, and takes the time of a move.  It must not know which
 * loads these are. */
#include "machine/sm/sm_private.h"

void sm_issue_injected(struct sm *sm, uint32_t slot)
{
    const struct inject_socket *inject = &sm->sockets.inject;
    const uint32_t pc = inject->pc(inject->self, slot);
    struct mem_inst *inst = sm_inst_for(sm, slot, pc);

    inst->injected = true;
    inst->op.inst = &sm->facts->launch->kernel->inst[pc];
    inst->op.space = ISA_SPACE_GLOBAL;
    inject->inject(inject->self, slot, &inst->op);
    sm->progress = true;
    sm->stats.injected++;
    sm_occupy(sm, ISA_PIPE_MEM, sm->pipes.interval[ISA_PIPE_MEM]);
    sm_ldst_issue(sm, inst);
    sm_update_warp(sm, slot);
}

void sm_issue_move(struct sm *sm, uint32_t slot, uint32_t pc)
{
    const struct isa_launch *launch = sm->facts->launch;

    launch->retire(launch->self, sm->warps.at[slot], &sm->scratch);
    sm_occupy(sm, ISA_PIPE_INT, sm->pipes.interval[ISA_PIPE_INT]);
    sm_complete_after(sm, slot, pc, sm->pipes.latency[ISA_PIPE_INT]);
}
