/* ptx_op_bits.c - logic, shifts, bit fields (PTX ISA, "Logic and Shift Instructions" and the bit
 * instructions of "Integer Arithmetic Instructions").
 */
#include "ptx/ptx_lower.h"

#define BITS1(name, put, T, L, expression) PTX_UNARY(name, put, T, L, expression)
#define BOTH2(name, expression)                                                     \
    PTX_BINARY(name##_32, ptx_put32, uint32_t, lane_u32, lane_u32, expression)      \
    PTX_BINARY(name##_64, ptx_put64, uint64_t, lane_u64, lane_u64, expression)

BOTH2(and, a & b)
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
BITS1(bfind_32, ptx_put32, uint32_t, lane_u32, find_bit(a, 32, (op->mode & 1) != 0, (op->mode & 2) != 0))
BITS1(bfind_64, ptx_put32, uint32_t, lane_u64, find_bit(a, 64, (op->mode & 1) != 0, (op->mode & 2) != 0))

static uint64_t field_mask(uint32_t n_bits)
{
    return n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}

/* PTX ISA, bfe: bits beyond the width replicate the sign (or are zero). */
static uint64_t extract(uint64_t v, uint32_t pos, uint32_t len, unsigned width, bool is_signed)
{
    pos &= 0xff;
    len &= 0xff;
    uint32_t top = pos + len - 1 < width - 1 && len != 0 ? pos + len - 1 : width - 1;
    bool sign = is_signed && len != 0 && (v >> top & 1) != 0;
    uint64_t bits = pos >= width ? 0 : v >> pos;
    uint32_t have = pos >= width ? 0 : (len < width - pos ? len : width - pos);
    bits &= field_mask(have);
    return sign ? bits | ~field_mask(have) : bits;
}

static uint64_t insert(uint64_t field, uint64_t into, uint32_t pos, uint32_t len, unsigned width)
{
    pos &= 0xff;
    len &= 0xff;
    if (pos >= width) {
        return into;
    }
    uint64_t mask = field_mask(len) << pos;
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

/* fns: position of the n-th set bit of a from base b, upwards (n > 0) or downwards (n < 0); n = 0
 * tests the base itself. */
static uint32_t find_nth(uint32_t bits, uint32_t base, int32_t n)
{
    if (base > 31) {
        return UINT32_MAX;
    }
    if (n == 0) {
        return (bits >> base & 1) != 0 ? base : UINT32_MAX;
    }
    int32_t step = n > 0 ? 1 : -1, left = n;
    for (int32_t at = (int32_t)base; at >= 0 && at < 32; at += step) {
        if ((bits >> at & 1) != 0) {
            left -= step;
            if (left == 0) {
                return (uint32_t)at;
            }
        }
    }
    return UINT32_MAX;
}

PTX_TERNARY(exec_fns, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            find_nth(a, b, (int32_t)c))

/* lop3: the table's bit number is (a, b, c). */
static uint32_t lookup3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t r = 0;
    r |= (table & 0x01) != 0 ? ~a & ~b & ~c : 0;
    r |= (table & 0x02) != 0 ? ~a & ~b & c : 0;
    r |= (table & 0x04) != 0 ? ~a & b & ~c : 0;
    r |= (table & 0x08) != 0 ? ~a & b & c : 0;
    r |= (table & 0x10) != 0 ? a & ~b & ~c : 0;
    r |= (table & 0x20) != 0 ? a & ~b & c : 0;
    r |= (table & 0x40) != 0 ? a & b & ~c : 0;
    r |= (table & 0x80) != 0 ? a & b & c : 0;
    return r;
}

PTX_TERNARY(exec_lop3, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            lookup3(a, b, c, (uint32_t)op->immediate))

enum prmt_mode { PRMT_INDEX, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };

/* The selector of byte `i` of the result: bits 0-2 a byte of {b,a}, bit 3 replicate its sign. */
static uint32_t prmt_selector(uint32_t mode, uint32_t c, uint32_t i)
{
    uint32_t n = c & 3;
    switch (mode) {
    case PRMT_F4E:
        return n + i;
    case PRMT_B4E:
        return (n - i) & 7;
    case PRMT_RC8:
        return n;
    case PRMT_ECL:
        return i < n ? n : i;
    case PRMT_ECR:
        return i > n ? n : i;
    case PRMT_RC16:
        return (n & 1) * 2 + (i & 1);
    default:
        return c >> (4 * i) & 15;
    }
}

static uint32_t permute(uint32_t a, uint32_t b, uint32_t c, uint32_t mode)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t selector = prmt_selector(mode, c, i);
        uint32_t byte = (uint32_t)(bytes >> (8 * (selector & 7))) & 0xff;
        if ((selector & 8) != 0) {
            byte = (byte & 0x80) != 0 ? 0xff : 0;
        }
        r |= byte << (8 * i);
    }
    return r;
}

