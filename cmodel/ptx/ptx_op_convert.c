/* ptx_op_convert.c - cvt and cvt.pack (PTX ISA, "Data Movement and Conversion Instructions").
 *
 * Every conversion goes through one wide value per lane: an integer of 64 bits,
 * or a double (every narrower float is exact in it).  The frequent pairs have
 * functions of their own that vectorise.
 */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "ptx/ptx_half_math.h"
#include "ptx/ptx_lower.h"
#include "ptx/ptx_op_float.h"

static struct ptx_format_bits format_of(enum ptx_type type)
{
    return type == PTX_F16 ? PTX_FORMAT_F16 : type == PTX_BF16 ? PTX_FORMAT_BF16 : PTX_FORMAT_F32;
}

static uint64_t raw_lane(const struct ptx_exec *x, struct ptx_ref ref, unsigned lane)
{
    return ref.bytes == 8 ? ((const lane_u64 *)ptx_lanes(x, ref))[lane]
                          : ((const lane_u32 *)ptx_lanes(x, ref))[lane];
}

/* The low bytes of `raw` as a value of integer `type`, extended to 64 bits. */
static uint64_t extend(uint64_t raw, enum ptx_type type)
{
    unsigned shift = 64 - 8 * ptx_type_bytes(type);
    return ptx_type_is_signed(type) ? (uint64_t)((int64_t)(raw << shift) >> shift)
                                    : raw << shift >> shift;
}

static double widen(uint64_t raw, enum ptx_type type, bool flushes)
{
    if (type == PTX_F64) {
        double d;
        memcpy(&d, &raw, sizeof(d));
        return d;
    }
    uint32_t bits = (uint32_t)raw & (ptx_type_bytes(type) == 2 ? 0xffff : UINT32_MAX);
    if (type == PTX_F32) {
        bits = flushes && (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
        float f;
        memcpy(&f, &bits, sizeof(f));
        return (double)f;
    }
    return ptx_widen(bits, format_of(type));
}

/* The range of integer `type`, as 64-bit values of its signedness. */
static uint64_t highest(enum ptx_type type)
{
    unsigned bits = 8 * ptx_type_bytes(type);
    return (UINT64_MAX >> (64 - bits)) >> (ptx_type_is_signed(type) ? 1 : 0);
}

static uint64_t saturate_integer(uint64_t v, enum ptx_type from, enum ptx_type to)
{
    uint64_t high = highest(to), low = ptx_type_is_signed(to) ? ~high : 0;
    if (!ptx_type_is_signed(from)) {
        return v > high ? high : v;
    }
    int64_t s = (int64_t)v;
    if (s < 0) {
        return ptx_type_is_signed(to) ? (s < (int64_t)low ? low : v) : 0;
    }
    return v > high ? high : v;
}

static double round_integral(double v, uint8_t mode)
{
    switch (mode) {
    case PTX_ROUND_NEAREST: return rint(v);
    case PTX_ROUND_ZERO: return trunc(v);
    case PTX_ROUND_DOWN: return floor(v);
    default: return ceil(v);
    }
}

/* Clamped to the type; NaN as the manual's table says. */
static uint64_t float_to_integer(double v, enum ptx_type from, enum ptx_type to, uint8_t mode)
{
    unsigned bits = 8 * ptx_type_bytes(to);
    bool is_signed = ptx_type_is_signed(to);
    if (v != v) {
        return from == PTX_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    }
    v = round_integral(v, mode);
    double limit = ldexp(1.0, (int)bits - (is_signed ? 1 : 0)); /* first value above the range */
    if (v >= limit) {
        return highest(to);
    }
    if (is_signed) {
        return v < -limit ? ~highest(to) : (uint64_t)(int64_t)v;
    }
    return v <= 0 ? 0 : (uint64_t)v;
}

/* A 64-bit integer as a double that rounds to 24 bits or fewer as the integer itself would. */
static double integer_to_odd_double(uint64_t v, bool is_signed)
{
    bool negative = is_signed && (int64_t)v < 0;
    uint64_t magnitude = negative ? 0 - v : v;
    if (magnitude >> 53 != 0) {
        magnitude = (magnitude & ~UINT64_C(0x7ff)) | ((magnitude & 0x7ff) != 0 ? 0x800 : 0);
    }
    double d = (double)magnitude;
    return negative ? -d : d;
}

/* Under the rounding mode in force: kept out of line so that it cannot move out of it. */
static __attribute__((noinline)) void integers_to_doubles(const uint64_t *v, bool is_signed,
                                                          double *d)
{
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        d[lane] = is_signed ? (double)(int64_t)v[lane] : (double)v[lane];
    }
}

static double clamp_unit(double v)
{
    return v >= 1 ? 1 : v > 0 ? v : 0; /* NaN: 0 */
}

