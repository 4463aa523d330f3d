/* ptx_op_int.h - what integer arithmetic shares with its extended-precision forms.  Private. */
#ifndef WARPLOCK_PTX_OP_INT_H
#define WARPLOCK_PTX_OP_INT_H

#include "ptx/ptx_lower.h"

/* Which part of a product: .lo, .hi, .wide. */
enum ptx_part { PTX_PART_LO, PTX_PART_HI, PTX_PART_WIDE, PTX_PARTS };

enum ptx_part ptx_take_part(struct ptx_lower *lw);

/* d = a * b + c: a and b of `type`, d and c of `sum`. */
void ptx_bind_mad(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type type, enum ptx_type sum);

/* add{c}{.cc}, sub{c}{.cc} and mad{c}{.cc} (ptx_op_carry.c). */
void ptx_lower_carry_sum(struct ptx_lower *lw, bool subtract, bool carry_in);
void ptx_lower_carry_mad(struct ptx_lower *lw, bool carry_in);

/* Operations on numbers side by side; false: the statement is none (ptx_op_packed.c). */
enum ptx_packed {
    PTX_PACKED_ADD,
    PTX_PACKED_SUB,
    PTX_PACKED_MUL,
    PTX_PACKED_FMA,
    PTX_PACKED_MIN,
    PTX_PACKED_MAX,
    PTX_PACKED_AVERAGE,
    PTX_PACKED_DIFFERENCE
};
bool ptx_lower_packed(struct ptx_lower *lw, enum ptx_packed what);
bool ptx_lower_float_pair(struct ptx_lower *lw, enum ptx_packed what);

#endif
