/* test_ptx_float.c - float arithmetic, comparisons and conversions against the C library under the
 * processor's rounding modes, and hand-written rules for NaN, flushing and saturation.
 */
#include <fenv.h>
#include <immintrin.h>
#include <math.h>

#include "test_ptx.h"
#include "test_ptx_bits.h"

static const u64 f32_corners[] = {
    0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x800000,   0x80800000, 0x3f800000,
    0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x3f000000, 0x34000000, 0x33800000, 0x4b000000,
    0x4b000001, 0xcb000001, 0x4b7fffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000,
    0xdf000000, 0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
    0xffc12345, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x38800000, 0x387fe000, 0x40490fdb,
    0x3fc00000, 0x40200000, 0xc0200000, 0x3effffff, 0x43000000};
static const u64 f64_corners[] = {0,
                                  UINT64_C(0x8000000000000000),
                                  1,
                                  UINT64_C(0x000fffffffffffff),
                                  UINT64_C(0x0010000000000000),
                                  UINT64_C(0x3ff0000000000000),
                                  UINT64_C(0xbff0000000000000),
                                  UINT64_C(0x3ff0000000000001),
                                  UINT64_C(0x3fefffffffffffff),
                                  UINT64_C(0x3ff0000010000000),
                                  UINT64_C(0x3ff0000030000000),
                                  UINT64_C(0x3ff0000010000001),
                                  UINT64_C(0x36a0000000000000),
                                  UINT64_C(0x3690000000000000),
                                  UINT64_C(0x3690000000000001),
                                  UINT64_C(0x47efffffe0000000),
                                  UINT64_C(0x47effffff0000000),
                                  UINT64_C(0x47efffffefffffff),
                                  UINT64_C(0x41dfffffffc00000),
                                  UINT64_C(0x41e0000000000000),
                                  UINT64_C(0xc1e0000000000000),
                                  UINT64_C(0x41efffffffe00000),
                                  UINT64_C(0x43e0000000000000),
                                  UINT64_C(0xc3e0000000000000),
                                  UINT64_C(0x43f0000000000000),
                                  UINT64_C(0x4004000000000000),
                                  UINT64_C(0xc004000000000000),
                                  UINT64_C(0x7fefffffffffffff),
                                  UINT64_C(0x7ff0000000000000),
                                  UINT64_C(0xfff0000000000000),
                                  UINT64_C(0x7ff8000000000000),
                                  UINT64_C(0xfff8000000001234),
                                  UINT64_C(0x40efffc000000000),
                                  UINT64_C(0x3fe0000000000000)};
static const u64 int_corners[] = {0,
                                  1,
                                  2,
                                  0x7f,
                                  0x80,
                                  0xff,
                                  0x100,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x1000001,
                                  0x1000002,
                                  0x1000003,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0xffffff80,
                                  UINT64_C(0x100000000),
                                  UINT64_C(0x20000000000001),
                                  UINT64_C(0x20000000000003),
                                  UINT64_C(0x8000008000000000),
                                  UINT64_C(0x8000008000000001),
                                  UINT64_C(0x7fffffffffffffff),
                                  UINT64_C(0x8000000000000000),
                                  UINT64_MAX,
                                  UINT64_C(0x8000000000000400),
                                  UINT64_C(0x8000000000000401),
                                  UINT64_C(0xfffffffffffffc00)};

/* An expression under a rounding mode: operands and result pass through volatile objects. */
#define FN(name, expression) \
    static u64 name(u64 a, u64 b, u64 c) \
    { \
        (void)a, (void)b, (void)c; \
        return (u64)(expression); \
    }
#define MODE_FN(name, mode, T, in, out, expression) \
    static u64 name(u64 ra, u64 rb, u64 rc) \
    { \
        volatile T a = in(ra), b = in(rb), c = in(rc), r; \
        (void)a, (void)b, (void)c; \
        fesetround(mode); \
        r = (expression); \
        fesetround(FE_TONEAREST); \
        return out(r); \
    }