/* A double to the bits of float `type`. */
static uint64_t narrow(double v, const struct ptx_op *op)
{
    uint64_t bits;
    v = op->saturates ? clamp_unit(v) : v;
    if (op->type == PTX_F64) {
        memcpy(&bits, &v, sizeof(bits));
        return v != v ? PTX_NAN_F64 : bits;
    }
    bits = ptx_round_double(v, format_of((enum ptx_type)op->type), op->rounding);
    if (op->flushes && op->type == PTX_F32 && (bits & 0x7f800000) == 0) {
        bits &= 0x80000000;
    }
    if (op->combine == 1 && v < 0) { /* .relu */
        return 0;
    }
    return bits;
}

static void put_integers(struct ptx_exec *x, const struct ptx_op *op, const uint64_t *v,
                         uint32_t mask)
{
    uint32_t r[ISA_LANES], keep = op->mode == 2 ? 0xffff : UINT32_MAX;
    if (op->dst[0].bytes == 8) {
        ptx_put64(x, op->dst[0], v, mask);
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = (uint32_t)v[lane] & keep;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static void cvt_integer(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    enum ptx_type from = (enum ptx_type)op->from_type, to = (enum ptx_type)op->type;
    uint64_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t v = extend(raw_lane(x, op->src[0], lane), from);
        r[lane] = extend(op->saturates ? saturate_integer(v, from, to) : v, to);
    }
    put_integers(x, op, r, mask);
}

static void cvt_float_to_integer(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    enum ptx_type from = (enum ptx_type)op->from_type, to = (enum ptx_type)op->type;
    uint64_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        double v = widen(raw_lane(x, op->src[0], lane), from, op->flushes);
        r[lane] = extend(float_to_integer(v, from, to, op->rounding), to);
    }
    put_integers(x, op, r, mask);
}

static void cvt_integer_to_float(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    enum ptx_type from = (enum ptx_type)op->from_type;
    bool is_signed = ptx_type_is_signed(from);
    uint64_t v[ISA_LANES];
    double d[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        v[lane] = extend(raw_lane(x, op->src[0], lane), from);
    }
    if (op->type == PTX_F64) {
        fesetround(modes[op->rounding]);
        integers_to_doubles(v, is_signed, d);
        fesetround(FE_TONEAREST);
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        v[lane] = narrow(op->type == PTX_F64 ? d[lane] : integer_to_odd_double(v[lane], is_signed),
                         op);
    }
    put_integers(x, op, v, mask);
}

/* Float to float; `element_signed`: first to an integral value (.rni and kin). */
static void cvt_float(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    enum ptx_type from = (enum ptx_type)op->from_type;
    uint64_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        double v = widen(raw_lane(x, op->src[0], lane), from, op->flushes);
        r[lane] = narrow(op->element_signed ? round_integral(v, op->rounding) : v, op);
    }
    put_integers(x, op, r, mask);
}

