/* ptx_op_bits.c - logic, shifts, bit fields (PTX ISA, "Logic and Shift Instructions" and the bit
 * instructions of "Integer Arithmetic Instructions").
 */
#include "ptx/ptx_int_math.h"
#include "ptx/ptx_lower.h"

#define BITS1(name, put, T, L, expression) PTX_UNARY(name, put, T, L, expression)
#define BOTH2(name, expression) \
    PTX_BINARY(name##_32, ptx_put32, uint32_t, lane_u32, lane_u32, expression) \
    PTX_BINARY(name##_64, ptx_put64, uint64_t, lane_u64, lane_u64, expression)

BOTH2(and, a &b)
BOTH2(or, a | b)
BOTH2(xor, a ^ b)
BITS1(not_16, ptx_put32, uint32_t, lane_u32, ~a & 0xffff)
BITS1(not_32, ptx_put32, uint32_t, lane_u32, ~a)
BITS1(not_64, ptx_put64, uint64_t, lane_u64, ~a)
BITS1(cnot_32, ptx_put32, uint32_t, lane_u32, a == 0)
BITS1(cnot_64, ptx_put64, uint64_t, lane_u64, a == 0)

enum logic { LOGIC_AND, LOGIC_OR, LOGIC_XOR };

static void exec_pred_logic(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t a = ptx_mask_of(x, op->src[0]), b = ptx_mask_of(x, op->src[1]);
    uint32_t r = op->mode == LOGIC_AND ? a & b : op->mode == LOGIC_OR ? a | b : a ^ b;
    ptx_put_mask(x, op->dst[0], r, mask);
}

static void exec_pred_not(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    ptx_put_mask(x, op->dst[0], ~ptx_mask_of(x, op->src[0]), mask);
}

/* Shift amounts beyond the width act as the width. */
PTX_BINARY(shl_16, ptx_put32, uint32_t, lane_u32, lane_u32, b > 15 ? 0 : a << b & 0xffff)
PTX_BINARY(shl_32, ptx_put32, uint32_t, lane_u32, lane_u32, b > 31 ? 0 : a << (b & 31))
PTX_BINARY(shl_64, ptx_put64, uint64_t, lane_u64, lane_u32, b > 63 ? 0 : a << (b & 63))
PTX_BINARY(shr_u16, ptx_put32, uint32_t, lane_u32, lane_u32, b > 15 ? 0 : a >> (b & 15))
PTX_BINARY(shr_s16, ptx_put32, uint32_t, lane_u32, lane_u32,
           (uint32_t)((int16_t)a >> (b > 15 ? 15 : b)) & 0xffff)
PTX_BINARY(shr_u32, ptx_put32, uint32_t, lane_u32, lane_u32, b > 31 ? 0 : a >> (b & 31))
PTX_BINARY(shr_s32, ptx_put32, uint32_t, lane_u32, lane_u32, (int32_t)a >> (b > 31 ? 31 : b))
PTX_BINARY(shr_u64, ptx_put64, uint64_t, lane_u64, lane_u32, b > 63 ? 0 : a >> (b & 63))
PTX_BINARY(shr_s64, ptx_put64, uint64_t, lane_u64, lane_u32, (int64_t)a >> (b > 63 ? 63 : b))

static uint32_t reverse32(uint32_t v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}

static uint64_t reverse64(uint64_t v)
{
    return (uint64_t)reverse32((uint32_t)v) << 32 | reverse32((uint32_t)(v >> 32));
}

/* Position of the highest bit that differs from the sign, or all ones; `shift`: as the amount that
 * brings it to the top. */
static uint32_t find_bit(uint64_t v, unsigned width, bool is_signed, bool shift)
{
    if (is_signed && (v >> (width - 1) & 1) != 0) {
        v = ~v & (width == 64 ? UINT64_MAX : UINT32_MAX);
    }
    if (v == 0) {
        return UINT32_MAX;
    }
    uint32_t position = 63u - (uint32_t)__builtin_clzll(v);
    return shift ? width - 1 - position : position;
}

BITS1(popc_32, ptx_put32, uint32_t, lane_u32, __builtin_popcount(a))
BITS1(popc_64, ptx_put32, uint32_t, lane_u64, __builtin_popcountll(a))
BITS1(clz_32, ptx_put32, uint32_t, lane_u32, a == 0 ? 32 : __builtin_clz(a))
BITS1(clz_64, ptx_put32, uint32_t, lane_u64, a == 0 ? 64 : __builtin_clzll(a))
BITS1(brev_32, ptx_put32, uint32_t, lane_u32, reverse32(a))
BITS1(brev_64, ptx_put64, uint64_t, lane_u64, reverse64(a))
BITS1(bfind_32, ptx_put32, uint32_t, lane_u32,
      find_bit(a, 32, (op->mode & 1) != 0, (op->mode & 2) != 0))
BITS1(bfind_64, ptx_put32, uint32_t, lane_u64,
      find_bit(a, 64, (op->mode & 1) != 0, (op->mode & 2) != 0))

/* PTX ISA, bfe: bits beyond the width replicate the sign (or are zero). */
static uint64_t extract(uint64_t v, uint32_t pos, uint32_t len, unsigned width, bool is_signed)
{
    pos &= 0xff;
    len &= 0xff;
    uint32_t top = pos + len - 1 < width - 1 && len != 0 ? pos + len - 1 : width - 1;
    bool sign = is_signed && len != 0 && (v >> top & 1) != 0;
    uint64_t bits = pos >= width ? 0 : v >> pos;
    uint32_t have = pos >= width ? 0 : (len < width - pos ? len : width - pos);
    bits &= ptx_field_mask(have);
    return sign ? bits | ~ptx_field_mask(have) : bits;
}

static uint64_t insert(uint64_t field, uint64_t into, uint32_t pos, uint32_t len, unsigned width)
{
    pos &= 0xff;
    len &= 0xff;
    if (pos >= width) {
        return into;
    }
    uint64_t mask = ptx_field_mask(len) << pos;
    return (into & ~mask) | (field << pos & mask);
}

PTX_TERNARY(bfe_32, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            extract(a, b, c, 32, op->mode != 0))
PTX_TERNARY(bfe_64, ptx_put64, uint64_t, lane_u64, lane_u32, lane_u32,
            extract(a, b, c, 64, op->mode != 0))

static void bfi_32(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    const lane_u32 *pos = ptx_lanes(x, op->src[2]), *len = ptx_lanes(x, op->src[3]);
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = (uint32_t)insert(a[lane], b[lane], pos[lane], len[lane], 32);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static void bfi_64(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    const lane_u32 *pos = ptx_lanes(x, op->src[2]), *len = ptx_lanes(x, op->src[3]);
    uint64_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = insert(a[lane], b[lane], pos[lane], len[lane], 64);
    }
    ptx_put64(x, op->dst[0], r, mask);
}

/* Lowering */

static void fail_type(struct ptx_lower *lw, enum ptx_type type)
{
    PTX_LOWER_FAIL(lw, "%s does not take type %s", lw->statement->opcode, ptx_type_name(type));
}

static enum ptx_type take_bits_type(struct ptx_lower *lw, uint32_t low_bytes)
{
    enum ptx_type type = ptx_take_type(lw);
    if (type != PTX_PRED &&
        (ptx_type_is_float(type) || ptx_type_bytes(type) < low_bytes || ptx_type_bytes(type) > 8)) {
        fail_type(lw, type);
    }
    return type;
}

static void lower_logic(struct ptx_lower *lw, enum logic what, ptx_exec_fn *narrow,
                        ptx_exec_fn *wide)
{
    enum ptx_type type = take_bits_type(lw, 2);
    ptx_operand_count(lw, 3, 3);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT,
                                 type == PTX_PRED            ? exec_pred_logic
                                 : ptx_type_bytes(type) == 8 ? wide
                                                             : narrow);
    op->mode = (uint8_t)what;
    ptx_bind_plain(lw, op, type);
}

static void lower_and(struct ptx_lower *lw)
{
    lower_logic(lw, LOGIC_AND, and_32, and_64);
}
static void lower_or(struct ptx_lower *lw)
{
    lower_logic(lw, LOGIC_OR, or_32, or_64);
}
static void lower_xor(struct ptx_lower *lw)
{
    lower_logic(lw, LOGIC_XOR, xor_32, xor_64);
}

static void lower_not(struct ptx_lower *lw)
{
    enum ptx_type type = take_bits_type(lw, 2);
    ptx_operand_count(lw, 2, 2);
    ptx_exec_fn *exec = type == PTX_PRED            ? exec_pred_not
                        : ptx_type_bytes(type) == 8 ? not_64
                        : ptx_type_bytes(type) == 4 ? not_32
                                                    : not_16;
    ptx_bind_plain(lw, ptx_emit(lw, ISA_PIPE_INT, exec), type);
}

/* One source of 32 or 64 bits; the result has the type, or is 32 bits wide. */
static struct ptx_op *lower_one(struct ptx_lower *lw, ptx_exec_fn *narrow, ptx_exec_fn *wide,
                                uint32_t low_bytes, bool result_is_32, enum ptx_type *taken)
{
    enum ptx_type type = take_bits_type(lw, low_bytes);
    if (type == PTX_PRED) {
        fail_type(lw, type);
    }
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, ptx_type_bytes(type) == 8 ? wide : narrow);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), result_is_32 ? PTX_U32 : type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    *taken = type;
    return op;
}

