/* ptx_mem_atomic.c - execution of atomics: on shared memory here, on the way to the machine else (PTX ISA,
 * "Parallel Synchronization and Communication Instructions").
 */
#include <string.h>

#include "machine/l2/atomic.h"
#include "ptx/ptx_mem.h"

void ptx_atomic_at(struct ptx_exec *x, const struct ptx_op *op, const struct isa_inst *inst,
                   uint8_t *const *at, uint32_t mask)
{
    uint64_t old[ISA_LANES] = {0};
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) { /* lanes in order */
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t operand = 0, swap = 0;
        memcpy(&operand, (uint8_t *)ptx_lanes(x, op->src[1]) + lane * op->src[1].bytes,
               op->element_bytes);
        if (op->src[2].used) {
            memcpy(&swap, (uint8_t *)ptx_lanes(x, op->src[2]) + lane * op->src[2].bytes,
                   op->element_bytes);
        }
        old[lane] = ptx_read_bytes(at[lane], op->element_bytes);
        uint64_t new = atomic_result(inst->atom, inst->number, old[lane], operand, swap);
        memcpy(at[lane], &new, op->element_bytes);
    }
    if (inst->access == ISA_ACCESS_ATOMIC) {
        ptx_put_element(x, op, 0, old, mask);
    }
}

void ptx_atomic_operands(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint8_t *data = x->memop->data[lane];
        memset(data, 0, ISA_LANE_BYTES);
        memcpy(data, (uint8_t *)ptx_lanes(x, op->src[1]) + lane * op->src[1].bytes,
               op->element_bytes);
        if (op->src[2].used) {
            memcpy(data + 8, (uint8_t *)ptx_lanes(x, op->src[2]) + lane * op->src[2].bytes,
                   op->element_bytes);
        }
    }
}
