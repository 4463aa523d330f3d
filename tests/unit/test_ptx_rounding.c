/* test_ptx_rounding.c - every rounding mode that test_ptx_float.c leaves out, against the processor under
 * fesetround; halves of both kinds against numbers of 113 bits, in which sums and products of theirs are
 * exact, rounded by search among the values of the format.  Signed zeros, subnormals, infinities, NaNs.
 */
#include <fenv.h>
#include <math.h>

#include "test_ptx.h"
#include "test_ptx_bits.h"

#ifdef __SIZEOF_FLOAT128__
typedef __float128 wide;
#else
typedef long double wide; /* of 113 bits where there is no other */
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const u64 f32_corners[] = {
    0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x800000,   0x80800000, 0x3f800000,
    0xbf800000, 0x3f800001, 0x3f7fffff, 0x40400000, 0x3f000000, 0x33800000, 0x4b7fffff, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x00ffffff, 0x7e800001, 0x20000001};
static const u64 f64_corners[] = {0,
                                  UINT64_C(1) << 63,
                                  1,
                                  UINT64_C(0x000fffffffffffff),
                                  UINT64_C(0x0010000000000000),
                                  UINT64_C(0x3ff0000000000000),
                                  UINT64_C(0xbff0000000000000),
                                  UINT64_C(0x3ff0000000000001),
                                  UINT64_C(0x4008000000000000),
                                  UINT64_C(0x7fefffffffffffff),
                                  UINT64_C(0xffefffffffffffff),
                                  UINT64_C(0x7ff0000000000000),
                                  UINT64_C(0xfff0000000000000),
                                  UINT64_C(0x7ff8000000000000),
                                  UINT64_C(0x3ca0000000000000),
                                  UINT64_C(0x40effc0000000001),
                                  UINT64_C(0x40f0000000000000),
                                  UINT64_C(0xc0effe0000000000),
                                  UINT64_C(0x3f00000000000001),
                                  UINT64_C(0xbe70000000000000),
                                  UINT64_C(0x3e70000000000001),
                                  UINT64_C(0x3f10040000000000),
                                  UINT64_C(0x0000000001000001)};

static float sat(float v)
{
    return isnan(v) || v <= 0 ? 0 : v > 1 ? 1 : v;
}

#define KEEP(v) (v)
#define MODE_FN(name, mode, T, in, out, zero, expression) \
    static u64 name(u64 ra, u64 rb, u64 rc) \
    { \
        volatile T a = zero(in(ra)), b = zero(in(rb)), c = zero(in(rc)), r; \
        (void)a, (void)b, (void)c; \
        fesetround(mode); \
        r = (expression); \
        fesetround(FE_TONEAREST); \
        return out(r); \
    }