static void lower_cnot(struct ptx_lower *lw)
{
    enum ptx_type type;
    lower_one(lw, cnot_32, cnot_64, 2, false, &type);
}

static void lower_popc(struct ptx_lower *lw)
{
    enum ptx_type type;
    lower_one(lw, popc_32, popc_64, 4, true, &type);
}

static void lower_clz(struct ptx_lower *lw)
{
    enum ptx_type type;
    lower_one(lw, clz_32, clz_64, 4, true, &type);
}

static void lower_brev(struct ptx_lower *lw)
{
    enum ptx_type type;
    lower_one(lw, brev_32, brev_64, 4, false, &type);
}

static void lower_bfind(struct ptx_lower *lw)
{
    enum ptx_type type;
    uint8_t shift = ptx_take(lw, ".shiftamt") ? 2 : 0;
    struct ptx_op *op = lower_one(lw, bfind_32, bfind_64, 4, true, &type);
    op->mode = (uint8_t)(shift | (ptx_type_is_signed(type) ? 1 : 0));
}

static void lower_shift(struct ptx_lower *lw, bool left)
{
    enum ptx_type type = take_bits_type(lw, 2);
    bool is_signed = ptx_type_is_signed(type);
    if (type == PTX_PRED) {
        fail_type(lw, type);
    }
    ptx_operand_count(lw, 3, 3);
    uint32_t bytes = ptx_type_bytes(type);
    ptx_exec_fn *exec = left         ? (bytes == 8   ? shl_64
                                        : bytes == 4 ? shl_32
                                                     : shl_16)
                        : bytes == 8 ? (is_signed ? shr_s64 : shr_u64)
                        : bytes == 4 ? (is_signed ? shr_s32 : shr_u32)
                                     : (is_signed ? shr_s16 : shr_u16);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), PTX_U32);
}