/* cvt.f16x2.f32 d, a, b: a to the upper half. */
static void cvt_pair(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t high = narrow(widen(raw_lane(x, op->src[0], lane), PTX_F32, false), op);
        uint64_t low = narrow(widen(raw_lane(x, op->src[1], lane), PTX_F32, false), op);
        r[lane] = (uint32_t)(high << 16 | low);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* cvt.pack.sat.{u,s}{2,4,8,16}.s32: b and a saturated side by side, above them c. */
static void cvt_pack(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    unsigned bits = op->element_bytes;
    int64_t high = (INT64_C(1) << (bits - (op->element_signed ? 1 : 0))) - 1;
    int64_t low = op->element_signed ? -high - 1 : 0;
    uint32_t r[ISA_LANES], field = (UINT32_C(1) << bits) - 1;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        int64_t a = (int32_t)raw_lane(x, op->src[0], lane),
                b = (int32_t)raw_lane(x, op->src[1], lane);
        uint64_t c = op->src[2].used ? raw_lane(x, op->src[2], lane) : 0;
        a = a < low ? low : a > high ? high : a;
        b = b < low ? low : b > high ? high : b;
        r[lane] = (uint32_t)(c << (2 * bits)) | ((uint32_t)a & field) << bits |
                  ((uint32_t)b & field);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* Frequent pairs */
PTX_UNARY(s64_from_s32, ptx_put64, uint64_t, lane_s32, (int64_t)a)
PTX_UNARY(u64_from_u32, ptx_put64, uint64_t, lane_u32, a)
PTX_UNARY(u32_from_u64, ptx_put32, uint32_t, lane_u64, a)

static void f32_from_s32(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_s32 *a = ptx_lanes(x, op->src[0]);
    float r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = (float)a[lane];
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static void f32_from_u32(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]);
    float r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = (float)a[lane];
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static ptx_exec_fn *frequent(const struct ptx_op *op)
{
    enum ptx_type from = (enum ptx_type)op->from_type, to = (enum ptx_type)op->type;
    bool plain = !op->saturates && op->rounding == PTX_ROUND_NEAREST;
    uint32_t in = op->src[0].bytes, out = op->dst[0].bytes;
    if (!plain) {
        return NULL;
    }
    if (from == PTX_S32 && ptx_type_bytes(to) == 8 && !ptx_type_is_float(to) && in == 4) {
        return s64_from_s32;
    }
    if (from == PTX_U32 && ptx_type_bytes(to) == 8 && !ptx_type_is_float(to) && in == 4) {
        return u64_from_u32;
    }
    if (!ptx_type_is_float(from) && ptx_type_bytes(from) == 8 && in == 8 && out == 4 &&
        (to == PTX_U32 || to == PTX_S32)) {
        return u32_from_u64;
    }
    if (to == PTX_F32 && in == 4 && out == 4) {
        return from == PTX_S32 ? f32_from_s32 : from == PTX_U32 ? f32_from_u32 : NULL;
    }
    return NULL;
}

/* Lowering */

static void take_rounding(struct ptx_lower *lw, struct ptx_op *op)
{
    static const char *const words[] = {".rn",  ".rz",  ".rm",  ".rp", ".rni",
                                        ".rzi", ".rmi", ".rpi", NULL};
    int word = ptx_take_word(lw, words);
    if (ptx_take(lw, ".rna") || ptx_take(lw, ".rs") || ptx_take(lw, ".satfinite")) {
        PTX_LOWER_FAIL(lw, "%s: this rounding is not supported; use .rn", lw->statement->text);
    }
    op->rounding = (uint8_t)(word < 0 ? PTX_ROUND_NEAREST : word % 4);
    op->element_signed = word >= 4;
}

static void lower_pack(struct ptx_lower *lw)
{
    static const char *const words[] = {".u16", ".s16", ".u8", ".s8", ".u4",
                                        ".s4",  ".u2",  ".s2", NULL};
    bool sat = ptx_take(lw, ".sat");
    int word = ptx_take_word(lw, words);
    enum ptx_type from = ptx_take_type(lw);
    bool three = word >= 2;
    if (!sat || word < 0 || from != PTX_S32 || (three && !ptx_take(lw, ".b32"))) {
        PTX_LOWER_FAIL(lw, "%s is not a packing conversion that PTX has", lw->statement->text);
    }
    ptx_operand_count(lw, three ? 4 : 3, three ? 4 : 3);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, cvt_pack);
    op->element_bytes = (uint8_t)(16 >> (word / 2)); /* here: bits of a field */
    op->element_signed = word % 2 != 0;
    ptx_bind_plain(lw, op, PTX_B32);
}

static void lower_pair(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type to)
{
    ptx_operand_count(lw, 3, 3);
    if (op->from_type != PTX_F32) {
        PTX_LOWER_FAIL(lw, "%s converts from .f32 only", lw->statement->text);
    }
    op->exec = cvt_pair;
    op->type = (uint8_t)(to == PTX_F16X2 ? PTX_F16 : PTX_BF16);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), to);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), PTX_F32);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), PTX_F32);
}

static void check_types(struct ptx_lower *lw, enum ptx_type to, enum ptx_type from)
{
    bool bits = to == PTX_PRED || from == PTX_PRED || (to >= PTX_B8 && to <= PTX_B128) ||
                (from >= PTX_B8 && from <= PTX_B128);
    if (bits || from == PTX_F16X2 || from == PTX_BF16X2) {
        PTX_LOWER_FAIL(lw, "cvt does not convert %s to %s", ptx_type_name(from), ptx_type_name(to));
    }
}

static void lower_cvt(struct ptx_lower *lw)
{
    if (ptx_take(lw, ".pack")) {
        lower_pack(lw);
        return;
    }
    if (ptx_lower_narrow(lw)) {
        return;
    }
    enum ptx_type to = ptx_take_type(lw), from = ptx_take_type(lw);
    bool float_to = ptx_type_is_float(to), float_from = ptx_type_is_float(from);
    check_types(lw, to, from);
    struct ptx_op *op = ptx_emit(lw,
                                 to == PTX_F64 || from == PTX_F64 ? ISA_PIPE_FP64 : ISA_PIPE_INT,
                                 float_to ? (float_from ? cvt_float : cvt_integer_to_float)
                                          : (float_from ? cvt_float_to_integer : cvt_integer));
    take_rounding(lw, op);
    op->flushes = ptx_take(lw, ".ftz");
    op->saturates = ptx_take(lw, ".sat");
    op->combine = ptx_take(lw, ".relu");
    op->type = (uint8_t)to;
    op->from_type = (uint8_t)from;
    if (to == PTX_F16X2 || to == PTX_BF16X2) {
        lower_pair(lw, op, to);
        return;
    }
    ptx_operand_count(lw, 2, 2);
    const struct ptx_operand *d = ptx_operand_at(lw, 0);
    if (float_to) {
        ptx_bind_dst(lw, op, 0, d, to);
    } else {
        ptx_bind_dst_wide(lw, op, 0, d, to);
    }
    bool narrow_register = d->kind == PTX_OPERAND_REGISTER &&
                           ptx_type_bytes(lw->source->registers[d->reg].type) <= 2;
    op->mode = narrow_register ? 2 : 0;
    ptx_bind_src_wide(lw, op, 0, ptx_operand_at(lw, 1), from);
    ptx_exec_fn *fast = frequent(op);
    op->exec = fast != NULL ? fast : op->exec;
}

const struct ptx_opcode ptx_opcodes_convert[] = {{"cvt", lower_cvt}, {NULL, NULL}};