#define MODES(name, T, in, out, expression) \
    MODE_FN(name##_rn, FE_TONEAREST, T, in, out, expression) \
    MODE_FN(name##_rz, FE_TOWARDZERO, T, in, out, expression) \
    MODE_FN(name##_rm, FE_DOWNWARD, T, in, out, expression) \
    MODE_FN(name##_rp, FE_UPWARD, T, in, out, expression)
MODES(addf, float, f, fb, a + b)
MODES(mulf, float, f, fb, a *b)
MODES(divf, float, f, fb, a / b)
MODES(sqrtf_, float, f, fb, sqrtf(a))
MODES(fmaf_, float, f, fb, fmaf(a, b, c))
MODES(addd, double, d, db, a + b)
MODES(muld, double, d, db, a *b)
MODES(divd, double, d, db, a / b)
MODES(sqrtd_, double, d, db, sqrt(a))
MODES(fmad, double, d, db, fma(a, b, c))
FN(subf, fb(f(a) - f(b)))
FN(subd, db(d(a) - d(b)))
FN(rcpf, fb(1.0f / f(a)))
FN(rcpd, db(1.0 / d(a)))
FN(add_ftz, fb(fz(fz(f(a)) + fz(f(b)))))
FN(mul_ftz, fb(fz(fz(f(a)) * fz(f(b)))))
FN(fma_ftz, fb(fz(fmaf(fz(f(a)), fz(f(b)), fz(f(c))))))
static float sat(float v)
{
    return isnan(v) || v <= 0 ? 0 : v > 1 ? 1 : v;
}
FN(add_sat, fb(sat(f(a) + f(b))))
FN(fma_sat, fb(sat(fmaf(f(a), f(b), f(c)))))
static u64 minmax(u64 a, u64 b, bool max)
{
    float x = f(a), y = f(b);
    if (isnan(x) || isnan(y)) {
        return fb(isnan(x) ? y : x);
    }
    if (x == y) {
        bool takes_x = max ? !signbit(x) : signbit(x); /* +0 is more than -0 */
        return takes_x ? fb(x) : fb(y);
    }
    return fb((x < y) != max ? x : y);
}
FN(minf, minmax(a, b, false))
FN(maxf, minmax(a, b, true))
FN(minf_nan, isnan(f(a)) || isnan(f(b)) ? 0x7fffffff : minmax(a, b, false))
FN(mind, isnan(d(a))    ? db(d(b))
         : isnan(d(b))  ? db(d(a))
         : d(a) == d(b) ? (signbit(d(a)) ? a : b)
                        : db(d(a) < d(b) ? d(a) : d(b)))
FN(negf, a ^ 0x80000000)
FN(absf_, a & 0x7fffffff)
FN(negd, a ^ UINT64_C(0x8000000000000000))
FN(copysf, (a & 0x80000000) | (b & 0x7fffffff))
FN(ex2f, fb((float)exp2((double)f(a))))
FN(lg2f, fb((float)log2((double)f(a))))
FN(sinf_, fb((float)sin((double)f(a))))
FN(cosf_, fb((float)cos((double)f(a))))
FN(tanhf_, fb((float)tanh((double)f(a))))
FN(rsqrtf_, fb((float)(1 / sqrt((double)f(a)))))

static const struct test_op f32_ops[] = {{"add.f32", "www", addf_rn, NULL},
                                         {"add.rn.f32", "www", addf_rn, NULL},
                                         {"add.rz.f32", "www", addf_rz, NULL},
                                         {"add.rm.f32", "www", addf_rm, NULL},
                                         {"add.rp.f32", "www", addf_rp, NULL},
                                         {"sub.f32", "www", subf, NULL},
                                         {"mul.rn.f32", "www", mulf_rn, NULL},
                                         {"mul.rz.f32", "www", mulf_rz, NULL},
                                         {"mul.rm.f32", "www", mulf_rm, NULL},
                                         {"mul.rp.f32", "www", mulf_rp, NULL},
                                         {"div.rn.f32", "www", divf_rn, NULL},
                                         {"div.rz.f32", "www", divf_rz, NULL},
                                         {"div.rm.f32", "www", divf_rm, NULL},
                                         {"div.rp.f32", "www", divf_rp, NULL},
                                         {"div.full.f32", "www", divf_rn, NULL},
                                         {"div.approx.f32", "www", divf_rn, NULL},
                                         {"fma.rn.f32", "wwww", fmaf__rn, NULL},
                                         {"fma.rz.f32", "wwww", fmaf__rz, NULL},
                                         {"fma.rm.f32", "wwww", fmaf__rm, NULL},
                                         {"fma.rp.f32", "wwww", fmaf__rp, NULL},
                                         {"mad.rn.f32", "wwww", fmaf__rn, NULL},
                                         {"sqrt.rn.f32", "ww", sqrtf__rn, NULL},
                                         {"sqrt.rp.f32", "ww", sqrtf__rp, NULL},
                                         {"sqrt.rz.f32", "ww", sqrtf__rz, NULL},
                                         {"sqrt.rm.f32", "ww", sqrtf__rm, NULL},
                                         {"sqrt.approx.f32", "ww", sqrtf__rn, NULL},
                                         {"rcp.rn.f32", "ww", rcpf, NULL},
                                         {"rcp.approx.f32", "ww", rcpf, NULL},
                                         {"add.ftz.f32", "www", add_ftz, NULL},
                                         {"mul.rn.ftz.f32", "www", mul_ftz, NULL},
                                         {"fma.rn.ftz.f32", "wwww", fma_ftz, NULL},
                                         {"add.sat.f32", "www", add_sat, NULL},
                                         {"fma.rn.sat.f32", "wwww", fma_sat, NULL},
                                         {"min.f32", "www", minf, NULL},
                                         {"max.f32", "www", maxf, NULL},
                                         {"min.NaN.f32", "www", minf_nan, NULL},
                                         {"neg.f32", "ww", negf, NULL},
                                         {"abs.f32", "ww", absf_, NULL},
                                         {"copysign.f32", "www", copysf, NULL},
                                         {"ex2.approx.f32", "ww", ex2f, NULL},
                                         {"lg2.approx.f32", "ww", lg2f, NULL},
                                         {"sin.approx.f32", "ww", sinf_, NULL},
                                         {"cos.approx.f32", "ww", cosf_, NULL},
                                         {"tanh.approx.f32", "ww", tanhf_, NULL},
                                         {"rsqrt.approx.f32", "ww", rsqrtf_, NULL}};
static const struct test_op f64_ops[] = {
    {"add.f64", "ddd", addd_rn, NULL},      {"add.rz.f64", "ddd", addd_rz, NULL},
    {"add.rm.f64", "ddd", addd_rm, NULL},   {"add.rp.f64", "ddd", addd_rp, NULL},
    {"sub.f64", "ddd", subd, NULL},         {"mul.f64", "ddd", muld_rn, NULL},
    {"mul.rp.f64", "ddd", muld_rp, NULL},   {"mul.rz.f64", "ddd", muld_rz, NULL},
    {"mul.rm.f64", "ddd", muld_rm, NULL},   {"div.rn.f64", "ddd", divd_rn, NULL},
    {"div.rz.f64", "ddd", divd_rz, NULL},   {"div.rm.f64", "ddd", divd_rm, NULL},
    {"div.rp.f64", "ddd", divd_rp, NULL},   {"fma.rn.f64", "dddd", fmad_rn, NULL},
    {"fma.rz.f64", "dddd", fmad_rz, NULL},  {"fma.rm.f64", "dddd", fmad_rm, NULL},
    {"fma.rp.f64", "dddd", fmad_rp, NULL},  {"sqrt.rn.f64", "dd", sqrtd__rn, NULL},
    {"sqrt.rz.f64", "dd", sqrtd__rz, NULL}, {"sqrt.rm.f64", "dd", sqrtd__rm, NULL},
    {"sqrt.rp.f64", "dd", sqrtd__rp, NULL}, {"rcp.rn.f64", "dd", rcpd, NULL},
    {"min.f64", "ddd", mind, NULL},         {"neg.f64", "dd", negd, NULL}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void arithmetic(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(f32_ops); i++) {
        test_op(&f32_ops[i], f32_corners, COUNT(f32_corners));
    }
    for (size_t i = 0; i < COUNT(f64_ops); i++) {
        test_op(&f64_ops[i], f64_corners, COUNT(f64_corners));
    }
}

#define CMP_FN(name, expression) \
    static u64 name##_f(u64 ra, u64 rb, u64 rc) \
    { \
        float a = f(ra), b = f(rb); \
        (void)rc; \
        return (u64)(expression); \
    } \
    static u64 name##_d(u64 ra, u64 rb, u64 rc) \
    { \
        double a = d(ra), b = d(rb); \
        (void)rc; \
        return (u64)(expression); \
    }
CMP_FN(c_eq, !isunordered(a, b) && a == b)
CMP_FN(c_ne, !isunordered(a, b) && a != b)
CMP_FN(c_lt, isless(a, b))
CMP_FN(c_le, islessequal(a, b))
CMP_FN(c_gt, isgreater(a, b))
CMP_FN(c_ge, isgreaterequal(a, b))
CMP_FN(c_equ, isunordered(a, b) || a == b)
CMP_FN(c_neu, isunordered(a, b) || a != b)
CMP_FN(c_ltu, isunordered(a, b) || isless(a, b))
CMP_FN(c_leu, isunordered(a, b) || islessequal(a, b))
CMP_FN(c_gtu, isunordered(a, b) || isgreater(a, b))
CMP_FN(c_geu, isunordered(a, b) || isgreaterequal(a, b))
CMP_FN(c_num, !isunordered(a, b))
CMP_FN(c_nan, isunordered(a, b) != 0)
FN(c_lt_s16, (int16_t)a < (int16_t)b)
FN(c_ge_s16, (int16_t)a >= (int16_t)b)
FN(c_lt_s32, (int32_t)a < (int32_t)b)
FN(c_ge_s64, (int64_t)a >= (int64_t)b)
FN(c_lo, a < b)
FN(c_ls, a <= b)
FN(c_hi, a > b)
FN(c_hs, a >= b)
FN(c_lt_and, (int32_t)a < (int32_t)b && (c & 1))
FN(c_lt_or, (int32_t)a < (int32_t)b || (c & 1))
FN(c_lt_xor, ((int32_t)a < (int32_t)b) != (c & 1))
FN(set_u32, (int32_t)a < (int32_t)b ? UINT32_MAX : 0)
FN(set_f32, isless(f(a), f(b)) ? 0x3f800000 : 0)
FN(lt_ftz, isless(fz(f(a)), fz(f(b))))
FN(slct_s32, (int32_t)c >= 0 ? a : b)
FN(slct_f32, isgreaterequal(f(c), 0.0f) ? a : b)
FN(selp, (c & 1) != 0 ? a : b)
FN(is_normal, isnormal(f(a)))
FN(is_subnormal, fpclassify(f(a)) == FP_SUBNORMAL)
FN(is_finite, isfinite(f(a)) != 0)
FN(is_inf_d, isinf(d(a)) != 0)
FN(is_number_d, !isnan(d(a)))
FN(is_nan, isnan(f(a)) != 0)

#define BOTH(word, name) \
    {"setp." word ".f32", "pww", name##_f, NULL}, \
    { \
        "setp." word ".f64", "pdd", name##_d, NULL \
    }
static const struct test_op compare_ops[] = {BOTH("eq", c_eq),
                                             BOTH("ne", c_ne),
                                             BOTH("lt", c_lt),
                                             BOTH("le", c_le),
                                             BOTH("gt", c_gt),
                                             BOTH("ge", c_ge),
                                             BOTH("equ", c_equ),
                                             BOTH("neu", c_neu),
                                             BOTH("ltu", c_ltu),
                                             BOTH("leu", c_leu),
                                             BOTH("gtu", c_gtu),
                                             BOTH("geu", c_geu),
                                             BOTH("num", c_num),
                                             BOTH("nan", c_nan),
                                             {"setp.lt.ftz.f32", "pww", lt_ftz, NULL},
                                             {"slct.b32.f32", "wwww", slct_f32, NULL},
                                             {"set.lt.f32.f32", "www", set_f32, NULL},
                                             {"testp.normal.f32", "pw", is_normal, NULL},
                                             {"testp.subnormal.f32", "pw", is_subnormal, NULL},
                                             {"testp.finite.f32", "pw", is_finite, NULL},
                                             {"testp.infinite.f64", "pd", is_inf_d, NULL},
                                             {"testp.number.f64", "pd", is_number_d, NULL},
                                             {"testp.notanumber.f32", "pw", is_nan, NULL}};
static const struct test_op int_compare_ops[] = {{"setp.lt.s16", "phh", c_lt_s16, NULL},
                                                 {"setp.ge.s16", "phh", c_ge_s16, NULL},
                                                 {"setp.lt.s32", "pww", c_lt_s32, NULL},
                                                 {"setp.ge.s64", "pdd", c_ge_s64, NULL},
                                                 {"setp.lo.u32", "pww", c_lo, NULL},
                                                 {"setp.ls.u64", "pdd", c_ls, NULL},
                                                 {"setp.hi.u16", "phh", c_hi, NULL},
                                                 {"setp.hs.u32", "pww", c_hs, NULL},
                                                 {"setp.lt.and.s32", "pwwp", c_lt_and, NULL},
                                                 {"setp.lt.or.s32", "pwwp", c_lt_or, NULL},
                                                 {"setp.lt.xor.s32", "pwwp", c_lt_xor, NULL},
                                                 {"set.lt.u32.s32", "www", set_u32, NULL},
                                                 {"slct.b32.s32", "wwww", slct_s32, NULL},
                                                 {"slct.b64.s32", "dddw", slct_s32, NULL},
                                                 {"selp.b32", "wwwp", selp, NULL},
                                                 {"selp.b64", "dddp", selp, NULL},
                                                 {"selp.b16", "hhhp", selp, NULL}};

static void comparisons(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(compare_ops); i++) {
        bool wide = strchr(compare_ops[i].shape, 'd') != NULL;
        test_op(&compare_ops[i], wide ? f64_corners : f32_corners,
                wide ? COUNT(f64_corners) : COUNT(f32_corners));
    }
    for (size_t i = 0; i < COUNT(int_compare_ops); i++) {
        test_op(&int_compare_ops[i], int_corners, COUNT(int_corners));
    }
}

/* Conversions */

static long double integral(long double v, int mode)
{
    return mode == 'n' ? rintl(v) : mode == 'z' ? truncl(v) : mode == 'm' ? floorl(v) : ceill(v);
}

static u64 to_int(long double v, bool from_f64, int mode, int bits, bool is_signed)
{
    if (isnan(v)) {
        return from_f64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    }
    long double low = is_signed ? -ldexpl(1, bits - 1) : 0;
    long double high = ldexpl(1, is_signed ? bits - 1 : bits) - 1;
    v = integral(v, mode);
    v = v < low ? low : v > high ? high : v;
    return v < 0 ? (u64)(int64_t)v : (u64)v;
}

#define TO_INT(n, mode, bits, is_signed) \
    FN(f2i_##n, to_int((long double)f(a), false, mode, bits, is_signed)) \
    FN(d2i_##n, to_int((long double)d(a), true, mode, bits, is_signed))
TO_INT(rzs32, 'z', 32, true)
TO_INT(rzu32, 'z', 32, false)
TO_INT(rns32, 'n', 32, true)
TO_INT(rmu16, 'm', 16, false)
TO_INT(rps16, 'p', 16, true)
TO_INT(rzs64, 'z', 64, true)
TO_INT(rnu64, 'n', 64, false)
FN(f2i_s8_in_32, (uint32_t)(int8_t)to_int((long double)f(a), false, 'z', 8, true))

static volatile double vd;
static volatile float vf;
#define NARROW(n, mode) \
    static u64 d2f_##n(u64 a, u64 b, u64 c) \
    { \
        (void)b, (void)c; \
        vd = d(a); \
        fesetround(mode); \
        vf = (float)vd; \
        fesetround(FE_TONEAREST); \
        return fb(vf); \
    }
NARROW(rn, FE_TONEAREST)
NARROW(rz, FE_TOWARDZERO)
NARROW(rm, FE_DOWNWARD)
NARROW(rp, FE_UPWARD)
#define FROM_INT(n, mode, I, T, out) \
    static u64 n(u64 a, u64 b, u64 c) \
    { \
        volatile I v = (I)a; \
        volatile T r; \
        (void)b, (void)c; \
        fesetround(mode); \
        r = (T)v; \
        fesetround(FE_TONEAREST); \
        return out(r); \
    }
FROM_INT(s32_f32, FE_TONEAREST, int32_t, float, fb)
FROM_INT(u32_f32, FE_TONEAREST, uint32_t, float, fb)
FROM_INT(u32_f32_rz, FE_TOWARDZERO, uint32_t, float, fb)
FROM_INT(s64_f32, FE_TONEAREST, int64_t, float, fb)
FROM_INT(s64_f32_rm, FE_DOWNWARD, int64_t, float, fb)
FROM_INT(u64_f32_rp, FE_UPWARD, uint64_t, float, fb)
FROM_INT(s64_f64, FE_TONEAREST, int64_t, double, db)
FROM_INT(s64_f64_rz, FE_TOWARDZERO, int64_t, double, db)
FROM_INT(u64_f64, FE_TONEAREST, uint64_t, double, db)
FROM_INT(s8_f32, FE_TONEAREST, int8_t, float, fb)
FN(f2d, db((double)f(a)))
FN(f_rni, fb(rintf(f(a))))
FN(f_rzi, fb(truncf(f(a))))
FN(f_sat, fb(sat(f(a))))
FN(d_rpi, db(ceil(d(a))))
FN(sx_8_32, (uint32_t)(int8_t)a)
FN(zx_8_32, (uint8_t)a)
FN(sx_16_64, (int64_t)(int16_t)a)
FN(sx_32_64, (int64_t)(int32_t)a)
FN(zx_32_64, (uint32_t)a)
FN(trunc_64_16, (uint16_t)a)
static int64_t clip(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}
FN(sat_s32_u8, clip((int32_t)a, 0, 255))
FN(sat_s32_s16, clip((int32_t)a, -32768, 32767))
FN(sat_u32_s32, a > INT32_MAX ? INT32_MAX : a)
FN(sat_s64_u32, clip((int64_t)a, 0, UINT32_MAX))
FN(sat_u64_s64, a > INT64_MAX ? INT64_MAX : a)

static u64 bf16(u64 a, u64 b, u64 c)
{
    (void)b, (void)c;
    uint32_t u = (uint32_t)a;
    return isnan(f(a)) ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
FN(bf16_f32, isnan(f(a << 16)) ? 0x7fffffff : a << 16)
FN(pack_s16, (u64)(clip((int32_t)a, -32768, 32767) & 0xffff) << 16 |
                 (u64)(clip((int32_t)b, -32768, 32767) & 0xffff))
FN(pack_u8, (c << 16) | (u64)clip((int32_t)a, 0, 255) << 8 | (u64)clip((int32_t)b, 0, 255))

static const struct test_op convert_ops[] = {
    {"cvt.rzi.s32.f32", "ww", f2i_rzs32, NULL},   {"cvt.rzi.s32.f64", "wd", d2i_rzs32, NULL},
    {"cvt.rzi.u32.f32", "ww", f2i_rzu32, NULL},   {"cvt.rzi.u32.f64", "wd", d2i_rzu32, NULL},
    {"cvt.rni.s32.f32", "ww", f2i_rns32, NULL},   {"cvt.rni.s32.f64", "wd", d2i_rns32, NULL},
    {"cvt.rmi.u16.f32", "hw", f2i_rmu16, NULL},   {"cvt.rmi.u16.f64", "hd", d2i_rmu16, NULL},
    {"cvt.rpi.s16.f32", "hw", f2i_rps16, NULL},   {"cvt.rpi.s16.f64", "hd", d2i_rps16, NULL},
    {"cvt.rzi.s64.f32", "dw", f2i_rzs64, NULL},   {"cvt.rzi.s64.f64", "dd", d2i_rzs64, NULL},
    {"cvt.rni.u64.f32", "dw", f2i_rnu64, NULL},   {"cvt.rni.u64.f64", "dd", d2i_rnu64, NULL},
    {"cvt.rzi.s8.f32", "ww", f2i_s8_in_32, NULL}, {"cvt.rn.f32.f64", "wd", d2f_rn, NULL},
    {"cvt.rz.f32.f64", "wd", d2f_rz, NULL},       {"cvt.rm.f32.f64", "wd", d2f_rm, NULL},
    {"cvt.rp.f32.f64", "wd", d2f_rp, NULL},       {"cvt.f64.f32", "dw", f2d, NULL},
    {"cvt.rni.f32.f32", "ww", f_rni, NULL},       {"cvt.rzi.f32.f32", "ww", f_rzi, NULL},
    {"cvt.sat.f32.f32", "ww", f_sat, NULL},       {"cvt.rpi.f64.f64", "dd", d_rpi, NULL},
    {"cvt.rn.bf16.f32", "hw", bf16, NULL}};
static const struct test_op int_convert_ops[] = {
    {"cvt.rn.f32.s32", "ww", s32_f32, NULL},
    {"cvt.rn.f32.u32", "ww", u32_f32, NULL},
    {"cvt.rz.f32.u32", "ww", u32_f32_rz, NULL},
    {"cvt.rn.f32.s64", "wd", s64_f32, NULL},
    {"cvt.rm.f32.s64", "wd", s64_f32_rm, NULL},
    {"cvt.rp.f32.u64", "wd", u64_f32_rp, NULL},
    {"cvt.rn.f64.s64", "dd", s64_f64, NULL},
    {"cvt.rz.f64.s64", "dd", s64_f64_rz, NULL},
    {"cvt.rn.f64.u64", "dd", u64_f64, NULL},
    {"cvt.rn.f32.s8", "ww", s8_f32, NULL},
    {"cvt.s32.s8", "ww", sx_8_32, NULL},
    {"cvt.u32.u8", "wh", zx_8_32, NULL},
    {"cvt.s64.s16", "dh", sx_16_64, NULL},
    {"cvt.s64.s32", "dw", sx_32_64, NULL},
    {"cvt.u64.u32", "dw", zx_32_64, NULL},
    {"cvt.u32.u64", "wd", zx_32_64, NULL},
    {"cvt.u16.u64", "hd", trunc_64_16, NULL},
    {"cvt.u16.u32", "hw", trunc_64_16, NULL},
    {"cvt.sat.u8.s32", "ww", sat_s32_u8, NULL},
    {"cvt.sat.s16.s32", "hw", sat_s32_s16, NULL},
    {"cvt.sat.s32.u32", "ww", sat_u32_s32, NULL},
    {"cvt.sat.u32.s64", "wd", sat_s64_u32, NULL},
    {"cvt.sat.s64.u64", "dd", sat_u64_s64, NULL},
    {"cvt.f32.bf16", "wh", bf16_f32, NULL},
    {"cvt.pack.sat.s16.s32", "www", pack_s16, NULL},
    {"cvt.pack.sat.u8.s32.b32", "wwww", pack_u8, NULL}};

static void conversions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(convert_ops); i++) {
        bool wide = convert_ops[i].shape[1] == 'd';
        test_op(&convert_ops[i], wide ? f64_corners : f32_corners,
                wide ? COUNT(f64_corners) : COUNT(f32_corners));
    }
    for (size_t i = 0; i < COUNT(int_convert_ops); i++) {
        test_op(&int_convert_ops[i], int_corners, COUNT(int_corners));
    }
}

/* Half precision: the processor's own conversions. */
#if defined(__x86_64__)
#define F16C __attribute__((target("f16c")))
static F16C u64 half_of(float v, int mode)
{
    if (isnan(v)) {
        return 0x7fff;
    }
    return mode == 0   ? _cvtss_sh(v, 0)
           : mode == 1 ? _cvtss_sh(v, 3)
           : mode == 2 ? _cvtss_sh(v, 1)
                       : _cvtss_sh(v, 2);
}
static F16C float of_half(u64 h)
{
    return _cvtsh_ss((unsigned short)h);
}
FN(h_rn, half_of(f(a), 0))
FN(h_rz, half_of(f(a), 1))
FN(h_rm, half_of(f(a), 2))
FN(h_rp, half_of(f(a), 3))
FN(h_f32, fb(of_half(a)))
FN(h_add, half_of(of_half(a) + of_half(b), 0))
FN(h_mul, half_of(of_half(a) * of_half(b), 0))
FN(h_sub, half_of(of_half(a) - of_half(b), 0))
FN(h_pair, half_of(f(a), 0) << 16 | half_of(f(b), 0))
FN(h2_add, h_add(a & 0xffff, b & 0xffff, 0) | h_add(a >> 16, b >> 16, 0) << 16)
FN(h_lt, isless(of_half(a), of_half(b)))

/* The product is exact in double, the sum of both in long double except where the smaller operand
 * is far below the larger one's last bit: then only its sign matters. */
static u64 h_fma(u64 a, u64 b, u64 c)
{
    long double p = (long double)of_half(a) * (long double)of_half(b),
                s = p + (long double)of_half(c);
    if (!isfinite(s)) {
        return half_of((float)s, 0);
    }
    for (uint32_t h = 0; h < 0x7c00; h++) { /* the half next below or at the value, then nearest */
        long double low = (long double)of_half(h),
                    high = h == 0x7bff ? 65536.0L : (long double)of_half(h + 1);
        long double v = fabsl(s);
        if (v >= high && h != 0x7bff) {
            continue;
        }
        long double middle = (low + high) / 2;
        bool up = v > middle || (v == middle && (h & 1) != 0);
        return (signbit(s) ? 0x8000u : 0u) | (h + (up ? 1 : 0));
    }
    return 0;
}

static const struct test_op half_ops[] = {
    {"add.f16", "hhh", h_add, NULL},    {"sub.f16", "hhh", h_sub, NULL},
    {"mul.f16", "hhh", h_mul, NULL},    {"cvt.f32.f16", "wh", h_f32, NULL},
    {"add.f16x2", "www", h2_add, NULL}, {"setp.lt.f16", "phh", h_lt, NULL},
    {"fma.rn.f16", "hhhh", h_fma, NULL}};
static const struct test_op to_half_ops[] = {{"cvt.rn.f16.f32", "hw", h_rn, NULL},
                                             {"cvt.rz.f16.f32", "hw", h_rz, NULL},
                                             {"cvt.rm.f16.f32", "hw", h_rm, NULL},
                                             {"cvt.rp.f16.f32", "hw", h_rp, NULL},
                                             {"cvt.rn.f16x2.f32", "www", h_pair, NULL}};
static const u64 half_corners[] = {
    0,      0x8000, 1,      0x3ff,  0x400,  0x3c00, 0xbc00,     0x3c01,     0x7bff,    0xfbff,
    0x7c00, 0xfc00, 0x7e00, 0x6400, 0x3800, 0x1400, 0x00018001, 0x3c007bff, 0x7c00fc00};

static void halves(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2")) { /* every processor with AVX2 has F16C */
        skip();
    }
    for (size_t i = 0; i < COUNT(half_ops); i++) {
        test_op(&half_ops[i], half_corners, COUNT(half_corners));
    }
    for (size_t i = 0; i < COUNT(to_half_ops); i++) {
        test_op(&to_half_ops[i], f32_corners, COUNT(f32_corners));
    }
}
#else
static void halves(void **state)
{
    (void)state;
    skip(); /* no second implementation on this processor */
}
#endif

/* Half of the lanes do not execute, and hold what would raise an exception of the processor: none
 * does, so their registers were not looked at. */
static void lanes_that_do_not_execute(void **state)
{
    static const char *const ops[] = {
        "sqrt.rn.f32 %r2, %r1;",    "sqrt.approx.f32 %r2, %r1;", "rsqrt.approx.f32 %r2, %r1;",
        "rcp.rn.f32 %r2, %r1;",     "sin.approx.f32 %r2, %r1;",  "cos.approx.f32 %r2, %r1;",
        "lg2.approx.f32 %r2, %r1;", "sqrt.rn.f64 %d3, %d2;",     "rsqrt.approx.f64 %d3, %d2;",
        "rcp.rn.f64 %d3, %d2;",     "sqrt.rz.f32 %r2, %r1;",     "sqrt.rp.f64 %d3, %d2;"};
    (void)state;
    for (size_t i = 0; i < COUNT(ops); i++) {
        struct test_gpu gpu = {.steps = 0};
        char body[512];
        /* Odd threads: a signalling NaN.  Even ones: 4 and 0, of which no square root is inexact. */
        snprintf(body, sizeof body,
                 "mov.b32 %%r1, 0x40800000;\nmov.b64 %%d2, 0x4010000000000000;\n"
                 "and.b32 %%r3, %%r0, 1;\nsetp.ne.u32 %%p1, %%r3, 0;\n"
                 "@%%p1 mov.b32 %%r1, 0x7f800001;\n@%%p1 mov.b64 %%d2, 0x7ff0000000000001;\n"
                 "@!%%p1 %s\n",
                 ops[i]);
        feclearexcept(FE_ALL_EXCEPT);
        assert_int_equal(test_run_body(&gpu, body, 32), 0);
        if (fetestexcept(FE_INVALID)) {
            fail_msg("%s: looks at a lane that does not execute", ops[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arithmetic), cmocka_unit_test(comparisons),
                                       cmocka_unit_test(conversions), cmocka_unit_test(halves),
                                       cmocka_unit_test(lanes_that_do_not_execute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
