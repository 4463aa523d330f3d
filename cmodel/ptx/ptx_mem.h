/* ptx_mem.h - execution of memory operations, shared by loads, stores and atomics.  Private. */
#ifndef WARPLOCK_PTX_MEM_H
#define WARPLOCK_PTX_MEM_H

#include "ptx/ptx_image.h"

ptx_exec_fn ptx_exec_access; /* global, local, shared, generic: loads, stores, atomics */
ptx_exec_fn ptx_access_at;   /* the same, where memop->addr has the addresses already */
ptx_exec_fn ptx_exec_const;  /* ld.const */
ptx_exec_fn ptx_exec_param;  /* ld.param, st.param */

static inline const struct isa_inst *ptx_inst_of_op(const struct ptx_exec *x,
                                                    const struct ptx_op *op)
{
    return &x->launch->image->inst[op - x->launch->image->ops];
}

/* The mode of a load: its registers have 16 bits; a piece of its register is loaded, the rest stays. */
enum { PTX_LOAD_NARROW = 2, PTX_LOAD_PIECE = 3 };

/* The lanes of `mask` whose address is aligned and inside [0, limit); 0 after a fault. */
uint32_t ptx_check_lanes(struct ptx_exec *x, uint32_t mask, const uint64_t *addr, uint32_t bytes,
                         uint64_t limit, uint8_t space);
/* The address operand of every lane, offset included: [ISA_LANES]. */
void ptx_lane_addresses(const struct ptx_exec *x, const struct ptx_op *op, uint64_t *addr);
/* 1, 2, 4 or 8 bytes, zero-extended. */
uint64_t ptx_read_bytes(const uint8_t *from, uint32_t bytes);
/* Load results: element `e` of every lane in raw[], extended as the type says, to its register. */
void ptx_put_element(struct ptx_exec *x, const struct ptx_op *op, uint32_t e, uint64_t *raw,
                     uint32_t mask);
/* An atomic at the lanes' bytes of shared memory. */
void ptx_atomic_at(struct ptx_exec *x, const struct ptx_op *op, const struct isa_inst *inst,
                   uint8_t *const *at, uint32_t mask);
/* Operands travel in the memop: operand in bytes 0-7, the new value of cas in 8-15. */
void ptx_atomic_operands(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask);
/* All elements of a load, from where each lane's bytes are; of a store, to there. */
void ptx_load_from(struct ptx_exec *x, const struct ptx_op *op, const uint8_t *const *from,
                   uint32_t mask);
void ptx_store_to(struct ptx_exec *x, const struct ptx_op *op, uint8_t *const *to, uint32_t mask);

#endif