PTX_TERNARY(exec_prmt, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            permute(a, b, c, op->mode))

/* Funnel shifts: a is the low word, b the high one. */
PTX_TERNARY(shf_l_wrap, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            ((uint64_t)b << 32 | a) << (c & 31) >> 32)
PTX_TERNARY(shf_l_clamp, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            ((uint64_t)b << 32 | a) << (c > 32 ? 32 : c) >> 32)
PTX_TERNARY(shf_r_wrap, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            ((uint64_t)b << 32 | a) >> (c & 31))
PTX_TERNARY(shf_r_clamp, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            ((uint64_t)b << 32 | a) >> (c > 32 ? 32 : c))

static uint32_t sign_extend(uint32_t v, uint32_t n, bool wraps, bool is_signed)
{
    n = wraps ? n & 31 : n > 32 ? 32 : n;
    if (n == 0) {
        return 0;
    }
    uint32_t mask = (uint32_t)field_mask(n);
    bool sign = is_signed && (v >> (n - 1) & 1) != 0;
    return sign ? v | ~mask : v & mask;
}

static uint32_t bit_mask(uint32_t pos, uint32_t len, bool wraps)
{
    pos = wraps ? pos & 31 : pos;
    len = wraps ? len & 31 : len;
    return pos > 31 ? 0 : (uint32_t)(field_mask(len > 32 ? 32 : len) << pos);
}

PTX_BINARY(exec_szext, ptx_put32, uint32_t, lane_u32, lane_u32,
           sign_extend(a, b, (op->mode & 2) != 0, (op->mode & 1) != 0))
PTX_BINARY(exec_bmsk, ptx_put32, uint32_t, lane_u32, lane_u32, bit_mask(a, b, op->mode != 0))

/* Lowering */

static void fail_type(struct ptx_lower *lw, enum ptx_type type)
{
    PTX_LOWER_FAIL(lw, "%s does not take type %s", lw->statement->opcode, ptx_type_name(type));
}

static enum ptx_type take_bits_type(struct ptx_lower *lw, uint32_t low_bytes)
{
    enum ptx_type type = ptx_take_type(lw);
    if (type != PTX_PRED && (ptx_type_is_float(type) || ptx_type_bytes(type) < low_bytes ||
                             ptx_type_bytes(type) > 8)) {
        fail_type(lw, type);
    }
    return type;
}

static void lower_logic(struct ptx_lower *lw, enum logic what, ptx_exec_fn *narrow, ptx_exec_fn *wide)
{
    enum ptx_type type = take_bits_type(lw, 2);
    ptx_operand_count(lw, 3, 3);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, type == PTX_PRED ? exec_pred_logic
                                                   : ptx_type_bytes(type) == 8 ? wide : narrow);
    op->mode = (uint8_t)what;
    ptx_bind_plain(lw, op, type);
}

static void lower_and(struct ptx_lower *lw) { lower_logic(lw, LOGIC_AND, and_32, and_64); }
static void lower_or(struct ptx_lower *lw) { lower_logic(lw, LOGIC_OR, or_32, or_64); }
static void lower_xor(struct ptx_lower *lw) { lower_logic(lw, LOGIC_XOR, xor_32, xor_64); }

static void lower_not(struct ptx_lower *lw)
{
    enum ptx_type type = take_bits_type(lw, 2);
    ptx_operand_count(lw, 2, 2);
    ptx_exec_fn *exec = type == PTX_PRED ? exec_pred_not
                        : ptx_type_bytes(type) == 8 ? not_64
                        : ptx_type_bytes(type) == 4 ? not_32 : not_16;
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
    ptx_exec_fn *exec = left ? (bytes == 8 ? shl_64 : bytes == 4 ? shl_32 : shl_16)
                        : bytes == 8 ? (is_signed ? shr_s64 : shr_u64)
                        : bytes == 4 ? (is_signed ? shr_s32 : shr_u32)
                                     : (is_signed ? shr_s16 : shr_u16);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), PTX_U32);
}

