/* ptx_op_float.c - .f32 and .f64 arithmetic (PTX ISA, "Floating Point Instructions").
 *
 * Round-to-nearest operations are plain C arithmetic; the other modes run the
 * same function under fesetround, .sat clamps its result.  A fused multiply-add
 * of .f32 goes through double, rounded to odd.  Approximate instructions give
 * the correctly rounded result.
 */
#include "ptx/ptx_op_float.h"
#include "ptx/ptx_op_int.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "ptx/ptx_half_math.h"

static inline uint32_t bits_of32(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return v != v ? PTX_NAN_F32 : bits;
}

static inline uint64_t bits_of64(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return v != v ? PTX_NAN_F64 : bits;
}

static inline uint32_t flush_bits(uint32_t bits)
{
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

static inline float flush(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof(bits));
    bits = flush_bits(bits);
    memcpy(&v, &bits, sizeof(v));
    return v;
}

#define KEEP(v) (v)
#define F32_1_AS(name, in, out, expression) \
    static void name(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask) \
    { \
        const lane_f32 *pa = ptx_lanes(x, op->src[0]); \
        uint32_t r[ISA_LANES]; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            float a = in(pa[lane]); \
            r[lane] = out(bits_of32((float)(expression))); \
        } \
        ptx_put32(x, op->dst[0], r, mask); \
    }
#define F32_2_AS(name, in, out, expression) \
    static void name(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask) \
    { \
        const lane_f32 *pa = ptx_lanes(x, op->src[0]), *pb = ptx_lanes(x, op->src[1]); \
        uint32_t r[ISA_LANES]; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            float a = in(pa[lane]), b = in(pb[lane]); \
            r[lane] = out(bits_of32((float)(expression))); \
        } \
        ptx_put32(x, op->dst[0], r, mask); \
    }