#define MODES(name, T, in, out, zero, expression) \
    MODE_FN(name##_rn, FE_TONEAREST, T, in, out, zero, expression) \
    MODE_FN(name##_rz, FE_TOWARDZERO, T, in, out, zero, expression) \
    MODE_FN(name##_rm, FE_DOWNWARD, T, in, out, zero, expression) \
    MODE_FN(name##_rp, FE_UPWARD, T, in, out, zero, expression)
#define FLUSHED(v) fb(fz(v))
#define SATURATED(v) fb(sat(v))
MODES(subf, float, f, fb, KEEP, a - b)
MODES(subd, double, d, db, KEEP, a - b)
MODES(rcpf, float, f, fb, KEEP, 1.0f / a)
MODES(rcpd, double, d, db, KEEP, 1.0 / a)
MODES(addf_ftz, float, f, FLUSHED, fz, a + b)
MODES(mulf_ftz, float, f, FLUSHED, fz, a *b)
MODES(fmaf_ftz, float, f, FLUSHED, fz, fmaf(a, b, c))
MODES(addf_sat, float, f, SATURATED, KEEP, a + b)
MODES(mulf_sat, float, f, SATURATED, KEEP, a *b)
MODES(fmaf_sat, float, f, SATURATED, KEEP, fmaf(a, b, c))
MODES(fmad_, double, d, db, KEEP, fma(a, b, c))

#define FOUR(first, last, shape, name) \
    {first ".rn" last, shape, name##_rn, NULL}, {first ".rz" last, shape, name##_rz, NULL}, \
        {first ".rm" last, shape, name##_rm, NULL}, \
    { \
        first ".rp" last, shape, name##_rp, NULL \
    }
static const struct test_op f32_ops[] = {
    FOUR("sub", ".f32", "www", subf),          FOUR("rcp", ".f32", "ww", rcpf),
    FOUR("add", ".ftz.f32", "www", addf_ftz),  FOUR("mul", ".ftz.f32", "www", mulf_ftz),
    FOUR("fma", ".ftz.f32", "wwww", fmaf_ftz), FOUR("add", ".sat.f32", "www", addf_sat),
    FOUR("mul", ".sat.f32", "www", mulf_sat),  FOUR("fma", ".sat.f32", "wwww", fmaf_sat)};
static const struct test_op f64_ops[] = {FOUR("sub", ".f64", "ddd", subd),
                                         FOUR("rcp", ".f64", "dd", rcpd),
                                         FOUR("mad", ".f64", "dddd", fmad_)};

static void directed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(f32_ops); i++) {
        test_op(&f32_ops[i], f32_corners, COUNT(f32_corners));
    }
    for (size_t i = 0; i < COUNT(f64_ops); i++) {
        test_op(&f64_ops[i], f64_corners, COUNT(f64_corners));
    }
}

/* ---- halves ---- */

enum kind { F16, BF16 };

/* The value of a pattern; of the one behind the largest finite what would follow it. */
static double magnitude(uint32_t bits, enum kind kind)
{
    int fraction = kind == F16 ? 10 : 7, bias = kind == F16 ? 15 : 127;
    int exponent = (int)(bits >> fraction);
    double significand = bits & ((1u << fraction) - 1);
    return exponent == 0 ? ldexp(significand, 1 - bias - fraction)
                         : ldexp(significand + (1 << fraction), exponent - bias - fraction);
}

static wide of(u64 bits, enum kind kind)
{
    uint32_t infinity = kind == F16 ? 0x7c00 : 0x7f80, low = bits & 0x7fff;
    double v = low > infinity    ? (double)NAN
               : low == infinity ? (double)INFINITY
                                 : magnitude(low, kind);
    return (bits & 0x8000) != 0 ? -v : v;
}

enum mode { NEAREST, TO_ZERO, DOWN, UP };

static u64 rounded(wide v, enum kind kind, enum mode mode)
{
    uint32_t low = 0, high = kind == F16 ? 0x7c00 : 0x7f80; /* magnitude(low) <= |v| */
    uint32_t sign = signbit((double)v) ? 0x8000 : 0;
    wide size = sign != 0 ? -v : v, middle;
    if (v != v) {
        return 0x7fff;
    }
    bool away = mode == DOWN ? sign != 0 : mode == UP && sign == 0;
    if (size >= (wide)magnitude(high, kind)) {
        return sign | (size - size == 0 && mode != NEAREST && !away ? high - 1 : high);
    }
    while (high - low > 1) {
        uint32_t between = (low + high) / 2;
        *((wide)magnitude(between, kind) <= size ? &low : &high) = between;
    }
    if (mode != NEAREST) {
        return sign | (low + (away && size != (wide)magnitude(low, kind)));
    }
    middle = ((wide)magnitude(low, kind) + (wide)magnitude(low + 1, kind)) / 2;
    return sign | (low + (size > middle || (size == middle && (low & 1) != 0)));
}

static u64 nearest(wide v, enum kind kind)
{
    return rounded(v, kind, NEAREST);
}

/* a * b + c: where 113 bits do not hold the sum, what is lost only decides between neighbours. */
static wide fused(wide a, wide b, wide c)
{
    wide p = a * b, s = p + c;
    if (s == p && c != 0 && p != 0 && s - s == 0) {
        s += (c > 0 ? 1 : -1) * (p > 0 ? p : -p) * (wide)0x1p-100;
    }
    return s;
}

static u64 relu(u64 h)
{
    return h == 0x7fff || h < 0x8000 ? h : 0;
}

static u64 unit(u64 h, enum kind kind)
{
    uint32_t one = kind == F16 ? 0x3c00 : 0x3f80;
    return h >= 0x8000 || h == 0x7fff ? 0 : h > one ? one : h;
}

static u64 lesser(u64 a, u64 b, enum kind kind, bool nan)
{
    wide x = of(a, kind), y = of(b, kind);
    if (x != x || y != y) {
        return nan || (x != x && y != y) ? 0x7fff : x != x ? b : a;
    }
    return x < y || (x == y && a >= 0x8000) ? a : b;
}

#define HALF_FN(name, kind, expression) \
    static u64 name(u64 ra, u64 rb, u64 rc) \
    { \
        wide a = of(ra, kind), b = of(rb, kind), c = of(rc, kind); \
        (void)a, (void)b, (void)c; \
        return (expression); \
    }
#define HALVES(k, kind) \
    HALF_FN(k##add, kind, nearest(a + b, kind)) \
    HALF_FN(k##sub, kind, nearest(a - b, kind)) \
    HALF_FN(k##mul, kind, nearest(a *b, kind)) \
    HALF_FN(k##fma, kind, nearest(fused(a, b, c), kind)) \
    HALF_FN(k##relu, kind, relu(nearest(fused(a, b, c), kind))) \
    HALF_FN(k##min, kind, lesser(ra & 0xffff, rb & 0xffff, kind, false)) \
    HALF_FN(k##min_nan, kind, lesser(ra & 0xffff, rb & 0xffff, kind, true)) \
    HALF_FN(k##set, kind, a < b ? (kind == F16 ? 0x3c00 : 0x3f80) : 0) \
    HALF_FN(k##set_u32, kind, !(a >= b) ? 0xffffffff : 0) \
    HALF_FN(k##set_u16, kind, (a == b) != (rc & 1) ? 0xffff : 0)
HALVES(h, F16)
HALVES(b, BF16)
HALF_FN(hadd_sat, F16, unit(nearest(a + b, F16), F16))
HALF_FN(hfma_sat, F16, unit(nearest(fused(a, b, c), F16), F16))
HALF_FN(set_from_f32, F16, isless(f(ra), f(rb)) ? 0x3c00 : 0)
HALF_FN(set_from_s32, F16, (int32_t)ra < (int32_t)rb ? 0x3f80 : 0)
HALF_FN(set_from_f64, F16, !isless(d(ra), d(rb)) ? 0x3c00 : 0)

static u64 set_pair(u64 ra, u64 rb, u64 rc)
{
    return hset(ra, rb, rc) | hset(ra >> 16, rb >> 16, rc) << 16;
}

static u64 set_pair_u32(u64 ra, u64 rb, u64 rc)
{
    return (hset(ra, rb, rc) != 0 ? 0xffff : 0) |
           (hset(ra >> 16, rb >> 16, rc) != 0 ? 0xffff0000 : 0);
}

static const struct test_op half_ops[] = {{"add.rn.f16", "hhh", hadd, NULL},
                                          {"sub.rn.f16", "hhh", hsub, NULL},
                                          {"mul.rn.f16", "hhh", hmul, NULL},
                                          {"fma.rn.f16", "hhhh", hfma, NULL},
                                          {"fma.rn.relu.f16", "hhhh", hrelu, NULL},
                                          {"add.sat.f16", "hhh", hadd_sat, NULL},
                                          {"fma.rn.sat.f16", "hhhh", hfma_sat, NULL},
                                          {"min.f16", "hhh", hmin, NULL},
                                          {"min.NaN.f16", "hhh", hmin_nan, NULL},
                                          {"set.lt.f16.f16", "hhh", hset, NULL},
                                          {"set.ltu.u32.f16", "whh", hset_u32, NULL},
                                          {"set.eq.xor.u16.f16", "hhhp", hset_u16, NULL},
                                          {"set.lt.f16x2.f16x2", "www", set_pair, NULL},
                                          {"set.lt.u32.f16x2", "www", set_pair_u32, NULL},
                                          {"add.rn.bf16", "hhh", badd, NULL},
                                          {"sub.rn.bf16", "hhh", bsub, NULL},
                                          {"mul.rn.bf16", "hhh", bmul, NULL},
                                          {"fma.rn.bf16", "hhhh", bfma, NULL},
                                          {"fma.rn.relu.bf16", "hhhh", brelu, NULL},
                                          {"min.bf16", "hhh", bmin, NULL},
                                          {"min.NaN.bf16", "hhh", bmin_nan, NULL},
                                          {"set.lt.bf16.bf16", "hhh", bset, NULL},
                                          {"set.ltu.s32.bf16", "whh", bset_u32, NULL},
                                          {"set.eq.xor.s16.bf16", "hhhp", bset_u16, NULL}};
/* From f64 and f32 in every mode; integers to floats by the processor. */
HALF_FN(d_rn, F16, rounded(d(ra), F16, NEAREST))
HALF_FN(d_rz, F16, rounded(d(ra), F16, TO_ZERO))
HALF_FN(d_rm, F16, rounded(d(ra), F16, DOWN))
HALF_FN(d_rp, F16, rounded(d(ra), F16, UP))
HALF_FN(f_rn, F16, rounded(f(ra), F16, NEAREST))
HALF_FN(f_rz, F16, rounded(f(ra), F16, TO_ZERO))
HALF_FN(f_rm, F16, rounded(f(ra), F16, DOWN))
HALF_FN(f_rp, F16, rounded(f(ra), F16, UP))
HALF_FN(fb_rn, BF16, rounded(f(ra), BF16, NEAREST))
HALF_FN(fb_rz, BF16, rounded(f(ra), BF16, TO_ZERO))

#define FROM_FN(name, mode, S, T, out) \
    static u64 name(u64 ra, u64 rb, u64 rc) \
    { \
        volatile S a = (S)ra; \
        volatile T r; \
        (void)rb, (void)rc; \
        fesetround(mode); \
        r = (T)a; \
        fesetround(FE_TONEAREST); \
        return out(r); \
    }
#define FROM(name, S, T, out) \
    FROM_FN(name##_rn, FE_TONEAREST, S, T, out) \
    FROM_FN(name##_rz, FE_TOWARDZERO, S, T, out) \
    FROM_FN(name##_rm, FE_DOWNWARD, S, T, out) \
    FROM_FN(name##_rp, FE_UPWARD, S, T, out)
FROM(s32_f, int32_t, float, fb)
FROM(u32_f, uint32_t, float, fb)
FROM(s64_f, int64_t, float, fb)
FROM(u64_f, uint64_t, float, fb)
FROM(s64_d, int64_t, double, db)
FROM(u64_d, uint64_t, double, db)

static const struct test_op convert_ops[] = {
    FOUR("cvt", ".f16.f64", "hd", d),     FOUR("cvt", ".f32.s32", "ww", s32_f),
    FOUR("cvt", ".f32.u32", "ww", u32_f), FOUR("cvt", ".f32.s64", "wd", s64_f),
    FOUR("cvt", ".f32.u64", "wd", u64_f), FOUR("cvt", ".f64.s64", "dd", s64_d),
    FOUR("cvt", ".f64.u64", "dd", u64_d)};
static const struct test_op narrow_ops[] = {FOUR("cvt", ".f16.f32", "hw", f),
                                            {"cvt.rn.bf16.f32", "hw", fb_rn, NULL},
                                            {"cvt.rz.bf16.f32", "hw", fb_rz, NULL}};

static void conversions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(convert_ops); i++) {
        test_op(&convert_ops[i], f64_corners, COUNT(f64_corners));
    }
    for (size_t i = 0; i < COUNT(narrow_ops); i++) {
        test_op(&narrow_ops[i], f32_corners, COUNT(f32_corners));
    }
}

static const u64 half_corners[] = {0,      0x8000, 1,      0x8001, 0x7f,      0x80,   0x3ff,
                                   0x400,  0x8400, 0x3c00, 0xbc00, 0x3c01,    0x3f80, 0xbf80,
                                   0x3f81, 0x7bff, 0xfbff, 0x7c00, 0xfc00,    0x7e00, 0x7f7f,
                                   0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x0001ffff};

static void halves(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(half_ops); i++) {
        test_op(&half_ops[i], half_corners, COUNT(half_corners));
    }
}

static void half_results(void **state)
{
    static const struct test_op words[] = {{"set.lt.f16.f32", "hww", set_from_f32, NULL},
                                           {"set.lt.bf16.s32", "hww", set_from_s32, NULL}};
    static const struct test_op wides[] = {{"set.geu.f16.f64", "hdd", set_from_f64, NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        test_op(&words[i], f32_corners, COUNT(f32_corners));
    }
    test_op(&wides[0], f64_corners, COUNT(f64_corners));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(directed), cmocka_unit_test(halves),
                                       cmocka_unit_test(half_results),
                                       cmocka_unit_test(conversions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
