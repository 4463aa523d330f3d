/* ptx_op_memory.h - what atomics share with loads and stores when lowered.  Private. */
#ifndef WARPLOCK_PTX_OP_MEMORY_H
#define WARPLOCK_PTX_OP_MEMORY_H

#include "ptx/ptx_lower.h"

enum isa_scope ptx_take_scope(struct ptx_lower *lw, enum isa_scope otherwise);
enum isa_space ptx_take_space(struct ptx_lower *lw); /* GENERIC when none is written */
enum isa_pipe ptx_pipe_of(enum isa_space space);
/* The registers of a load (destinations) or a store (sources from 1 on), op->n_elements of them. */
void ptx_bind_elements(struct ptx_lower *lw, struct ptx_op *op, const struct ptx_operand *o,
                       enum ptx_type type, bool load);
/* The operation's number in atomic.h, or -1 when there is no such one on `type`. */
int ptx_atomic_number(enum ptx_type type, enum isa_atom atom);
void ptx_emit_fence(struct ptx_lower *lw, enum isa_scope scope);

#endif
