/* ptx_op_int.c - integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").
 *
 * 16-bit values live zero-extended in 32-bit lanes.  Division by zero: quotient
 * all ones, remainder the dividend, as hardware gives.
 */
#include "ptx/ptx_op_int.h"
#include "ptx/ptx_int_math.h"
#include "ptx/ptx_lower.h"
#include "ptx/ptx_op_float.h"

#define S16(v) ((int32_t)(int16_t)(v))
#define LOW16(v) ((v)&0xffffu)
#define S32(v) ((int32_t)(v))
#define S64(v) ((int64_t)(v))
#define MIN(p, q) ((p) < (q) ? (p) : (q))
#define MAX(p, q) ((p) > (q) ? (p) : (q))

#define BINARY16(name, expression) \
    PTX_BINARY(name, ptx_put32, uint32_t, lane_u32, lane_u32, LOW16((uint32_t)(expression)))
#define BINARY32(name, expression) \
    PTX_BINARY(name, ptx_put32, uint32_t, lane_u32, lane_u32, expression)
#define BINARY64(name, expression) \
    PTX_BINARY(name, ptx_put64, uint64_t, lane_u64, lane_u64, expression)
#define UNARY16(name, expression) \
    PTX_UNARY(name, ptx_put32, uint32_t, lane_u32, LOW16((uint32_t)(expression)))
#define UNARY32(name, expression) PTX_UNARY(name, ptx_put32, uint32_t, lane_u32, expression)
#define UNARY64(name, expression) PTX_UNARY(name, ptx_put64, uint64_t, lane_u64, expression)
#define TERNARY32(name, expression) \
    PTX_TERNARY(name, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32, expression)
#define TERNARY64(name, expression) \
    PTX_TERNARY(name, ptx_put64, uint64_t, lane_u64, lane_u64, lane_u64, expression)

typedef ptx_exec_fn *exec_table[PTX_TYPE_COUNT];

BINARY16(add_u16, a + b)
BINARY32(add_u32, a + b)
BINARY64(add_u64, a + b)
BINARY32(add_sat_s32, ptx_saturate_s32((int64_t)S32(a) + S32(b)))
BINARY16(sub_u16, a - b)
BINARY32(sub_u32, a - b)
BINARY64(sub_u64, a - b)
BINARY32(sub_sat_s32, ptx_saturate_s32((int64_t)S32(a) - S32(b)))

static const exec_table add_table = {[PTX_U16] = add_u16, [PTX_S16] = add_u16, [PTX_U32] = add_u32,
                                     [PTX_S32] = add_u32, [PTX_U64] = add_u64, [PTX_S64] = add_u64};
static const exec_table sub_table = {[PTX_U16] = sub_u16, [PTX_S16] = sub_u16, [PTX_U32] = sub_u32,
                                     [PTX_S32] = sub_u32, [PTX_U64] = sub_u64, [PTX_S64] = sub_u64};

BINARY16(mul_lo_16, LOW16(a) * LOW16(b))
BINARY32(mul_lo_32, a *b)
BINARY64(mul_lo_64, a *b)
BINARY16(mul_hi_u16, (LOW16(a) * LOW16(b)) >> 16)
BINARY16(mul_hi_s16, (uint32_t)(S16(a) * S16(b)) >> 16)
BINARY32(mul_hi_u32, (uint64_t)a *b >> 32)
BINARY32(mul_hi_s32, (uint64_t)((int64_t)S32(a) * S32(b)) >> 32)
BINARY64(mul_hi_u64, ptx_mul_hi_u64(a, b))
BINARY64(mul_hi_s64, ptx_mul_hi_s64(a, b))
BINARY32(mul_wide_u16, LOW16(a) * LOW16(b))
BINARY32(mul_wide_s16, S16(a) * S16(b))
PTX_BINARY(mul_wide_u32, ptx_put64, uint64_t, lane_u32, lane_u32, (uint64_t)a *b)
PTX_BINARY(mul_wide_s32, ptx_put64, uint64_t, lane_u32, lane_u32, (int64_t)S32(a) * S32(b))
BINARY32(mul24_lo_u, (a & 0xffffff) * (b & 0xffffff))
BINARY32(mul24_lo_s, ptx_mul24_s(a, b))
BINARY32(mul24_hi_u, ((uint64_t)(a & 0xffffff) * (b & 0xffffff)) >> 16)
BINARY32(mul24_hi_s, (uint64_t)ptx_mul24_s(a, b) >> 16)

