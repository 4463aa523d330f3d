/* ptx_op_packed.c - numbers side by side in one register: .u16x2 and .s16x2, the minimum and maximum with
 * .relu, the SIMD video instructions on four bytes or two halfwords, .f32x2 (PTX ISA, "Integer
 * Arithmetic", "SIMD Video Instructions", "Floating Point Instructions").
 *
 * Of the video instructions those without a mask and without selectors, as compilers write them.
 */
#include <math.h>
#include <string.h>

#include "ptx/ptx_lower.h"
#include "ptx/ptx_op_float.h"
#include "ptx/ptx_op_int.h"

enum { PACKED_VIDEO_ADDS = 1 }; /* combine: a video instruction's fields are added up with c */

/* Field `f` of `bits` bits, with its sign or without. */
static int64_t field(uint32_t v, uint32_t f, uint32_t bits, bool is_signed)
{
    uint64_t up = (uint64_t)v << (64 - bits * (f + 1));
    return is_signed ? (int64_t)up >> (64 - bits) : (int64_t)(up >> (64 - bits));
}

static int64_t operate(enum ptx_packed what, int64_t a, int64_t b)
{
    switch (what) {
    case PTX_PACKED_ADD: return a + b;
    case PTX_PACKED_SUB: return a - b;
    case PTX_PACKED_MIN: return a < b ? a : b;
    case PTX_PACKED_MAX: return a > b ? a : b;
    case PTX_PACKED_AVERAGE: return (a + b + (a + b >= 0)) >> 1; /* rounded away from zero */
    case PTX_PACKED_DIFFERENCE:
    default: return a > b ? a - b : b - a;
    }
}

