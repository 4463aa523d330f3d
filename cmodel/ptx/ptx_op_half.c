/* ptx_op_half.c - arithmetic of .f16, .bf16 and their pairs (PTX ISA, "Half Precision
 * Floating-Point Instructions").
 *
 * Elements are widened to double, where one operation is exact or rounds so
 * finely that rounding again gives the correct result; a fused multiply-add
 * rounds to odd in between.
 */
#include <math.h>

#include "ptx/ptx_compare.h"
#include "ptx/ptx_half_math.h"
#include "ptx/ptx_op_float.h"

enum half_op { HALF_ADD, HALF_SUB, HALF_MUL, HALF_MIN, HALF_MAX, HALF_FMA };

static struct ptx_format_bits format_of(uint8_t type)
{
    return type == PTX_BF16 || type == PTX_BF16X2 ? PTX_FORMAT_BF16 : PTX_FORMAT_F16;
}

static bool is_pair(uint8_t type)
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
    struct ptx_format_bits format = format_of(op->type);
    uint32_t bits = ptx_round_double(v, format, PTX_ROUND_NEAREST);
    bool subnormal = (bits & 0x7fff) >> format.fraction == 0;
    return op->flushes && subnormal ? bits & 0x8000 : bits;
}

static double element(const struct ptx_op *op, uint32_t v, unsigned shift)
{
    struct ptx_format_bits format = format_of(op->type);
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
        for (unsigned shift = 0; shift < (is_pair(op->type) ? 32u : 16u); shift += 16) {
            double v = apply(op->mode, element(op, a[lane], shift), element(op, b[lane], shift),
                             element(op, c[lane], shift));
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
    ptx_operand_count(lw, 3, 3);
    ptx_bind_plain(lw, emit_half(lw, type, (uint8_t)ops[what]), type);
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
    op->immediate = is_pair((uint8_t)type) ? 0x80008000 : 0x8000;
    ptx_bind_plain(lw, op, type);
}

/* setp.f16: the values, widened to .f32, compared as such. */
static void exec_half_setp(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    float wide_a[ISA_LANES], wide_b[ISA_LANES];
    for (unsigned shift = 0, k = 0; shift < (is_pair(op->type) ? 32u : 16u); shift += 16, k++) {
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            wide_a[lane] = (float)element(op, a[lane], shift);
            wide_b[lane] = (float)element(op, b[lane], shift);
        }
        uint32_t r = op->compare(wide_a, wide_b);
        ptx_put_mask(x, op->dst[k], r, mask);
        if (!is_pair(op->type) && op->dst[1].used) {
            ptx_put_mask(x, op->dst[1], ~r, mask);
        }
    }
}

void ptx_lower_half_setp(struct ptx_lower *lw, enum ptx_type type)
{
    int which = ptx_take_comparison_word(lw);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_FP32, exec_half_setp);
    op->flushes = ptx_take(lw, ".ftz");
    op->type = (uint8_t)type;
    op->compare = which < 0 ? NULL : ptx_comparison_of((enum ptx_comparison)which, PTX_F32);
    const struct ptx_operand *d = ptx_operand_at(lw, 0);
    if (op->compare == NULL || (is_pair(op->type) && d->pair == NULL)) {
        PTX_LOWER_FAIL(lw, "%s is not a comparison that PTX has", lw->statement->text);
    }
    ptx_operand_count(lw, 3, 3);
    ptx_bind_dst(lw, op, 0, d, PTX_PRED);
    if (d->pair != NULL) {
        ptx_bind_dst(lw, op, 1, d->pair, PTX_PRED);
    }
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
}