/* Each operation with denormals kept and flushed. */
#define F32_1(name, expression) \
    F32_1_AS(name##_f32, KEEP, KEEP, expression) \
    F32_1_AS(name##_ftz, flush, flush_bits, expression)
#define F32_2(name, expression) \
    F32_2_AS(name##_f32, KEEP, KEEP, expression) \
    F32_2_AS(name##_ftz, flush, flush_bits, expression)
#define F64_1(name, expression) \
    PTX_UNARY(name##_f64, ptx_put64, uint64_t, lane_f64, bits_of64(expression))
#define F64_2(name, expression) \
    PTX_BINARY(name##_f64, ptx_put64, uint64_t, lane_f64, lane_f64, bits_of64(expression))

/* NaN loses against a number; -0 is less than +0. */
#define MIN_OF(a, b) \
    ((a) != (a) ? (b) : (b) != (b) ? (a) : (a) < (b) || ((a) == (b) && signbit(a)) ? (a) : (b))
#define MAX_OF(a, b) \
    ((a) != (a) ? (b) : (b) != (b) ? (a) : (a) > (b) || ((a) == (b) && signbit(b)) ? (a) : (b))
#define NAN_OR(a, b, v) ((a) != (a) ? (a) : (b) != (b) ? (b) : (v))

F32_2(add, a + b)
F32_2(sub, a - b)
F32_2(mul, a *b)
F32_2(div, a / b)
F32_2(min, MIN_OF(a, b))
F32_2(max, MAX_OF(a, b))
F32_2(min_nan, NAN_OR(a, b, MIN_OF(a, b)))
F32_2(max_nan, NAN_OR(a, b, MAX_OF(a, b)))
F64_2(add, a + b)
F64_2(sub, a - b)
F64_2(mul, a *b)
F64_2(div, a / b)
F64_2(min, MIN_OF(a, b))
F64_2(max, MAX_OF(a, b))

F32_1(rcp, 1.0f / a)
F32_1(sqrt, sqrtf(a))
F32_1(rsqrt, 1.0 / sqrt((double)a))
F32_1(sin, sin((double)a))
F32_1(cos, cos((double)a))
F32_1(ex2, exp2((double)a))
F32_1(lg2, log2((double)a))
F32_1(tanh, tanh((double)a))
F64_1(rcp, 1.0 / a)
F64_1(sqrt, sqrt(a))
F64_1(rsqrt, 1.0 / sqrt(a))

PTX_TERNARY(fma_f64, ptx_put64, uint64_t, lane_f64, lane_f64, lane_f64, bits_of64(fma(a, b, c)))

#define FMA_F32(name, in, out) \
    static void name(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask) \
    { \
        const lane_f32 *pa = ptx_lanes(x, op->src[0]), *pb = ptx_lanes(x, op->src[1]); \
        const lane_f32 *pc = ptx_lanes(x, op->src[2]); \
        uint32_t r[ISA_LANES]; \
        for (unsigned lane = 0; lane < ISA_LANES; lane++) { \
            float a = in(pa[lane]), b = in(pb[lane]), c = in(pc[lane]); \
            r[lane] = out(bits_of32((float)ptx_fma_odd((double)a, (double)b, (double)c))); \
        } \
        ptx_put32(x, op->dst[0], r, mask); \
    }
FMA_F32(fma_f32, KEEP, KEEP)
FMA_F32(fma_ftz, flush, flush_bits)

/* fma.rz and kin: the exact sum, rounded to odd, rounded as asked. */
static void fma_f32_directed(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_f32 *pa = ptx_lanes(x, op->src[0]), *pb = ptx_lanes(x, op->src[1]);
    const lane_f32 *pc = ptx_lanes(x, op->src[2]);
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        float a = pa[lane], b = pb[lane], c = pc[lane];
        a = op->flushes ? flush(a) : a;
        b = op->flushes ? flush(b) : b;
        c = op->flushes ? flush(c) : c;
        double sum = ptx_fma_odd((double)a, (double)b, (double)c);
        /* An exact zero of opposite terms takes its sign from the mode (IEEE 754, 6.3). */
        double product = (double)a * (double)b;
        bool cancels = sum == 0 && (signbit(product) != 0) != (signbit(c) != 0);
        sum = cancels ? (op->rounding == PTX_ROUND_DOWN ? -0.0 : 0.0) : sum;
        uint32_t bits = ptx_round_double(sum, PTX_FORMAT_F32, op->rounding);
        r[lane] = op->flushes ? flush_bits(bits) : bits;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* Sign operations keep every other bit. */
PTX_UNARY(neg_f32, ptx_put32, uint32_t, lane_u32, a ^ 0x80000000)
PTX_UNARY(neg_ftz, ptx_put32, uint32_t, lane_u32, flush_bits(a) ^ 0x80000000)
PTX_UNARY(neg_f64, ptx_put64, uint64_t, lane_u64, a ^ UINT64_C(1) << 63)
PTX_UNARY(abs_f32, ptx_put32, uint32_t, lane_u32, a & 0x7fffffff)
PTX_UNARY(abs_ftz, ptx_put32, uint32_t, lane_u32, flush_bits(a) & 0x7fffffff)
PTX_UNARY(abs_f64, ptx_put64, uint64_t, lane_u64, a & ~(UINT64_C(1) << 63))
PTX_BINARY(copysign_f32, ptx_put32, uint32_t, lane_u32, lane_u32,
           (a & 0x80000000) | (b & 0x7fffffff))
PTX_BINARY(copysign_f64, ptx_put64, uint64_t, lane_u64, lane_u64,
           (a & UINT64_C(1) << 63) | (b & ~(UINT64_C(1) << 63)))

static void saturate_result(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r[ISA_LANES];
    const lane_f32 *d = ptx_lanes(x, op->dst[0]);
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        float v = d[lane];
        r[lane] = v >= 1.0f ? UINT32_C(0x3f800000) : v > 0.0f ? bits_of32(v) : 0; /* NaN: 0 */
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static void exec_modified(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    if (op->rounding != PTX_ROUND_NEAREST && op->inner != fma_f32_directed) {
        fesetround(modes[op->rounding]);
        op->inner(x, op, mask);
        fesetround(FE_TONEAREST);
    } else {
        op->inner(x, op, mask);
    }
    if (op->saturates) {
        saturate_result(x, op, mask);
    }
}

/* Lowering */

struct float_ops {
    ptx_exec_fn *f32, *ftz, *f64;
};

static void take_float_modifiers(struct ptx_lower *lw, struct ptx_op *op)
{
    static const char *const roundings[] = {".rn", ".rz", ".rm", ".rp", NULL};
    int rounding = ptx_take_word(lw, roundings);
    op->rounding = (uint8_t)(rounding < 0 ? PTX_ROUND_NEAREST : rounding);
    op->flushes = ptx_take(lw, ".ftz");
    op->saturates = ptx_take(lw, ".sat");
}

static struct ptx_op *emit_float(struct ptx_lower *lw, enum ptx_type type, enum isa_pipe pipe,
                                 struct float_ops ops)
{
    bool wide = type == PTX_F64;
    struct ptx_op *op = ptx_emit(lw, wide && pipe == ISA_PIPE_FP32 ? ISA_PIPE_FP64 : pipe, NULL);
    take_float_modifiers(lw, op);
    op->inner = wide ? ops.f64 : op->flushes ? ops.ftz : ops.f32;
    bool modified = op->rounding != PTX_ROUND_NEAREST || op->saturates;
    if (op->inner == NULL || (wide && op->saturates) || (type != PTX_F32 && type != PTX_F64)) {
        PTX_LOWER_FAIL(lw, "%s is not an operation that PTX has", lw->statement->text);
    }
    op->exec = modified ? exec_modified : op->inner;
    return op;
}

/* Of three numbers: of the first two, into dst[1], and of that and the third. */
static void exec_of_three(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_op step = *op;
    step.dst[0] = op->dst[1];
    op->inner(x, &step, mask);
    step.dst[0] = op->dst[0];
    step.src[0] = op->dst[1];
    step.src[1] = op->src[2];
    op->inner(x, &step, mask);
}

void ptx_lower_float_arith(struct ptx_lower *lw, enum ptx_float_arith what)
{
    static const struct float_ops table[PTX_FLOAT_ARITHS] = {
        [PTX_FLOAT_ADD] = {add_f32, add_ftz, add_f64},
        [PTX_FLOAT_SUB] = {sub_f32, sub_ftz, sub_f64},
        [PTX_FLOAT_MUL] = {mul_f32, mul_ftz, mul_f64},
        [PTX_FLOAT_DIV] = {div_f32, div_ftz, div_f64},
        [PTX_FLOAT_MIN] = {min_f32, min_ftz, min_f64},
        [PTX_FLOAT_MAX] = {max_f32, max_ftz, max_f64}};
    static const struct float_ops nan_min = {min_nan_f32, min_nan_ftz, NULL};
    static const struct float_ops nan_max = {max_nan_f32, max_nan_ftz, NULL};
    enum ptx_type type = ptx_take_type(lw);
    if (ptx_type_is_half(type)) {
        ptx_lower_half_arith(lw, type, what);
        return;
    }
    bool divides = what == PTX_FLOAT_DIV;
    bool chooses = what == PTX_FLOAT_MIN || what == PTX_FLOAT_MAX;
    bool propagates = chooses && ptx_take(lw, ".NaN");
    bool three = chooses && type == PTX_F32 && lw->statement->n_operands == 4;
    if (divides && !ptx_take(lw, ".full")) {
        ptx_take(lw, ".approx");
    }
    ptx_operand_count(lw, three ? 4 : 3, three ? 4 : 3);
    struct ptx_op *op = emit_float(lw, type, divides ? ISA_PIPE_SFU : ISA_PIPE_FP32,
                                   !propagates             ? table[what]
                                   : what == PTX_FLOAT_MIN ? nan_min
                                                           : nan_max);
    ptx_bind_plain(lw, op, type);
    if (three) {
        op->exec = exec_of_three;
        op->dst[1] = ptx_frame_slot(lw, 4);
    }
}

void ptx_lower_float_fma(struct ptx_lower *lw)
{
    if (ptx_lower_float_pair(lw, PTX_PACKED_FMA)) {
        return;
    }
    enum ptx_type type = ptx_take_type(lw);
    if (ptx_type_is_half(type)) {
        ptx_lower_half_fma(lw, type);
        return;
    }
    ptx_operand_count(lw, 4, 4);
    struct ptx_op *op = emit_float(lw, type, ISA_PIPE_FP32,
                                   (struct float_ops){fma_f32, fma_ftz, fma_f64});
    if (type == PTX_F32 && op->rounding != PTX_ROUND_NEAREST) {
        op->inner = fma_f32_directed;
    }
    ptx_bind_plain(lw, op, type);
}

void ptx_lower_float_sign(struct ptx_lower *lw, enum ptx_float_sign what)
{
    enum ptx_type type = ptx_take_type(lw);
    if (ptx_type_is_half(type)) {
        ptx_lower_half_sign(lw, type, what);
        return;
    }
    struct float_ops ops = what == PTX_FLOAT_NEG ? (struct float_ops){neg_f32, neg_ftz, neg_f64}
                                                 : (struct float_ops){abs_f32, abs_ftz, abs_f64};
    ptx_operand_count(lw, 2, 2);
    ptx_bind_plain(lw, emit_float(lw, type, ISA_PIPE_FP32, ops), type);
}

static void lower_sfu(struct ptx_lower *lw, struct float_ops ops)
{
    ptx_take(lw, ".approx");
    enum ptx_type type = ptx_take_type(lw);
    bool flushes_f64 = type == PTX_F64 && ptx_take(lw, ".ftz"); /* rcp.approx.ftz.f64 */
    (void)flushes_f64;
    ptx_operand_count(lw, 2, 2);
    ptx_bind_plain(lw, emit_float(lw, type, ISA_PIPE_SFU, ops), type);
}

#define LOWER_SFU(name, f64) \
    static void lower_##name(struct ptx_lower *lw) \
    { \
        lower_sfu(lw, (struct float_ops){name##_f32, name##_ftz, f64}); \
    }
LOWER_SFU(rcp, rcp_f64)
LOWER_SFU(sqrt, sqrt_f64)
LOWER_SFU(rsqrt, rsqrt_f64)
LOWER_SFU(sin, NULL)
LOWER_SFU(cos, NULL)
LOWER_SFU(ex2, NULL)
LOWER_SFU(lg2, NULL)
LOWER_SFU(tanh, NULL)

static void lower_copysign(struct ptx_lower *lw)
{
    enum ptx_type type = ptx_take_type(lw);
    ptx_operand_count(lw, 3, 3);
    ptx_bind_plain(
        lw,
        emit_float(lw, type, ISA_PIPE_FP32, (struct float_ops){copysign_f32, NULL, copysign_f64}),
        type);
}

const struct ptx_opcode ptx_opcodes_float[] = {
    {"fma", ptx_lower_float_fma}, {"rcp", lower_rcp}, {"sqrt", lower_sqrt},
    {"rsqrt", lower_rsqrt},       {"sin", lower_sin}, {"cos", lower_cos},
    {"ex2", lower_ex2},           {"lg2", lower_lg2}, {"tanh", lower_tanh},
    {"copysign", lower_copysign}, {NULL, NULL}};