static int64_t into_range(int64_t v, uint32_t bits, bool is_signed)
{
    int64_t high = (INT64_C(1) << (bits - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
    return v > high ? high : v < low ? low : v;
}

static void exec_fields(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    const lane_u32 *c = op->src[2].used ? ptx_lanes(x, op->src[2]) : NULL;
    const uint32_t bits = op->element_bytes * 8u;
    const uint64_t ones = (UINT64_C(1) << bits) - 1;
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t packed = 0, sum = op->combine == PACKED_VIDEO_ADDS ? c[lane] : 0;
        for (uint32_t f = 0; f < 32 / bits; f++) {
            int64_t v = operate((enum ptx_packed)op->mode,
                                field(a[lane], f, bits, op->element_signed),
                                field(b[lane], f, bits, op->element_signed));
            v = op->saturates ? into_range(v, bits, op->type == PTX_S32) : v;
            v = op->flushes && v < 0 ? 0 : v; /* .relu */
            packed |= ((uint64_t)v & ones) << f * bits;
            sum += (uint64_t)v;
        }
        r[lane] = (uint32_t)(op->combine == PACKED_VIDEO_ADDS ? sum : packed);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

bool ptx_lower_packed(struct ptx_lower *lw, enum ptx_packed what)
{
    static const char *const words[] = {".u16x2", ".s16x2", NULL};
    bool relu = (what == PTX_PACKED_MIN || what == PTX_PACKED_MAX) && ptx_take(lw, ".relu");
    int word = ptx_take_word(lw, words);
    if (word < 0 && !relu) {
        return false;
    }
    if (word < 0 && ptx_take_type(lw) != PTX_S32) {
        PTX_LOWER_FAIL(lw, "%s: .relu is of .s16x2 and .s32", lw->statement->text);
    }
    ptx_operand_count(lw, 3, 3);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_fields);
    op->mode = (uint8_t)what;
    op->element_bytes = word < 0 ? 4 : 2;
    op->element_signed = word != 0;
    op->flushes = relu;
    ptx_bind_plain(lw, op, PTX_B32);
    return true;
}

/* ---- SIMD video ---- */

static void lower_video(struct ptx_lower *lw, enum ptx_packed what, uint32_t field_bytes)
{
    enum ptx_type to = ptx_take_type(lw), from = ptx_take_type(lw), other = ptx_take_type(lw);
    bool sat = ptx_take(lw, ".sat"), adds = ptx_take(lw, ".add");
    bool plain = (to == PTX_U32 || to == PTX_S32) && (from == PTX_U32 || from == PTX_S32);
    if (!plain || other != from) {
        PTX_LOWER_FAIL(lw, "%s: both sources must be .u32, or both .s32", lw->statement->text);
    }
    ptx_operand_count(lw, 4, 4);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_fields);
    op->mode = (uint8_t)what;
    op->element_bytes = (uint8_t)field_bytes;
    op->element_signed = from == PTX_S32;
    op->type = (uint8_t)to;
    op->saturates = sat;
    op->combine = adds ? PACKED_VIDEO_ADDS : 0;
    ptx_bind_plain(lw, op, PTX_B32);
}

#define VIDEO(name, what) \
    static void lower_##name##4(struct ptx_lower * lw) \
    { \
        lower_video(lw, what, 1); \
    } \
    static void lower_##name##2(struct ptx_lower * lw) \
    { \
        lower_video(lw, what, 2); \
    }
VIDEO(vadd, PTX_PACKED_ADD)
VIDEO(vsub, PTX_PACKED_SUB)
VIDEO(vmin, PTX_PACKED_MIN)
VIDEO(vmax, PTX_PACKED_MAX)
VIDEO(vavrg, PTX_PACKED_AVERAGE)
VIDEO(vabsdiff, PTX_PACKED_DIFFERENCE)

/* ---- .f32x2 ---- */

static float half_of_pair(uint64_t pair, unsigned k)
{
    uint32_t bits = (uint32_t)(pair >> 32 * k);
    float f;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

static float combine(enum ptx_packed what, float a, float b, float c)
{
    switch (what) {
    case PTX_PACKED_ADD: return a + b;
    case PTX_PACKED_SUB: return a - b;
    case PTX_PACKED_MUL: return a * b;
    default: return fmaf(a, b, c);
    }
}

static void exec_float_pair(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    const lane_u64 *c = op->src[2].used ? ptx_lanes(x, op->src[2]) : a;
    uint64_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = 0;
        for (unsigned k = 0; k < 2; k++) {
            float f = combine((enum ptx_packed)op->mode, half_of_pair(a[lane], k),
                              half_of_pair(b[lane], k), half_of_pair(c[lane], k));
            uint32_t bits;
            memcpy(&bits, &f, sizeof(bits));
            r[lane] |= (uint64_t)(isnan(f) ? 0x7fffffff : bits) << 32 * k;
        }
    }
    ptx_put64(x, op->dst[0], r, mask);
}

bool ptx_lower_float_pair(struct ptx_lower *lw, enum ptx_packed what)
{
    if (!ptx_take(lw, ".f32x2")) {
        return false;
    }
    ptx_take(lw, ".rn");
    uint32_t n = what == PTX_PACKED_FMA ? 4 : 3;
    ptx_operand_count(lw, n, n);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_FP32, exec_float_pair);
    op->mode = (uint8_t)what;
    ptx_bind_plain(lw, op, PTX_B64);
    return true;
}

const struct ptx_opcode ptx_opcodes_packed[] = {{"vadd4", lower_vadd4},
                                                {"vadd2", lower_vadd2},
                                                {"vsub4", lower_vsub4},
                                                {"vsub2", lower_vsub2},
                                                {"vmin4", lower_vmin4},
                                                {"vmin2", lower_vmin2},
                                                {"vmax4", lower_vmax4},
                                                {"vmax2", lower_vmax2},
                                                {"vavrg4", lower_vavrg4},
                                                {"vavrg2", lower_vavrg2},
                                                {"vabsdiff4", lower_vabsdiff4},
                                                {"vabsdiff2", lower_vabsdiff2},
                                                {NULL, NULL}};