PTX_TERNARY(mad_lo_16, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            LOW16(LOW16(a) * LOW16(b) + c))
TERNARY32(mad_lo_32, a *b + c)
TERNARY64(mad_lo_64, a *b + c)
TERNARY32(mad_hi_u16, LOW16(((LOW16(a) * LOW16(b)) >> 16) + c))
TERNARY32(mad_hi_s16, LOW16(((uint32_t)(S16(a) * S16(b)) >> 16) + c))
TERNARY32(mad_hi_u32, (uint32_t)((uint64_t)a *b >> 32) + c)
TERNARY32(mad_hi_s32, (uint32_t)((uint64_t)((int64_t)S32(a) * S32(b)) >> 32) + c)
TERNARY32(mad_hi_sat_s32, ptx_saturate_s32((((int64_t)S32(a) * S32(b)) >> 32) + S32(c)))
TERNARY64(mad_hi_u64, ptx_mul_hi_u64(a, b) + c)
TERNARY64(mad_hi_s64, ptx_mul_hi_s64(a, b) + c)
TERNARY32(mad_wide_u16, LOW16(a) * LOW16(b) + c)
TERNARY32(mad_wide_s16, (uint32_t)(S16(a) * S16(b)) + c)
PTX_TERNARY(mad_wide_u32, ptx_put64, uint64_t, lane_u32, lane_u32, lane_u64, (uint64_t)a *b + c)
PTX_TERNARY(mad_wide_s32, ptx_put64, uint64_t, lane_u32, lane_u32, lane_u64,
            (uint64_t)((int64_t)S32(a) * S32(b)) + c)
TERNARY32(mad24_lo_u, (a & 0xffffff) * (b & 0xffffff) + c)
TERNARY32(mad24_lo_s, (uint32_t)ptx_mul24_s(a, b) + c)
TERNARY32(mad24_hi_u, (uint32_t)(((uint64_t)(a & 0xffffff) * (b & 0xffffff)) >> 16) + c)
TERNARY32(mad24_hi_s, (uint32_t)((uint64_t)ptx_mul24_s(a, b) >> 16) + c)
TERNARY32(mad24_hi_sat_s32,
          ptx_saturate_s32(S32((uint64_t)ptx_mul24_s(a, b) >> 16) + (int64_t)S32(c)))

static const exec_table mul_tables[PTX_PARTS] = {[PTX_PART_LO] = {[PTX_U16] = mul_lo_16,
                                                                  [PTX_S16] = mul_lo_16,
                                                                  [PTX_U32] = mul_lo_32,
                                                                  [PTX_S32] = mul_lo_32,
                                                                  [PTX_U64] = mul_lo_64,
                                                                  [PTX_S64] = mul_lo_64},
                                                 [PTX_PART_HI] = {[PTX_U16] = mul_hi_u16,
                                                                  [PTX_S16] = mul_hi_s16,
                                                                  [PTX_U32] = mul_hi_u32,
                                                                  [PTX_S32] = mul_hi_s32,
                                                                  [PTX_U64] = mul_hi_u64,
                                                                  [PTX_S64] = mul_hi_s64},
                                                 [PTX_PART_WIDE] = {[PTX_U16] = mul_wide_u16,
                                                                    [PTX_S16] = mul_wide_s16,
                                                                    [PTX_U32] = mul_wide_u32,
                                                                    [PTX_S32] = mul_wide_s32}};
static const exec_table mad_tables[PTX_PARTS] = {[PTX_PART_LO] = {[PTX_U16] = mad_lo_16,
                                                                  [PTX_S16] = mad_lo_16,
                                                                  [PTX_U32] = mad_lo_32,
                                                                  [PTX_S32] = mad_lo_32,
                                                                  [PTX_U64] = mad_lo_64,
                                                                  [PTX_S64] = mad_lo_64},
                                                 [PTX_PART_HI] = {[PTX_U16] = mad_hi_u16,
                                                                  [PTX_S16] = mad_hi_s16,
                                                                  [PTX_U32] = mad_hi_u32,
                                                                  [PTX_S32] = mad_hi_s32,
                                                                  [PTX_U64] = mad_hi_u64,
                                                                  [PTX_S64] = mad_hi_s64},
                                                 [PTX_PART_WIDE] = {[PTX_U16] = mad_wide_u16,
                                                                    [PTX_S16] = mad_wide_s16,
                                                                    [PTX_U32] = mad_wide_u32,
                                                                    [PTX_S32] = mad_wide_s32}};

