/* ptx_op_narrow.c - cvt to and from .e4m3x2 and .e5m2x2, and to .tf32 (PTX ISA, "cvt", "Alternate
 * Floating-Point Data Formats").
 *
 * .e4m3 has no infinity and one NaN, 0x7f; its largest number is 448.  .e5m2 is the upper byte of an
 * .f16.  Conversion to them saturates, as PTX demands.  .tf32 is an .f32 whose low 13 bits are zero.
 */
#include <math.h>
#include <string.h>

#include "ptx/ptx_half_math.h"
#include "ptx/ptx_lower.h"
#include "ptx/ptx_op_float.h"

enum { E4M3, E5M2 };
enum { TF32_DROPPED_BITS = 13, NAN8 = 0x7f };

static const struct {
    int fraction_bits, least_exponent;
    uint32_t most; /* the largest number's bits */
} formats[] = {[E4M3] = {3, -6, 0x7e}, [E5M2] = {2, -14, 0x7b}};

/* Nearest even; the sign of a NaN is lost. */
static uint32_t to_byte(double value, unsigned format)
{
    const int least = formats[format].least_exponent, bits = formats[format].fraction_bits;
    const double magnitude = fabs(value);
    const uint32_t sign = signbit(value) ? 0x80 : 0;
    if (isnan(value)) {
        return NAN8;
    }
    if (magnitude > 65536) {
        return sign | formats[format].most;
    }
    if (magnitude <= 0) {
        return sign;
    }
    const int exponent = ilogb(magnitude) < least ? least : ilogb(magnitude);
    const int scaled = (int)nearbyint(ldexp(magnitude, bits - exponent));
    const uint32_t code = (uint32_t)(scaled + ((exponent - least) << bits));
    return sign | (code < formats[format].most ? code : formats[format].most);
}

static uint32_t byte_to_half(uint32_t byte, unsigned format)
{
    if (format == E5M2) {
        return (byte & 0x7f) > 0x7c ? PTX_NAN_F16 : byte << 8;
    }
    if ((byte & 0x7f) == NAN8) {
        return PTX_NAN_F16;
    }
    int exponent = (int)(byte >> 3 & 15), fraction = (int)(byte & 7);
    double magnitude = exponent == 0 ? ldexp(fraction, -9) : ldexp(8 + fraction, exponent - 10);
    return ptx_round_double((byte & 0x80) != 0 ? -magnitude : magnitude, PTX_FORMAT_F16, 0);
}

static double relu(double v, const struct ptx_op *op)
{
    return op->combine && v <= 0 ? 0 : v; /* -0 becomes +0; a NaN stays */
}

static double float_lane(const struct ptx_exec *x, struct ptx_ref ref, unsigned lane)
{
    return (double)((const lane_f32 *)ptx_lanes(x, ref))[lane];
}

/* d = {a, b}: a in the upper byte. */
static void pair_from_floats(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = to_byte(relu(float_lane(x, op->src[0], lane), op), op->mode) << 8 |
                  to_byte(relu(float_lane(x, op->src[1], lane), op), op->mode);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static void pair_from_halves(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]);
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        double low = ptx_widen(a[lane] & 0xffff, PTX_FORMAT_F16);
        double high = ptx_widen(a[lane] >> 16, PTX_FORMAT_F16);
        r[lane] = to_byte(relu(high, op), op->mode) << 8 | to_byte(relu(low, op), op->mode);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static uint32_t half_relu(uint32_t half, const struct ptx_op *op)
{
    return op->combine && (half & 0x8000) != 0 && (half & 0x7fff) <= 0x7c00 ? 0 : half;
}

static void halves_from_pair(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]);
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = half_relu(byte_to_half(a[lane] >> 8 & 0xff, op->mode), op) << 16 |
                  half_relu(byte_to_half(a[lane] & 0xff, op->mode), op);
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* Nearest, ties away from zero or to even; .satfinite keeps what would become infinite finite. */
static void tf32_from_float(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]);
    const uint32_t low = (1u << TF32_DROPPED_BITS) - 1;
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint32_t magnitude = a[lane] & 0x7fffffff, sign = a[lane] & 0x80000000;
        if (op->combine && sign != 0 && magnitude <= 0x7f800000) {
            magnitude = sign = 0;
        }
        uint32_t odd = magnitude >> TF32_DROPPED_BITS & 1;
        uint32_t half = op->rounding == PTX_ROUND_NEAREST ? low / 2 + odd
                        : op->rounding == PTX_ROUND_ZERO  ? 0
                                                          : low / 2 + 1;
        uint32_t rounded = magnitude >= 0x7f800000 ? magnitude : (magnitude + half) & ~low;
        if (op->saturates && rounded == 0x7f800000) {
            rounded = 0x7f800000 - low - 1;
        }
        r[lane] = magnitude > 0x7f800000 ? PTX_NAN_F32 : sign | rounded;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* ---- lowering ---- */

static void lower_tf32(struct ptx_lower *lw)
{
    static const char *const words[] = {".rn", ".rz", ".rna", NULL};
    static const uint8_t modes[] = {PTX_ROUND_NEAREST, PTX_ROUND_ZERO, PTX_ROUND_UP};
    int word = ptx_take_word(lw, words);
    ptx_operand_count(lw, 2, 2);
    if (word < 0 || ptx_take_type(lw) != PTX_F32) {
        PTX_LOWER_FAIL(lw, "%s: .tf32 comes from .f32 by .rna, .rn or .rz", lw->statement->text);
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, tf32_from_float);
    op->rounding = modes[word]; /* .rna has a place that is free here */
    op->combine = ptx_take(lw, ".relu");
    op->saturates = ptx_take(lw, ".satfinite");
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_B32);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), PTX_F32);
}

static void lower_pair(struct ptx_lower *lw, unsigned format)
{
    enum ptx_type other = ptx_take_type(lw);
    bool finite = ptx_take(lw, ".satfinite"), from_floats = other == PTX_F32;
    ptx_take(lw, ".rn");
    if ((other != PTX_F32 && other != PTX_F16X2)) {
        PTX_LOWER_FAIL(lw, "%s converts .f32 or .f16x2 to pairs of bytes, and these to .f16x2",
                       lw->statement->text);
    }
    ptx_operand_count(lw, from_floats ? 3 : 2, from_floats ? 3 : 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT,
                                 from_floats ? pair_from_floats
                                 : finite    ? pair_from_halves
                                             : halves_from_pair);
    op->mode = (uint8_t)format;
    op->combine = ptx_take(lw, ".relu");
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), from_floats || finite ? PTX_B16 : PTX_B32);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1),
                 from_floats ? PTX_F32
                 : finite    ? PTX_B32
                             : PTX_B16);
    if (from_floats) {
        ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), PTX_F32);
    }
}

bool ptx_lower_narrow(struct ptx_lower *lw)
{
    static const char *const words[] = {".e4m3x2", ".e5m2x2", NULL};
    if (ptx_take(lw, ".tf32")) {
        lower_tf32(lw);
        return true;
    }
    int format = ptx_take_word(lw, words);
    if (format >= 0) {
        lower_pair(lw, (unsigned)format);
    }
    return format >= 0;
}