static void lower_shl(struct ptx_lower *lw)
{
    lower_shift(lw, true);
}
static void lower_shr(struct ptx_lower *lw)
{
    lower_shift(lw, false);
}

static void lower_bfe(struct ptx_lower *lw)
{
    enum ptx_type type = take_bits_type(lw, 4);
    if (type == PTX_PRED) {
        fail_type(lw, type);
    }
    ptx_operand_count(lw, 4, 4);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, ptx_type_bytes(type) == 8 ? bfe_64 : bfe_32);
    op->mode = ptx_type_is_signed(type);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), PTX_U32);
    ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), PTX_U32);
}

static void lower_bfi(struct ptx_lower *lw)
{
    enum ptx_type type = take_bits_type(lw, 4);
    if (type == PTX_PRED) {
        fail_type(lw, type);
    }
    ptx_operand_count(lw, 5, 5);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, ptx_type_bytes(type) == 8 ? bfi_64 : bfi_32);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
    ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), PTX_U32);
    ptx_bind_src(lw, op, 3, ptx_operand_at(lw, 4), PTX_U32);
}

const struct ptx_opcode ptx_opcodes_bits[] = {
    {"and", lower_and},   {"or", lower_or},     {"xor", lower_xor},     {"not", lower_not},
    {"cnot", lower_cnot}, {"shl", lower_shl},   {"shr", lower_shr},     {"popc", lower_popc},
    {"clz", lower_clz},   {"brev", lower_brev}, {"bfind", lower_bfind}, {"bfe", lower_bfe},
    {"bfi", lower_bfi},   {NULL, NULL}};