BINARY16(div_u16, LOW16(b) == 0 ? 0xffffu : LOW16(a) / LOW16(b))
BINARY16(div_s16, S16(b) == 0 ? -1 : S16(a) / S16(b))
BINARY32(div_u32, b == 0 ? UINT32_MAX : a / b)
BINARY32(div_s32, ptx_div_s32(S32(a), S32(b)))
BINARY64(div_u64, b == 0 ? UINT64_MAX : a / b)
BINARY64(div_s64, ptx_div_s64(S64(a), S64(b)))
BINARY16(rem_u16, LOW16(b) == 0 ? a : LOW16(a) % LOW16(b))
BINARY16(rem_s16, S16(b) == 0 ? S16(a) : S16(a) % S16(b))
BINARY32(rem_u32, b == 0 ? a : a % b)
BINARY32(rem_s32, ptx_rem_s32(S32(a), S32(b)))
BINARY64(rem_u64, b == 0 ? a : a % b)
BINARY64(rem_s64, ptx_rem_s64(S64(a), S64(b)))

static const exec_table div_table = {[PTX_U16] = div_u16, [PTX_S16] = div_s16, [PTX_U32] = div_u32,
                                     [PTX_S32] = div_s32, [PTX_U64] = div_u64, [PTX_S64] = div_s64};
static const exec_table rem_table = {[PTX_U16] = rem_u16, [PTX_S16] = rem_s16, [PTX_U32] = rem_u32,
                                     [PTX_S32] = rem_s32, [PTX_U64] = rem_u64, [PTX_S64] = rem_s64};

BINARY16(min_u16, MIN(a, b))
BINARY16(min_s16, MIN(S16(a), S16(b)))
BINARY32(min_u32, MIN(a, b))
BINARY32(min_s32, MIN(S32(a), S32(b)))
BINARY64(min_u64, MIN(a, b))
BINARY64(min_s64, MIN(S64(a), S64(b)))
BINARY16(max_u16, MAX(a, b))
BINARY16(max_s16, MAX(S16(a), S16(b)))
BINARY32(max_u32, MAX(a, b))
BINARY32(max_s32, MAX(S32(a), S32(b)))
BINARY64(max_u64, MAX(a, b))
BINARY64(max_s64, MAX(S64(a), S64(b)))

static const exec_table min_table = {[PTX_U16] = min_u16, [PTX_S16] = min_s16, [PTX_U32] = min_u32,
                                     [PTX_S32] = min_s32, [PTX_U64] = min_u64, [PTX_S64] = min_s64};
static const exec_table max_table = {[PTX_U16] = max_u16, [PTX_S16] = max_s16, [PTX_U32] = max_u32,
                                     [PTX_S32] = max_s32, [PTX_U64] = max_u64, [PTX_S64] = max_s64};

UNARY16(neg_s16, 0 - a)
UNARY32(neg_s32, 0 - a)
UNARY64(neg_s64, 0 - a)
UNARY16(abs_s16, S16(a) < 0 ? 0 - a : a)
UNARY32(abs_s32, S32(a) < 0 ? 0 - a : a)
UNARY64(abs_s64, S64(a) < 0 ? 0 - a : a)

static const exec_table neg_table = {[PTX_S16] = neg_s16, [PTX_S32] = neg_s32, [PTX_S64] = neg_s64};
static const exec_table abs_table = {[PTX_S16] = abs_s16, [PTX_S32] = abs_s32, [PTX_S64] = abs_s64};

#define SAD(wide_a, wide_b, narrow_a, narrow_b) \
    ((wide_a) < (wide_b) ? (narrow_b) - (narrow_a) : (narrow_a) - (narrow_b))
TERNARY32(sad_u16, LOW16(SAD(a, b, a, b) + c))
TERNARY32(sad_s16, LOW16(SAD(S16(a), S16(b), a, b) + c))
TERNARY32(sad_u32, SAD(a, b, a, b) + c)
TERNARY32(sad_s32, SAD(S32(a), S32(b), a, b) + c)
TERNARY64(sad_u64, SAD(a, b, a, b) + c)
TERNARY64(sad_s64, SAD(S64(a), S64(b), a, b) + c)

static const exec_table sad_table = {[PTX_U16] = sad_u16, [PTX_S16] = sad_s16, [PTX_U32] = sad_u32,
                                     [PTX_S32] = sad_s32, [PTX_U64] = sad_u64, [PTX_S64] = sad_s64};

/* dp4a, dp2a: mode bit 0: a is signed, bit 1: b is signed, bit 2: upper half of b (dp2a.hi). */
TERNARY32(exec_dp4a, ptx_dot4(a, b, c, op->mode))
TERNARY32(exec_dp2a, ptx_dot2(a, b, c, op->mode))