static void lower_shl(struct ptx_lower *lw) { lower_shift(lw, true); }
static void lower_shr(struct ptx_lower *lw) { lower_shift(lw, false); }

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

static struct ptx_op *lower_32(struct ptx_lower *lw, ptx_exec_fn *exec, uint32_t n_operands)
{
    enum ptx_type type = ptx_take_type(lw);
    if (ptx_type_bytes(type) != 4 || ptx_type_is_float(type)) {
        fail_type(lw, type);
    }
    ptx_operand_count(lw, n_operands, n_operands);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec);
    op->mode = ptx_type_is_signed(type);
    ptx_bind_plain(lw, op, PTX_U32);
    return op;
}

static void lower_fns(struct ptx_lower *lw) { lower_32(lw, exec_fns, 4); }

static void lower_lop3(struct ptx_lower *lw)
{
    enum ptx_type type = ptx_take_type(lw);
    ptx_operand_count(lw, 5, 5);
    const struct ptx_operand *table = ptx_operand_at(lw, 4);
    if (type != PTX_B32 || table->kind != PTX_OPERAND_INTEGER || table->value < 0 ||
        table->value > 255) {
        PTX_LOWER_FAIL(lw, "lop3 is lop3.b32 with a constant table from 0 to 255");
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_lop3);
    op->immediate = table->value;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    for (uint32_t i = 0; i < 3; i++) {
        ptx_bind_src(lw, op, i, ptx_operand_at(lw, i + 1), type);
    }
}

static void lower_prmt(struct ptx_lower *lw)
{
    static const char *const modes[] = {".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16", NULL};
    int mode = ptx_take_word(lw, modes);
    struct ptx_op *op = lower_32(lw, exec_prmt, 4);
    op->mode = (uint8_t)(mode < 0 ? PRMT_INDEX : mode + 1);
}

static void lower_shf(struct ptx_lower *lw)
{
    bool left = ptx_take(lw, ".l"), right = !left && ptx_take(lw, ".r");
    bool wraps = ptx_take(lw, ".wrap"), clamps = !wraps && ptx_take(lw, ".clamp");
    if ((!left && !right) || (!wraps && !clamps)) {
        PTX_LOWER_FAIL(lw, "shf needs .l or .r, and .wrap or .clamp");
    }
    lower_32(lw, left ? (wraps ? shf_l_wrap : shf_l_clamp) : (wraps ? shf_r_wrap : shf_r_clamp), 4);
}

static bool take_wrap(struct ptx_lower *lw)
{
    bool wraps = ptx_take(lw, ".wrap");
    if (!wraps && !ptx_take(lw, ".clamp")) {
        PTX_LOWER_FAIL(lw, "%s needs .wrap or .clamp", lw->statement->opcode);
    }
    return wraps;
}

static void lower_szext(struct ptx_lower *lw)
{
    bool wraps = take_wrap(lw);
    struct ptx_op *op = lower_32(lw, exec_szext, 3);
    op->mode = (uint8_t)(op->mode | (wraps ? 2 : 0));
}

static void lower_bmsk(struct ptx_lower *lw)
{
    bool wraps = take_wrap(lw);
    lower_32(lw, exec_bmsk, 3)->mode = wraps;
}

const struct ptx_opcode ptx_opcodes_bits[] = {
    {"and", lower_and},   {"or", lower_or},     {"xor", lower_xor},   {"not", lower_not},
    {"cnot", lower_cnot}, {"shl", lower_shl},   {"shr", lower_shr},   {"popc", lower_popc},
    {"clz", lower_clz},   {"brev", lower_brev}, {"bfind", lower_bfind}, {"bfe", lower_bfe},
    {"bfi", lower_bfi},   {"fns", lower_fns},   {"lop3", lower_lop3}, {"prmt", lower_prmt},
    {"shf", lower_shf},   {"szext", lower_szext}, {"bmsk", lower_bmsk}, {NULL, NULL}};
