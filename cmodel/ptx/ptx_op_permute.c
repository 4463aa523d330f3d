/* ptx_op_permute.c - bits from several words: lop3, prmt, funnel shifts, and fns, szext, bmsk
 * (PTX ISA, "Logic and Shift Instructions", "Integer Arithmetic Instructions", prmt).
 */
#include "ptx/ptx_int_math.h"
#include "ptx/ptx_lower.h"

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

PTX_TERNARY(exec_fns, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32, find_nth(a, b, (int32_t)c))

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
    case PRMT_F4E: return n + i;
    case PRMT_B4E: return (n - i) & 7;
    case PRMT_RC8: return n;
    case PRMT_ECL: return i < n ? n : i;
    case PRMT_ECR: return i > n ? n : i;
    case PRMT_RC16: return (n & 1) * 2 + (i & 1);
    default: return c >> (4 * i) & 15;
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
    uint32_t mask = (uint32_t)ptx_field_mask(n);
    bool sign = is_signed && (v >> (n - 1) & 1) != 0;
    return sign ? v | ~mask : v & mask;
}

static uint32_t bit_mask(uint32_t pos, uint32_t len, bool wraps)
{
    pos = wraps ? pos & 31 : pos;
    len = wraps ? len & 31 : len;
    return pos > 31 ? 0 : (uint32_t)(ptx_field_mask(len > 32 ? 32 : len) << pos);
}

PTX_BINARY(exec_szext, ptx_put32, uint32_t, lane_u32, lane_u32,
           sign_extend(a, b, (op->mode & 2) != 0, (op->mode & 1) != 0))
PTX_BINARY(exec_bmsk, ptx_put32, uint32_t, lane_u32, lane_u32, bit_mask(a, b, op->mode != 0))

static struct ptx_op *lower_32(struct ptx_lower *lw, ptx_exec_fn *exec, uint32_t n_operands)
{
    enum ptx_type type = ptx_take_type(lw);
    if (ptx_type_bytes(type) != 4 || ptx_type_is_float(type)) {
        PTX_LOWER_FAIL(lw, "%s does not take type %s", lw->statement->opcode, ptx_type_name(type));
    }
    ptx_operand_count(lw, n_operands, n_operands);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec);
    op->mode = ptx_type_is_signed(type);
    ptx_bind_plain(lw, op, PTX_U32);
    return op;
}

static void lower_fns(struct ptx_lower *lw)
{
    lower_32(lw, exec_fns, 4);
}

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

const struct ptx_opcode ptx_opcodes_permute[] = {
    {"fns", lower_fns},     {"lop3", lower_lop3}, {"prmt", lower_prmt}, {"shf", lower_shf},
    {"szext", lower_szext}, {"bmsk", lower_bmsk}, {NULL, NULL}};