static struct ptx_op *emit_typed(struct ptx_lower *lw, const exec_table table, enum ptx_type type,
                                 uint32_t n_operands)
{
    if (table[type] == NULL) {
        PTX_LOWER_FAIL(lw, "%s does not take type %s", lw->statement->opcode, ptx_type_name(type));
    }
    ptx_operand_count(lw, n_operands, n_operands);
    return ptx_emit(lw, ISA_PIPE_INT, table[type]);
}

static bool has_modifier(const struct ptx_lower *lw, const char *word)
{
    struct ptx_lower copy = *lw;
    return ptx_take(&copy, word);
}

/* The type decides between the integer, float and half families. */
static bool type_is_float(const struct ptx_lower *lw)
{
    struct ptx_lower copy = *lw;
    return ptx_type_is_float(ptx_take_optional_type(&copy));
}

static void lower_sum(struct ptx_lower *lw, bool subtract)
{
    enum ptx_packed packed = subtract ? PTX_PACKED_SUB : PTX_PACKED_ADD;
    if (ptx_lower_float_pair(lw, packed) || ptx_lower_packed(lw, packed)) {
        return;
    }
    if (type_is_float(lw)) {
        ptx_lower_float_arith(lw, subtract ? PTX_FLOAT_SUB : PTX_FLOAT_ADD);
        return;
    }
    if (has_modifier(lw, ".cc")) {
        ptx_lower_carry_sum(lw, subtract, false);
        return;
    }
    bool saturates = ptx_take(lw, ".sat");
    enum ptx_type type = ptx_take_type(lw);
    struct ptx_op *op = emit_typed(lw, subtract ? sub_table : add_table, type, 3);
    if (saturates) {
        if (type != PTX_S32) {
            PTX_LOWER_FAIL(lw, ".sat needs type .s32");
        }
        op->exec = subtract ? sub_sat_s32 : add_sat_s32;
    }
    ptx_bind_plain(lw, op, type);
}

static void lower_add(struct ptx_lower *lw)
{
    lower_sum(lw, false);
}
static void lower_sub(struct ptx_lower *lw)
{
    lower_sum(lw, true);
}

static enum ptx_type widened(enum ptx_type type)
{
    switch (type) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    case PTX_S32: return PTX_S64;
    default: return type;
    }
}

static void lower_mul(struct ptx_lower *lw)
{
    if (ptx_lower_float_pair(lw, PTX_PACKED_MUL)) {
        return;
    }
    if (type_is_float(lw)) {
        ptx_lower_float_arith(lw, PTX_FLOAT_MUL);
        return;
    }
    enum ptx_part part = ptx_take_part(lw);
    enum ptx_type type = ptx_take_type(lw);
    struct ptx_op *op = emit_typed(lw, mul_tables[part], type, 3);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), part == PTX_PART_WIDE ? widened(type) : type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
}

static void lower_mad(struct ptx_lower *lw)
{
    if (type_is_float(lw)) {
        ptx_lower_float_fma(lw);
        return;
    }
    if (has_modifier(lw, ".cc")) {
        ptx_lower_carry_mad(lw, false);
        return;
    }
    enum ptx_part part = ptx_take_part(lw);
    bool saturates = ptx_take(lw, ".sat");
    enum ptx_type type = ptx_take_type(lw);
    struct ptx_op *op = emit_typed(lw, mad_tables[part], type, 4);
    if (saturates) {
        if (part != PTX_PART_HI || type != PTX_S32) {
            PTX_LOWER_FAIL(lw, ".sat needs mad.hi.s32");
        }
        op->exec = mad_hi_sat_s32;
    }
    ptx_bind_mad(lw, op, type, part == PTX_PART_WIDE ? widened(type) : type);
}

static void lower_24(struct ptx_lower *lw, const exec_table *tables, uint32_t n_operands)
{
    enum ptx_part part = ptx_take_part(lw);
    bool saturates = ptx_take(lw, ".sat");
    enum ptx_type type = ptx_take_type(lw);
    if (part == PTX_PART_WIDE) {
        PTX_LOWER_FAIL(lw, "%s has .lo and .hi only", lw->statement->opcode);
    }
    struct ptx_op *op = emit_typed(lw, tables[part], type, n_operands);
    if (saturates) {
        if (n_operands != 4 || part != PTX_PART_HI || type != PTX_S32) {
            PTX_LOWER_FAIL(lw, ".sat needs mad24.hi.s32");
        }
        op->exec = mad24_hi_sat_s32;
    }
    ptx_bind_plain(lw, op, type);
}

