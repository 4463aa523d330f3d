/* ptx_op_half.c - arithmetic of .f16, .bf16 and their pairs (PTX ISA, "Half Precision
 * Floating-Point Instructions").
 *
 * Elements are widened to double, where one operation is exact or rounds so
 * finely that rounding again gives the correct result; a fused multiply-add
 * rounds to odd in between.
 */
#include <math.h>

#include "ptx/ptx_half_math.h"
#include "ptx/ptx_op_float.h"

enum half_op {
    HALF_ADD,
    HALF_SUB,
    HALF_MUL,
    HALF_MIN,
    HALF_MAX,
    HALF_MIN_NAN,
    HALF_MAX_NAN,
    HALF_FMA
};

struct ptx_format_bits ptx_half_format(uint8_t type)
{
    return type == PTX_BF16 || type == PTX_BF16X2 ? PTX_FORMAT_BF16 : PTX_FORMAT_F16;
}

bool ptx_half_is_pair(uint8_t type)
{
    return type == PTX_F16X2 || type == PTX_BF16X2;
}

static double smaller(double a, double b)
{
    return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static double apply(uint8_t what, double a, double b, double c)
{
    switch (what) {
    case HALF_ADD: return ptx_fma_odd(a, 1.0, b);
    case HALF_SUB: return ptx_fma_odd(b, -1.0, a);
    case HALF_MUL: return a * b;
    case HALF_MIN: return smaller(a, b);
    case HALF_MAX: return -smaller(-a, -b);
    case HALF_MIN_NAN: return a != a || b != b ? (double)NAN : smaller(a, b);
    case HALF_MAX_NAN: return a != a || b != b ? (double)NAN : -smaller(-a, -b);
    default: return ptx_fma_odd(a, b, c);
    }
}

static uint32_t finish(const struct ptx_op *op, double v)
{
    if (op->saturates) {
        v = v >= 1 ? 1 : v > 0 ? v : 0;
    }
    if (op->combine == 1 && v <= 0) { /* .relu: -0 becomes +0; NaN stays */
        v = 0;
    }
    struct ptx_format_bits format = ptx_half_format(op->type);
    uint32_t bits = ptx_round_double(v, format, PTX_ROUND_NEAREST);
    bool subnormal = (bits & 0x7fff) >> format.fraction == 0;
    return op->flushes && subnormal ? bits & 0x8000 : bits;
}

double ptx_half_element(const struct ptx_op *op, uint32_t v, unsigned shift)
{
    struct ptx_format_bits format = ptx_half_format(op->type);
    uint32_t bits = v >> shift & 0xffff;
    bool subnormal = (bits & 0x7fff) >> format.fraction == 0;
    return ptx_widen(op->flushes && subnormal ? bits & 0x8000 : bits, format);
}

static void exec_half(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    const lane_u32 *c = op->mode == HALF_FMA ? ptx_lanes(x, op->src[2]) : a;
    uint32_t r[ISA_LANES] = {0};
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        for (unsigned shift = 0; shift < (ptx_half_is_pair(op->type) ? 32u : 16u); shift += 16) {
            double v = apply(op->mode, ptx_half_element(op, a[lane], shift),
                             ptx_half_element(op, b[lane], shift),
                             ptx_half_element(op, c[lane], shift));
            r[lane] |= finish(op, v) << shift;
        }
    }
    ptx_put32(x, op->dst[0], r, mask);
}

PTX_UNARY(neg_half, ptx_put32, uint32_t, lane_u32, a ^ (uint32_t)op->immediate)
PTX_UNARY(abs_half, ptx_put32, uint32_t, lane_u32, a & ~(uint32_t)op->immediate)

static struct ptx_op *emit_half(struct ptx_lower *lw, enum ptx_type type, uint8_t what)
{
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_FP32, exec_half);
    ptx_take(lw, ".rn");
    op->flushes = ptx_take(lw, ".ftz");
    op->saturates = ptx_take(lw, ".sat");
    op->combine = ptx_take(lw, ".relu");
    op->type = (uint8_t)type;
    op->mode = what;
    return op;
}

void ptx_lower_half_arith(struct ptx_lower *lw, enum ptx_type type, enum ptx_float_arith what)
{
    static const int8_t ops[PTX_FLOAT_ARITHS] = {
        [PTX_FLOAT_ADD] = HALF_ADD, [PTX_FLOAT_SUB] = HALF_SUB, [PTX_FLOAT_MUL] = HALF_MUL,
        [PTX_FLOAT_DIV] = -1,       [PTX_FLOAT_MIN] = HALF_MIN, [PTX_FLOAT_MAX] = HALF_MAX};
    if (ops[what] < 0) {
        PTX_LOWER_FAIL(lw, "%s is not an operation that PTX has", lw->statement->text);
    }
    uint8_t which = (uint8_t)ops[what];
    if ((which == HALF_MIN || which == HALF_MAX) && ptx_take(lw, ".NaN")) {
        which = which == HALF_MIN ? HALF_MIN_NAN : HALF_MAX_NAN;
    }
    ptx_operand_count(lw, 3, 3);
    ptx_bind_plain(lw, emit_half(lw, type, which), type);
}

void ptx_lower_half_fma(struct ptx_lower *lw, enum ptx_type type)
{
    ptx_operand_count(lw, 4, 4);
    ptx_bind_plain(lw, emit_half(lw, type, HALF_FMA), type);
}

void ptx_lower_half_sign(struct ptx_lower *lw, enum ptx_type type, enum ptx_float_sign what)
{
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_FP32, what == PTX_FLOAT_NEG ? neg_half : abs_half);
    op->immediate = ptx_half_is_pair((uint8_t)type) ? 0x80008000 : 0x8000;
    ptx_bind_plain(lw, op, type);
}
