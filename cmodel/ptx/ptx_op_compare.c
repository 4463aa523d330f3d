/* ptx_op_compare.c - setp and set (PTX ISA, "Comparison and Selection Instructions").
 *
 * A comparison is a function from two slots to a lane mask; both instructions
 * share them.  Half-precision types are widened first (ptx_op_half_compare.c).
 */
#include <string.h>

#include "ptx/ptx_compare.h"
#include "ptx/ptx_lower.h"

#define COMPARE(name, T, expression) \
    static uint32_t name(const void *pa, const void *pb) \
    { \
        const T *va = pa, *vb = pb; \
        uint32_t r = 0; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            T a = va[lane], b = vb[lane]; \
            r |= (expression) ? ptx_lane_bit[lane] : 0; \
        } \
        return r; \
    }

#define COMPARE_ORDERED(type, T) \
    COMPARE(eq_##type, T, a == b) \
    COMPARE(ne_##type, T, a != b) \
    COMPARE(lt_##type, T, a < b) \
    COMPARE(le_##type, T, a <= b) \
    COMPARE(gt_##type, T, a > b) \
    COMPARE(ge_##type, T, a >= b)

#define COMPARE_FLOAT(type, T) \
    COMPARE(eq_##type, T, a == b) \
    COMPARE(ne_##type, T, a<b || a> b) \
    COMPARE(lt_##type, T, a < b) \
    COMPARE(le_##type, T, a <= b) \
    COMPARE(gt_##type, T, a > b) \
    COMPARE(ge_##type, T, a >= b) \
    COMPARE(equ_##type, T, !(a < b || a > b)) \
    COMPARE(neu_##type, T, a != b) \
    COMPARE(ltu_##type, T, !(a >= b)) \
    COMPARE(leu_##type, T, !(a > b)) \
    COMPARE(gtu_##type, T, !(a <= b)) \
    COMPARE(geu_##type, T, !(a < b)) \
    COMPARE(num_##type, T, a == a && b == b) \
    COMPARE(nan_##type, T, a != a || b != b)

COMPARE_ORDERED(u32, lane_u32)
COMPARE_ORDERED(s32, lane_s32)
COMPARE_ORDERED(u64, lane_u64)
COMPARE_ORDERED(s64, lane_s64)
COMPARE_FLOAT(f32, lane_f32)
COMPARE_FLOAT(f64, lane_f64)

/* Signed 16-bit values: shift the sign bit to the top, order stays. */
#define COMPARE_S16(name) \
    static uint32_t name##_s16(const void *pa, const void *pb) \
    { \
        const lane_u32 *va = pa, *vb = pb; \
        uint32_t a[ISA_LANES], b[ISA_LANES]; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            a[lane] = va[lane] << 16; \
            b[lane] = vb[lane] << 16; \
        } \
        return name##_s32(a, b); \
    }
COMPARE_S16(lt)
COMPARE_S16(le)
COMPARE_S16(gt)
COMPARE_S16(ge)

/* Words in the order of enum ptx_comparison. */
static const char *const comparison_words[] = {
    ".eq",  ".ne",  ".lt",  ".le",  ".gt",  ".ge",  ".lo",  ".ls",  ".hi", ".hs",
    ".equ", ".neu", ".ltu", ".leu", ".gtu", ".geu", ".num", ".nan", NULL};

#define ORDERED_ROW(t) \
    { \
        [PTX_EQ] = eq_##t, [PTX_NE] = ne_##t, [PTX_LT] = lt_##t, [PTX_LE] = le_##t, \
        [PTX_GT] = gt_##t, [PTX_GE] = ge_##t \
    }
#define UNSIGNED_ROW(t) \
    { \
        [PTX_EQ] = eq_##t, [PTX_NE] = ne_##t, [PTX_LT] = lt_##t, [PTX_LE] = le_##t, \
        [PTX_GT] = gt_##t, [PTX_GE] = ge_##t, [PTX_LO] = lt_##t, [PTX_LS] = le_##t, \
        [PTX_HI] = gt_##t, [PTX_HS] = ge_##t \
    }
#define FLOAT_ROW(t) \
    { \
        [PTX_EQ] = eq_##t, [PTX_NE] = ne_##t, [PTX_LT] = lt_##t, [PTX_LE] = le_##t, \
        [PTX_GT] = gt_##t, [PTX_GE] = ge_##t, [PTX_EQU] = equ_##t, [PTX_NEU] = neu_##t, \
        [PTX_LTU] = ltu_##t, [PTX_LEU] = leu_##t, [PTX_GTU] = gtu_##t, [PTX_GEU] = geu_##t, \
        [PTX_NUM] = num_##t, [PTX_NAN] = nan_##t \
    }

ptx_compare_fn *ptx_comparison_of(enum ptx_comparison comparison, enum ptx_type type)
{
    static ptx_compare_fn *const table[PTX_TYPE_COUNT][PTX_COMPARISONS] = {
        [PTX_B16] = {[PTX_EQ] = eq_u32, [PTX_NE] = ne_u32},
        [PTX_B32] = {[PTX_EQ] = eq_u32, [PTX_NE] = ne_u32},
        [PTX_B64] = {[PTX_EQ] = eq_u64, [PTX_NE] = ne_u64},
        [PTX_U16] = UNSIGNED_ROW(u32),
        [PTX_U32] = UNSIGNED_ROW(u32),
        [PTX_U64] = UNSIGNED_ROW(u64),
        [PTX_S16] = {[PTX_EQ] = eq_u32,
                     [PTX_NE] = ne_u32,
                     [PTX_LT] = lt_s16,
                     [PTX_LE] = le_s16,
                     [PTX_GT] = gt_s16,
                     [PTX_GE] = ge_s16},
        [PTX_S32] = ORDERED_ROW(s32),
        [PTX_S64] = ORDERED_ROW(s64),
        [PTX_F32] = FLOAT_ROW(f32),
        [PTX_F64] = FLOAT_ROW(f64)};
    return table[type][comparison];
}

/* .ftz: denormal inputs count as zero. */
static const void *flushed(const struct ptx_exec *x, const struct ptx_op *op, uint32_t k,
                           uint32_t *room)
{
    const lane_u32 *from = ptx_lanes(x, op->src[k]);
    if (!op->flushes) {
        return from;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint32_t v = from[lane];
        room[lane] = (v & 0x7f800000) == 0 ? v & 0x80000000 : v;
    }
    return room;
}

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

uint8_t ptx_take_combination(struct ptx_lower *lw)
{
    static const char *const combinations[] = {".and", ".or", ".xor", NULL};
    return (uint8_t)(ptx_take_word(lw, combinations) + 1);
}

uint32_t ptx_combined(uint32_t r, uint32_t c, uint8_t how)
{
    return how == COMBINE_AND ? r & c : how == COMBINE_OR ? r | c : how == COMBINE_XOR ? r ^ c : r;
}

static uint32_t compare(struct ptx_exec *x, const struct ptx_op *op)
{
    uint32_t a[ISA_LANES], b[ISA_LANES];
    return op->compare(flushed(x, op, 0, a), flushed(x, op, 1, b));
}

static void exec_setp(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r = compare(x, op);
    uint32_t c = op->combine == COMBINE_NONE ? 0 : ptx_mask_of(x, op->src[2]);
    ptx_put_mask(x, op->dst[0], ptx_combined(r, c, op->combine), mask);
    if (op->dst[1].used) {
        ptx_put_mask(x, op->dst[1], ptx_combined(~r, c, op->combine), mask);
    }
}

static void exec_set(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r = compare(x, op), result[ISA_LANES];
    uint32_t c = op->combine == COMBINE_NONE ? 0 : ptx_mask_of(x, op->src[2]);
    r = ptx_combined(r, c, op->combine);
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        result[lane] = (r & ptx_lane_bit[lane]) != 0 ? (uint32_t)op->immediate : 0;
    }
    ptx_put32(x, op->dst[0], result, mask);
}

/* Comparison, combination, .ftz and the compared type, in any order the manual allows. */
static enum ptx_type take_comparison(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type type)
{
    int which = ptx_take_word(lw, comparison_words);
    op->flushes = ptx_take(lw, ".ftz");
    op->combine = ptx_take_combination(lw);
    op->compare = which < 0 ? NULL : ptx_comparison_of((enum ptx_comparison)which, type);
    if (op->compare == NULL || (op->flushes && type != PTX_F32)) {
        PTX_LOWER_FAIL(lw, "%s is not a comparison that PTX has", lw->statement->text);
    }
    return type;
}

static void bind_comparison(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type type)
{
    bool combines = op->combine != COMBINE_NONE;
    ptx_operand_count(lw, combines ? 4 : 3, combines ? 4 : 3);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
    if (combines) {
        ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), PTX_PRED);
    }
}

static enum isa_pipe pipe_of(enum ptx_type type)
{
    return type == PTX_F64 ? ISA_PIPE_FP64 : type == PTX_F32 ? ISA_PIPE_FP32 : ISA_PIPE_INT;
}

static void lower_setp(struct ptx_lower *lw)
{
    enum ptx_type type = ptx_take_type(lw);
    if (ptx_type_is_half(type)) {
        ptx_lower_half_setp(lw, type);
        return;
    }
    struct ptx_op *op = ptx_emit(lw, pipe_of(type), exec_setp);
    take_comparison(lw, op, type);
    const struct ptx_operand *d = ptx_operand_at(lw, 0);
    ptx_bind_dst(lw, op, 0, d, PTX_PRED);
    if (d->pair != NULL) {
        ptx_bind_dst(lw, op, 1, d->pair, PTX_PRED);
    }
    bind_comparison(lw, op, type);
}

/* What `true` is in a result of this type; 0: set has no such results. */
static uint32_t true_of(enum ptx_type result)
{
    switch (result) {
    case PTX_U32:
    case PTX_S32: return 0xffffffff;
    case PTX_F32: return 0x3f800000;
    case PTX_F16: return 0x3c00;
    case PTX_BF16: return 0x3f80;
    default: return 0;
    }
}

static void lower_set(struct ptx_lower *lw)
{
    enum ptx_type result = ptx_take_type(lw), type = ptx_take_type(lw);
    if (ptx_type_is_half(type)) {
        ptx_lower_half_set(lw, result, type);
        return;
    }
    if (true_of(result) == 0) {
        PTX_LOWER_FAIL(lw, "set gives .u32, .s32, .f32, .f16 or .bf16");
    }
    struct ptx_op *op = ptx_emit(lw, pipe_of(type), exec_set);
    op->immediate = true_of(result);
    take_comparison(lw, op, type);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), result);
    bind_comparison(lw, op, type);
}

int ptx_take_comparison_word(struct ptx_lower *lw)
{
    return ptx_take_word(lw, comparison_words);
}

/* testp: the class of a float. */
enum float_class {
    CLASS_FINITE,
    CLASS_INFINITE,
    CLASS_NUMBER,
    CLASS_NOTANUMBER,
    CLASS_NORMAL,
    CLASS_SUBNORMAL
};

static bool in_class(uint64_t magnitude, uint64_t infinity, uint64_t smallest_normal, uint8_t class)
{
    switch (class) {
    case CLASS_FINITE: return magnitude < infinity;
    case CLASS_INFINITE: return magnitude == infinity;
    case CLASS_NUMBER: return magnitude <= infinity;
    case CLASS_NOTANUMBER: return magnitude > infinity;
    case CLASS_NORMAL: return magnitude >= smallest_normal && magnitude < infinity;
    default: return magnitude < smallest_normal && magnitude != 0;
    }
}

static void exec_testp(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r = 0;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        bool yes = op->type == PTX_F64
                       ? in_class(((const lane_u64 *)ptx_lanes(x, op->src[0]))[lane] << 1 >> 1,
                                  UINT64_C(0x7ff) << 52, UINT64_C(1) << 52, op->mode)
                       : in_class(((const lane_u32 *)ptx_lanes(x, op->src[0]))[lane] & 0x7fffffff,
                                  UINT64_C(0x7f800000), UINT64_C(0x00800000), op->mode);
        r |= yes ? ptx_lane_bit[lane] : 0;
    }
    ptx_put_mask(x, op->dst[0], r, mask);
}

static void lower_testp(struct ptx_lower *lw)
{
    static const char *const classes[] = {".finite", ".infinite",  ".number", ".notanumber",
                                          ".normal", ".subnormal", NULL};
    int class = ptx_take_word(lw, classes);
    enum ptx_type type = ptx_take_type(lw);
    if (class < 0 || (type != PTX_F32 && type != PTX_F64)) {
        PTX_LOWER_FAIL(lw, "%s is not a test that PTX has", lw->statement->text);
    }
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = ptx_emit(lw, pipe_of(type), exec_testp);
    op->mode = (uint8_t) class;
    op->type = (uint8_t)type;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_PRED);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
}

const struct ptx_opcode ptx_opcodes_compare[] = {
    {"setp", lower_setp}, {"set", lower_set}, {"testp", lower_testp}, {NULL, NULL}};
