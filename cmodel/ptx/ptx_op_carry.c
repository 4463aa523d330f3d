/* ptx_op_carry.c - add, sub and mad with the carry flag CC.CF (PTX ISA, "Extended-Precision Integer
 * Arithmetic Instructions").
 *
 * CC.CF is a hidden predicate of the function.
 */
#include "ptx/ptx_int_math.h"
#include "ptx/ptx_op_int.h"

/* Extended precision: dst[1] is the carry out, src[3] the carry in (masks); `mode` bit 0: carry in,
 * bit 1: carry out; subtraction adds the complement and keeps the carry inverted (a borrow). */
static void exec_carry32(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    uint32_t in = (op->mode & 1) != 0 ? ptx_mask_of(x, op->src[3]) : 0, out = 0;
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t carry = in >> lane & 1;
        uint64_t sum = (op->mode & 4) != 0 ? (uint64_t)a[lane] - b[lane] - carry
                                           : (uint64_t)a[lane] + b[lane] + carry;
        r[lane] = (uint32_t)sum;
        out |= (uint32_t)(sum >> 32 & 1) << lane;
    }
    ptx_put32(x, op->dst[0], r, mask);
    if ((op->mode & 2) != 0) {
        ptx_put_mask(x, op->dst[1], out, mask);
    }
}

static void exec_carry64(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    uint32_t in = (op->mode & 1) != 0 ? ptx_mask_of(x, op->src[3]) : 0, out = 0;
    uint64_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t carry = in >> lane & 1;
        unsigned __int128 sum = (op->mode & 4) != 0 ? (unsigned __int128)a[lane] - b[lane] - carry
                                                    : (unsigned __int128)a[lane] + b[lane] + carry;
        r[lane] = (uint64_t)sum;
        out |= (uint32_t)(sum >> 64 & 1) << lane;
    }
    ptx_put64(x, op->dst[0], r, mask);
    if ((op->mode & 2) != 0) {
        ptx_put_mask(x, op->dst[1], out, mask);
    }
}

/* mad.cc, madc: the product's half in `combine` (enum ptx_part), its sign in `from_type`. */
static void exec_mad_carry(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    bool wide = op->dst[0].bytes == 8, is_signed = ptx_type_is_signed(op->type);
    uint32_t in = (op->mode & 1) != 0 ? ptx_mask_of(x, op->src[3]) : 0, out = 0;
    uint64_t r64[ISA_LANES];
    uint32_t r32[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t carry = in >> lane & 1;
        if (wide) {
            uint64_t a = ((const lane_u64 *)ptx_lanes(x, op->src[0]))[lane];
            uint64_t b = ((const lane_u64 *)ptx_lanes(x, op->src[1]))[lane];
            uint64_t c = ((const lane_u64 *)ptx_lanes(x, op->src[2]))[lane];
            uint64_t half = op->combine == PTX_PART_LO ? a * b
                            : is_signed                ? ptx_mul_hi_s64(a, b)
                                                       : ptx_mul_hi_u64(a, b);
            unsigned __int128 sum = (unsigned __int128)half + c + carry;
            r64[lane] = (uint64_t)sum;
            out |= (uint32_t)(sum >> 64 & 1) << lane;
        } else {
            uint32_t a = ((const lane_u32 *)ptx_lanes(x, op->src[0]))[lane];
            uint32_t b = ((const lane_u32 *)ptx_lanes(x, op->src[1]))[lane];
            uint32_t c = ((const lane_u32 *)ptx_lanes(x, op->src[2]))[lane];
            uint64_t product = is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b)
                                         : (uint64_t)a * b;
            uint64_t half = op->combine == PTX_PART_LO ? (uint32_t)product : product >> 32;
            uint64_t sum = half + c + carry;
            r32[lane] = (uint32_t)sum;
            out |= (uint32_t)(sum >> 32 & 1) << lane;
        }
    }
    if (wide) {
        ptx_put64(x, op->dst[0], r64, mask);
    } else {
        ptx_put32(x, op->dst[0], r32, mask);
    }
    if ((op->mode & 2) != 0) {
        ptx_put_mask(x, op->dst[1], out, mask);
    }
}

static const char *const part_words[] = {".lo", ".hi", ".wide", NULL};

enum ptx_part ptx_take_part(struct ptx_lower *lw)
{
    int part = ptx_take_word(lw, part_words);
    if (part < 0) {
        PTX_LOWER_FAIL(lw, "%s needs .lo, .hi or .wide", lw->statement->text);
    }
    return (enum ptx_part)part;
}

void ptx_bind_mad(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type type, enum ptx_type sum)
{
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), sum);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
    ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), sum);
}

void ptx_lower_carry_sum(struct ptx_lower *lw, bool subtract, bool carry_in)
{
    bool carry_out = ptx_take(lw, ".cc");
    enum ptx_type type = ptx_take_type(lw);
    bool wide = ptx_type_bytes(type) == 8;
    if (ptx_type_bytes(type) < 4 || ptx_type_is_float(type)) {
        PTX_LOWER_FAIL(lw, "%s does not take type %s", lw->statement->opcode, ptx_type_name(type));
    }
    ptx_operand_count(lw, 3, 3);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, wide ? exec_carry64 : exec_carry32);
    op->mode = (uint8_t)(carry_in | carry_out << 1 | subtract << 2);
    ptx_bind_plain(lw, op, type);
    ptx_bind_carry(lw, op, carry_out ? 1 : -1, carry_in ? 3 : -1);
}

void ptx_lower_carry_mad(struct ptx_lower *lw, bool carry_in)
{
    enum ptx_part part = ptx_take_part(lw);
    bool carry_out = ptx_take(lw, ".cc");
    enum ptx_type type = ptx_take_type(lw);
    if (part == PTX_PART_WIDE || ptx_type_bytes(type) < 4 || ptx_type_is_float(type)) {
        PTX_LOWER_FAIL(lw, "%s is not a multiply with carry that PTX has", lw->statement->text);
    }
    ptx_operand_count(lw, 4, 4);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_mad_carry);
    op->mode = (uint8_t)(carry_in | carry_out << 1);
    op->combine = (uint8_t)part;
    op->type = (uint8_t)type;
    ptx_bind_mad(lw, op, type, type);
    ptx_bind_carry(lw, op, carry_out ? 1 : -1, carry_in ? 3 : -1);
}

static void lower_addc(struct ptx_lower *lw)
{
    ptx_lower_carry_sum(lw, false, true);
}
static void lower_subc(struct ptx_lower *lw)
{
    ptx_lower_carry_sum(lw, true, true);
}
static void lower_madc(struct ptx_lower *lw)
{
    ptx_lower_carry_mad(lw, true);
}

const struct ptx_opcode ptx_opcodes_carry[] = {
    {"addc", lower_addc}, {"subc", lower_subc}, {"madc", lower_madc}, {NULL, NULL}};