static void lower_mul24(struct ptx_lower *lw)
{
    static const exec_table tables[] = {{[PTX_U32] = mul24_lo_u, [PTX_S32] = mul24_lo_s},
                                        {[PTX_U32] = mul24_hi_u, [PTX_S32] = mul24_hi_s}};
    lower_24(lw, tables, 3);
}

static void lower_mad24(struct ptx_lower *lw)
{
    static const exec_table tables[] = {{[PTX_U32] = mad24_lo_u, [PTX_S32] = mad24_lo_s},
                                        {[PTX_U32] = mad24_hi_u, [PTX_S32] = mad24_hi_s}};
    lower_24(lw, tables, 4);
}

static void lower_simple(struct ptx_lower *lw, const exec_table table, uint32_t n_operands)
{
    enum ptx_type type = ptx_take_type(lw);
    ptx_bind_plain(lw, emit_typed(lw, table, type, n_operands), type);
}

static void lower_div(struct ptx_lower *lw)
{
    if (type_is_float(lw)) {
        ptx_lower_float_arith(lw, PTX_FLOAT_DIV);
    } else {
        lower_simple(lw, div_table, 3);
        ptx_inst_of(lw, &lw->image->ops[lw->image->n_ops - 1])->pipe = ISA_PIPE_SFU;
    }
}

static void lower_rem(struct ptx_lower *lw)
{
    lower_simple(lw, rem_table, 3);
    ptx_inst_of(lw, &lw->image->ops[lw->image->n_ops - 1])->pipe = ISA_PIPE_SFU;
}

static void lower_min(struct ptx_lower *lw)
{
    if (type_is_float(lw)) {
        ptx_lower_float_arith(lw, PTX_FLOAT_MIN);
    } else if (!ptx_lower_packed(lw, PTX_PACKED_MIN)) {
        lower_simple(lw, min_table, 3);
    }
}

static void lower_max(struct ptx_lower *lw)
{
    if (type_is_float(lw)) {
        ptx_lower_float_arith(lw, PTX_FLOAT_MAX);
    } else if (!ptx_lower_packed(lw, PTX_PACKED_MAX)) {
        lower_simple(lw, max_table, 3);
    }
}

static void lower_neg(struct ptx_lower *lw)
{
    if (type_is_float(lw)) {
        ptx_lower_float_sign(lw, PTX_FLOAT_NEG);
    } else {
        lower_simple(lw, neg_table, 2);
    }
}

static void lower_abs(struct ptx_lower *lw)
{
    if (type_is_float(lw)) {
        ptx_lower_float_sign(lw, PTX_FLOAT_ABS);
    } else {
        lower_simple(lw, abs_table, 2);
    }
}

static void lower_sad(struct ptx_lower *lw)
{
    lower_simple(lw, sad_table, 4);
}

static void lower_dot(struct ptx_lower *lw, ptx_exec_fn *exec, uint32_t mode)
{
    enum ptx_type a = ptx_take_type(lw), b = ptx_take_type(lw);
    bool ok = (a == PTX_U32 || a == PTX_S32) && (b == PTX_U32 || b == PTX_S32);
    if (!ok) {
        PTX_LOWER_FAIL(lw, "%s takes .u32 and .s32 only", lw->statement->opcode);
    }
    ptx_operand_count(lw, 4, 4);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec);
    op->mode = (uint8_t)(mode | (a == PTX_S32 ? 1u : 0u) | (b == PTX_S32 ? 2u : 0u));
    ptx_bind_plain(lw, op, PTX_U32);
}

static void lower_dp4a(struct ptx_lower *lw)
{
    lower_dot(lw, exec_dp4a, 0);
}

static void lower_dp2a(struct ptx_lower *lw)
{
    enum ptx_part part = ptx_take_part(lw);
    if (part == PTX_PART_WIDE) {
        PTX_LOWER_FAIL(lw, "dp2a has .lo and .hi only");
    }
    lower_dot(lw, exec_dp2a, part == PTX_PART_HI ? 4 : 0);
}

const struct ptx_opcode ptx_opcodes_int[] = {
    {"add", lower_add},     {"sub", lower_sub},     {"mul", lower_mul},   {"mad", lower_mad},
    {"mul24", lower_mul24}, {"mad24", lower_mad24}, {"div", lower_div},   {"rem", lower_rem},
    {"min", lower_min},     {"max", lower_max},     {"neg", lower_neg},   {"abs", lower_abs},
    {"sad", lower_sad},     {"dp4a", lower_dp4a},   {"dp2a", lower_dp2a}, {NULL, NULL}};
