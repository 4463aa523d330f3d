/* ptx_op_float.h - float entry points for opcodes shared with integers (add, mul, ...). */
#ifndef WARPLOCK_PTX_OP_FLOAT_H
#define WARPLOCK_PTX_OP_FLOAT_H

#include "ptx/ptx_half_math.h"
#include "ptx/ptx_lower.h"

enum ptx_float_arith {
    PTX_FLOAT_ADD,
    PTX_FLOAT_SUB,
    PTX_FLOAT_MUL,
    PTX_FLOAT_DIV,
    PTX_FLOAT_MIN,
    PTX_FLOAT_MAX,
    PTX_FLOAT_ARITHS
};
enum ptx_float_sign { PTX_FLOAT_NEG, PTX_FLOAT_ABS };

void ptx_lower_float_arith(struct ptx_lower *lw, enum ptx_float_arith what);
void ptx_lower_float_fma(struct ptx_lower *lw);
void ptx_lower_float_sign(struct ptx_lower *lw, enum ptx_float_sign what);

/* The same for .f16, .f16x2, .bf16 and .bf16x2 (ptx_op_half.c); the type is taken already. */
void ptx_lower_half_arith(struct ptx_lower *lw, enum ptx_type type, enum ptx_float_arith what);
void ptx_lower_half_fma(struct ptx_lower *lw, enum ptx_type type);
void ptx_lower_half_sign(struct ptx_lower *lw, enum ptx_type type, enum ptx_float_sign what);

/* What these operations see of .f16, .bf16 and pairs: the format, whether there are two in a register,
 * the value in the bits from `shift` on, flushed where the operation flushes. */
struct ptx_format_bits ptx_half_format(uint8_t type);
bool ptx_half_is_pair(uint8_t type);
double ptx_half_element(const struct ptx_op *op, uint32_t v, unsigned shift);

/* Rounding modes of modifiers .rn, .rz, .rm, .rp (and .rni ... for integral results). */
enum ptx_rounding { PTX_ROUND_NEAREST, PTX_ROUND_ZERO, PTX_ROUND_DOWN, PTX_ROUND_UP };

/* cvt with .tf32, .e4m3x2 or .e5m2x2; false: the statement is none (ptx_op_narrow.c). */
bool ptx_lower_narrow(struct ptx_lower *lw);

#endif
