/* test_ptx_int.c - integer, logic, shift and bit-field instructions against the PTX ISA's formulas,
 * written out here with wider arithmetic; corner values and random lanes.
 */
#include "test_ptx.h"

typedef unsigned __int128 u128;
typedef __int128 s128;
typedef uint64_t u64;

static const u64 corners[] = {0,
                              1,
                              2,
                              3,
                              5,
                              7,
                              8,
                              15,
                              16,
                              24,
                              31,
                              32,
                              33,
                              63,
                              64,
                              65,
                              127,
                              128,
                              255,
                              256,
                              0x7fff,
                              0x8000,
                              0x8001,
                              0xffff,
                              0x10000,
                              0x7fffff,
                              0x800000,
                              0xffffff,
                              0x7fffffff,
                              0x80000000,
                              0x80000001,
                              0xfffffffe,
                              0xffffffff,
                              UINT64_C(0x100000000),
                              INT64_MAX,
                              (u64)INT64_MIN,
                              (u64)INT64_MIN + 1,
                              UINT64_MAX - 1,
                              UINT64_MAX,
                              UINT64_C(0xffffffff80000000),
                              0x12345678};

static s128 sx(u64 v, int bits)
{
    s128 one = 1, value = (s128)v & ((one << bits) - 1);
    return (value >> (bits - 1)) != 0 ? value - (one << bits) : value;
}

#define FN(name, expression) \
    static u64 name(u64 a, u64 b, u64 c) \
    { \
        (void)a, (void)b, (void)c; \
        return (u64)(expression); \
    }
FN(e_add, a + b)
FN(e_sub, a - b)
FN(e_mul, a *b)
static s128 clamp32(s128 v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}
FN(e_add_sat, clamp32(sx(a, 32) + sx(b, 32)))
FN(e_sub_sat, clamp32(sx(a, 32) - sx(b, 32)))
FN(e_hi_u16, (a * b) >> 16)
FN(e_hi_s16, (sx(a, 16) * sx(b, 16)) >> 16)
FN(e_hi_u32, (a * b) >> 32)
FN(e_hi_s32, (sx(a, 32) * sx(b, 32)) >> 32)
FN(e_hi_u64, ((u128)a * b) >> 64)
FN(e_hi_s64, (sx(a, 64) * sx(b, 64)) >> 64)
FN(e_wide_s16, sx(a, 16) * sx(b, 16))
FN(e_wide_s32, sx(a, 32) * sx(b, 32))
FN(e_mad, a *b + c)
FN(e_mad_wide_s32, sx(a, 32) * sx(b, 32) + sx(c, 64))
FN(e_mad_wide_s16, sx(a, 16) * sx(b, 16) + sx(c, 32))
FN(e_mad_hi_s32, ((sx(a, 32) * sx(b, 32)) >> 32) + sx(c, 32))
FN(e_mad_hi_u32, ((a * b) >> 32) + c)
FN(e_mad_hi_sat, clamp32(((sx(a, 32) * sx(b, 32)) >> 32) + sx(c, 32)))
FN(e_mad_hi_u64, (u64)(((u128)a * b) >> 64) + c)
FN(e_mad_hi_s64, (u64)((sx(a, 64) * sx(b, 64)) >> 64) + c)
FN(e_mul24_u, (a & 0xffffff) * (b & 0xffffff))
FN(e_mul24_s, sx(a, 24) * sx(b, 24))
FN(e_mul24_hi_u, ((a & 0xffffff) * (b & 0xffffff)) >> 16)
FN(e_mul24_hi_s, (sx(a, 24) * sx(b, 24)) >> 16)
FN(e_mad24_s, sx(a, 24) * sx(b, 24) + (s128)c)
FN(e_div_u, b == 0 ? UINT64_MAX : a / b)
FN(e_div_s16, sx(b, 16) == 0 ? -1 : sx(a, 16) / sx(b, 16))
FN(e_div_s32, sx(b, 32) == 0 ? -1 : sx(a, 32) / sx(b, 32))
FN(e_div_s64, sx(b, 64) == 0 ? -1 : sx(a, 64) / sx(b, 64))
FN(e_rem_u, b == 0 ? a : a % b)
FN(e_rem_s16, sx(b, 16) == 0 ? sx(a, 16) : sx(a, 16) % sx(b, 16))
FN(e_rem_s32, sx(b, 32) == 0 ? sx(a, 32) : sx(a, 32) % sx(b, 32))
FN(e_rem_s64, sx(b, 64) == 0 ? sx(a, 64) : sx(a, 64) % sx(b, 64))
FN(e_min_u, a < b ? a : b)
FN(e_max_u, a > b ? a : b)
#define MINMAX(n) \
    FN(e_min_s##n, sx(a, n) < sx(b, n) ? a : b) \
    FN(e_max_s##n, sx(a, n) > sx(b, n) ? a : b) \
    FN(e_abs_s##n, sx(a, n) < 0 ? -sx(a, n) : sx(a, n)) \
    FN(e_sad_s##n, (sx(a, n) < sx(b, n) ? sx(b, n) - sx(a, n) : sx(a, n) - sx(b, n)) + (s128)c)
MINMAX(16)
MINMAX(32)
MINMAX(64)
FN(e_neg, 0 - a)
FN(e_sad_u, (a < b ? b - a : a - b) + c)
FN(e_and, a &b)
FN(e_or, a | b)
FN(e_xor, a ^ b)
FN(e_not, ~a)
FN(e_cnot, a == 0)
FN(e_shl, b > 63 ? 0 : (u128)a << b)
FN(e_shr_u, b > 63 ? 0 : a >> b)
FN(e_shr_s16, sx(a, 16) >> (b > 100 ? 100 : b))
FN(e_shr_s32, sx(a, 32) >> (b > 100 ? 100 : b))
FN(e_shr_s64, sx(a, 64) >> (b > 100 ? 100 : b))

static u64 e_popc(u64 a, u64 b, u64 c)
{
    (void)b, (void)c;
    u64 n = 0;
    for (; a != 0; a >>= 1) {
        n += a & 1;
    }
    return n;
}

static u64 leading(u64 a, int width)
{
    u64 n = 0;
    for (int i = width - 1; i >= 0 && (a >> i & 1) == 0; i--) {
        n++;
    }
    return n;
}
FN(e_clz32, leading(a, 32))
FN(e_clz64, leading(a, 64))

static u64 reversed(u64 a, int width)
{
    u64 r = 0;
    for (int i = 0; i < width; i++) {
        r |= (a >> i & 1) << (width - 1 - i);
    }
    return r;
}
FN(e_brev32, reversed(a, 32))
FN(e_brev64, reversed(a, 64))

static u64 found(u64 a, int width, bool is_signed, bool shift)
{
    u64 sign = is_signed ? a >> (width - 1) & 1 : 0;
    for (int i = width - 1; i >= 0; i--) {
        if ((a >> i & 1) != sign) {
            return (u64)(shift ? width - 1 - i : i);
        }
    }
    return UINT64_MAX;
}
FN(e_bfind_u32, found(a, 32, false, false))
FN(e_bfind_s32, found(a, 32, true, false))
FN(e_bfind_s64, found(a, 64, true, false))
FN(e_bfind_shift_u64, found(a, 64, false, true))
FN(e_bfind_shift_s32, found(a, 32, true, true))

/* The loops of the manual. */
static u64 bfe(u64 a, u64 b, u64 c, int msb, bool is_signed)
{
    int pos = (int)(b & 0xff), len = (int)(c & 0xff);
    int top = pos + len - 1 < msb ? pos + len - 1 : msb;
    u64 sbit = !is_signed || len == 0 ? 0 : a >> top & 1, d = 0;
    for (int i = 0; i <= msb; i++) {
        d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit) << i;
    }
    return d;
}
FN(e_bfe_u32, bfe(a, b, c, 31, false))
FN(e_bfe_s32, bfe(a, b, c, 31, true))
FN(e_bfe_u64, bfe(a, b, c, 63, false))
FN(e_bfe_s64, bfe(a, b, c, 63, true))

static u64 bfi(u64 a, u64 b, u64 c, int msb, int len)
{
    int pos = (int)(c & 0xff);
    for (int i = 0; i < len && pos + i <= msb; i++) {
        u64 bit = UINT64_C(1) << (pos + i);
        b = (a >> i & 1) != 0 ? b | bit : b & ~bit;
    }
    return b;
}
FN(e_bfi32_5, bfi(a, b, c, 31, 5))
FN(e_bfi64_40, bfi(a, b, c, 63, 40))

static u64 lop(u64 a, u64 b, u64 c, unsigned table)
{
    u64 r = 0;
    for (int i = 0; i < 32; i++) {
        unsigned index = (unsigned)((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1));
        r |= (u64)(table >> index & 1) << i;
    }
    return r;
}
FN(e_lop3_96, lop(a, b, c, 0x96))
FN(e_lop3_1b, lop(a, b, c, 0x1b))

static u64 prmt(u64 a, u64 b, const unsigned *selector)
{
    u64 r = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned s = selector[i];
        u64 byte = ((s & 7) < 4 ? a >> (8 * (s & 7)) : b >> (8 * ((s & 7) - 4))) & 0xff;
        byte = (s & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xff : 0;
        r |= byte << (8 * i);
    }
    return r;
}

static u64 e_prmt(u64 a, u64 b, u64 c)
{
    unsigned s[] = {c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15};
    return prmt(a, b, s);
}

/* The tables of the manual, selector value by byte, most significant byte first there. */
#define PRMT_MODE(name, s0, s1, s2, s3) \
    static u64 name(u64 a, u64 b, u64 c) \
    { \
        static const unsigned table[4][4] = {s0, s1, s2, s3}; \
        const unsigned *t = table[c & 3]; \
        unsigned s[] = {t[3], t[2], t[1], t[0]}; \
        return prmt(a, b, s); \
    }
#define ROW(...) \
    { \
        __VA_ARGS__ \
    }
PRMT_MODE(e_prmt_f4e, ROW(3, 2, 1, 0), ROW(4, 3, 2, 1), ROW(5, 4, 3, 2), ROW(6, 5, 4, 3))
PRMT_MODE(e_prmt_b4e, ROW(5, 6, 7, 0), ROW(6, 7, 0, 1), ROW(7, 0, 1, 2), ROW(0, 1, 2, 3))
PRMT_MODE(e_prmt_rc8, ROW(0, 0, 0, 0), ROW(1, 1, 1, 1), ROW(2, 2, 2, 2), ROW(3, 3, 3, 3))
PRMT_MODE(e_prmt_ecl, ROW(3, 2, 1, 0), ROW(3, 2, 1, 1), ROW(3, 2, 2, 2), ROW(3, 3, 3, 3))
PRMT_MODE(e_prmt_ecr, ROW(0, 0, 0, 0), ROW(1, 1, 1, 0), ROW(2, 2, 1, 0), ROW(3, 2, 1, 0))
PRMT_MODE(e_prmt_rc16, ROW(1, 0, 1, 0), ROW(3, 2, 3, 2), ROW(1, 0, 1, 0), ROW(3, 2, 3, 2))

FN(e_shf_l_wrap, (c & 31) == 0 ? b : b << (c & 31) | a >> (32 - (c & 31)))
FN(e_shf_l_clamp, c >= 32 ? a : c == 0 ? b : b << c | a >> (32 - c))
FN(e_shf_r_wrap, (c & 31) == 0 ? a : b << (32 - (c & 31)) | a >> (c & 31))
FN(e_shf_r_clamp, c >= 32 ? b : c == 0 ? a : b << (32 - c) | a >> c)

static u64 dot4(u64 a, u64 b, u64 c, bool sa, bool sb)
{
    s128 sum = (s128)c;
    for (int i = 0; i < 32; i += 8) {
        sum += (sa ? sx(a >> i, 8) : (s128)(a >> i & 255)) *
               (sb ? sx(b >> i, 8) : (s128)(b >> i & 255));
    }
    return (u64)sum;
}
FN(e_dp4a_uu, dot4(a, b, c, false, false))
FN(e_dp4a_su, dot4(a, b, c, true, false))
FN(e_dp4a_ss, dot4(a, b, c, true, true))
FN(e_dp2a_lo_ss, (s128)c + sx(a, 16) * sx(b, 8) + sx(a >> 16, 16) * sx(b >> 8, 8))
FN(e_dp2a_hi_us, (s128)c + (s128)(a & 0xffff) * sx(b >> 16, 8) + (s128)(a >> 16) * sx(b >> 24, 8))

static u64 e_fns(u64 a, u64 b, u64 c)
{
    int64_t n = (int64_t)sx(c, 32), count = 0;
    if (b > 31) {
        return UINT64_MAX;
    }
    if (n == 0) {
        return (a >> b & 1) != 0 ? b : UINT64_MAX;
    }
    for (int64_t i = (int64_t)b; i >= 0 && i <= 31; i += n > 0 ? 1 : -1) {
        count += (int64_t)(a >> i & 1);
        if (count == (n > 0 ? n : -n)) {
            return (u64)i;
        }
    }
    return UINT64_MAX;
}
FN(e_szext_s, b == 0 ? 0 : b > 31 ? a : (u64)sx(a & ((UINT64_C(1) << b) - 1), (int)b))
FN(e_bmsk, b > 63 ? 0
                  : (UINT64_C(0xffffffff) &
                     ((c >= 32 ? UINT64_C(0xffffffff) : (UINT64_C(1) << c) - 1) << b)))
static u64 e_bmsk2(u64 a, u64 b, u64 c)
{
    (void)c;
    return e_bmsk(0, a, b);
}

static const struct test_op ops[] = {{"add.u16", "hhh", e_add, NULL},
                                     {"add.s32", "www", e_add, NULL},
                                     {"add.u64", "ddd", e_add, NULL},
                                     {"add.sat.s32", "www", e_add_sat, NULL},
                                     {"sub.s16", "hhh", e_sub, NULL},
                                     {"sub.u32", "www", e_sub, NULL},
                                     {"sub.s64", "ddd", e_sub, NULL},
                                     {"sub.sat.s32", "www", e_sub_sat, NULL},
                                     {"mul.lo.u16", "hhh", e_mul, NULL},
                                     {"mul.lo.s32", "www", e_mul, NULL},
                                     {"mul.lo.u64", "ddd", e_mul, NULL},
                                     {"mul.hi.u16", "hhh", e_hi_u16, NULL},
                                     {"mul.hi.s16", "hhh", e_hi_s16, NULL},
                                     {"mul.hi.u32", "www", e_hi_u32, NULL},
                                     {"mul.hi.s32", "www", e_hi_s32, NULL},
                                     {"mul.hi.u64", "ddd", e_hi_u64, NULL},
                                     {"mul.hi.s64", "ddd", e_hi_s64, NULL},
                                     {"mul.wide.u16", "whh", e_mul, NULL},
                                     {"mul.wide.s16", "whh", e_wide_s16, NULL},
                                     {"mul.wide.u32", "dww", e_mul, NULL},
                                     {"mul.wide.s32", "dww", e_wide_s32, NULL},
                                     {"mad.lo.s16", "hhhh", e_mad, NULL},
                                     {"mad.lo.u32", "wwww", e_mad, NULL},
                                     {"mad.lo.s64", "dddd", e_mad, NULL},
                                     {"mad.hi.s32", "wwww", e_mad_hi_s32, NULL},
                                     {"mad.hi.u32", "wwww", e_mad_hi_u32, NULL},
                                     {"mad.hi.sat.s32", "wwww", e_mad_hi_sat, NULL},
                                     {"mad.hi.u64", "dddd", e_mad_hi_u64, NULL},
                                     {"mad.hi.s64", "dddd", e_mad_hi_s64, NULL},
                                     {"mad.wide.u32", "dwwd", e_mad, NULL},
                                     {"mad.wide.s32", "dwwd", e_mad_wide_s32, NULL},
                                     {"mad.wide.u16", "whhw", e_mad, NULL},
                                     {"mad.wide.s16", "whhw", e_mad_wide_s16, NULL},
                                     {"mul24.lo.u32", "www", e_mul24_u, NULL},
                                     {"mul24.lo.s32", "www", e_mul24_s, NULL},
                                     {"mul24.hi.u32", "www", e_mul24_hi_u, NULL},
                                     {"mul24.hi.s32", "www", e_mul24_hi_s, NULL},
                                     {"mad24.lo.s32", "wwww", e_mad24_s, NULL},
                                     {"div.u16", "hhh", e_div_u, NULL},
                                     {"div.s16", "hhh", e_div_s16, NULL},
                                     {"div.u32", "www", e_div_u, NULL},
                                     {"div.s32", "www", e_div_s32, NULL},
                                     {"div.u64", "ddd", e_div_u, NULL},
                                     {"div.s64", "ddd", e_div_s64, NULL},
                                     {"rem.u16", "hhh", e_rem_u, NULL},
                                     {"rem.s16", "hhh", e_rem_s16, NULL},
                                     {"rem.u32", "www", e_rem_u, NULL},
                                     {"rem.s32", "www", e_rem_s32, NULL},
                                     {"rem.u64", "ddd", e_rem_u, NULL},
                                     {"rem.s64", "ddd", e_rem_s64, NULL},
                                     {"min.u16", "hhh", e_min_u, NULL},
                                     {"min.u32", "www", e_min_u, NULL},
                                     {"min.u64", "ddd", e_min_u, NULL},
                                     {"max.u16", "hhh", e_max_u, NULL},
                                     {"max.u32", "www", e_max_u, NULL},
                                     {"max.u64", "ddd", e_max_u, NULL},
                                     {"min.s16", "hhh", e_min_s16, NULL},
                                     {"min.s32", "www", e_min_s32, NULL},
                                     {"min.s64", "ddd", e_min_s64, NULL},
                                     {"max.s16", "hhh", e_max_s16, NULL},
                                     {"max.s32", "www", e_max_s32, NULL},
                                     {"max.s64", "ddd", e_max_s64, NULL},
                                     {"abs.s16", "hh", e_abs_s16, NULL},
                                     {"abs.s32", "ww", e_abs_s32, NULL},
                                     {"abs.s64", "dd", e_abs_s64, NULL},
                                     {"neg.s16", "hh", e_neg, NULL},
                                     {"neg.s32", "ww", e_neg, NULL},
                                     {"neg.s64", "dd", e_neg, NULL},
                                     {"sad.u16", "hhhh", e_sad_u, NULL},
                                     {"sad.u32", "wwww", e_sad_u, NULL},
                                     {"sad.u64", "dddd", e_sad_u, NULL},
                                     {"sad.s16", "hhhh", e_sad_s16, NULL},
                                     {"sad.s32", "wwww", e_sad_s32, NULL},
                                     {"sad.s64", "dddd", e_sad_s64, NULL},
                                     {"and.b16", "hhh", e_and, NULL},
                                     {"and.b32", "www", e_and, NULL},
                                     {"and.b64", "ddd", e_and, NULL},
                                     {"or.b16", "hhh", e_or, NULL},
                                     {"or.b32", "www", e_or, NULL},
                                     {"or.b64", "ddd", e_or, NULL},
                                     {"xor.b16", "hhh", e_xor, NULL},
                                     {"xor.b32", "www", e_xor, NULL},
                                     {"xor.b64", "ddd", e_xor, NULL},
                                     {"and.pred", "ppp", e_and, NULL},
                                     {"or.pred", "ppp", e_or, NULL},
                                     {"xor.pred", "ppp", e_xor, NULL},
                                     {"not.pred", "pp", e_cnot, NULL},
                                     {"not.b16", "hh", e_not, NULL},
                                     {"not.b32", "ww", e_not, NULL},
                                     {"not.b64", "dd", e_not, NULL},
                                     {"cnot.b16", "hh", e_cnot, NULL},
                                     {"cnot.b32", "ww", e_cnot, NULL},
                                     {"cnot.b64", "dd", e_cnot, NULL},
                                     {"shl.b16", "hhw", e_shl, NULL},
                                     {"shl.b32", "www", e_shl, NULL},
                                     {"shl.b64", "ddw", e_shl, NULL},
                                     {"shr.u16", "hhw", e_shr_u, NULL},
                                     {"shr.u32", "www", e_shr_u, NULL},
                                     {"shr.u64", "ddw", e_shr_u, NULL},
                                     {"shr.b32", "www", e_shr_u, NULL},
                                     {"shr.s16", "hhw", e_shr_s16, NULL},
                                     {"shr.s32", "www", e_shr_s32, NULL},
                                     {"shr.s64", "ddw", e_shr_s64, NULL},
                                     {"popc.b32", "ww", e_popc, NULL},
                                     {"popc.b64", "wd", e_popc, NULL},
                                     {"clz.b32", "ww", e_clz32, NULL},
                                     {"clz.b64", "wd", e_clz64, NULL},
                                     {"brev.b32", "ww", e_brev32, NULL},
                                     {"brev.b64", "dd", e_brev64, NULL},
                                     {"bfind.u32", "ww", e_bfind_u32, NULL},
                                     {"bfind.s32", "ww", e_bfind_s32, NULL},
                                     {"bfind.s64", "wd", e_bfind_s64, NULL},
                                     {"bfind.shiftamt.u64", "wd", e_bfind_shift_u64, NULL},
                                     {"bfind.shiftamt.s32", "ww", e_bfind_shift_s32, NULL},
                                     {"bfe.u32", "wwww", e_bfe_u32, NULL},
                                     {"bfe.s32", "wwww", e_bfe_s32, NULL},
                                     {"bfe.u64", "ddww", e_bfe_u64, NULL},
                                     {"bfe.s64", "ddww", e_bfe_s64, NULL},
                                     {"bfi.b32", "wwww", e_bfi32_5, "5"},
                                     {"bfi.b64", "dddw", e_bfi64_40, "40"},
                                     {"lop3.b32", "wwww", e_lop3_96, "0x96"},
                                     {"lop3.b32", "wwww", e_lop3_1b, "0x1b"},
                                     {"prmt.b32", "wwww", e_prmt, NULL},
                                     {"prmt.b32.f4e", "wwww", e_prmt_f4e, NULL},
                                     {"prmt.b32.b4e", "wwww", e_prmt_b4e, NULL},
                                     {"prmt.b32.rc8", "wwww", e_prmt_rc8, NULL},
                                     {"prmt.b32.ecl", "wwww", e_prmt_ecl, NULL},
                                     {"prmt.b32.ecr", "wwww", e_prmt_ecr, NULL},
                                     {"prmt.b32.rc16", "wwww", e_prmt_rc16, NULL},
                                     {"shf.l.wrap.b32", "wwww", e_shf_l_wrap, NULL},
                                     {"shf.l.clamp.b32", "wwww", e_shf_l_clamp, NULL},
                                     {"shf.r.wrap.b32", "wwww", e_shf_r_wrap, NULL},
                                     {"shf.r.clamp.b32", "wwww", e_shf_r_clamp, NULL},
                                     {"dp4a.u32.u32", "wwww", e_dp4a_uu, NULL},
                                     {"dp4a.s32.u32", "wwww", e_dp4a_su, NULL},
                                     {"dp4a.s32.s32", "wwww", e_dp4a_ss, NULL},
                                     {"dp2a.lo.s32.s32", "wwww", e_dp2a_lo_ss, NULL},
                                     {"dp2a.hi.u32.s32", "wwww", e_dp2a_hi_us, NULL},
                                     {"fns.b32", "wwww", e_fns, NULL},
                                     {"szext.clamp.s32", "www", e_szext_s, NULL},
                                     {"bmsk.clamp.b32", "www", e_bmsk2, NULL}};

static void every_instruction(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        test_op(&ops[i], corners, sizeof(corners) / sizeof(corners[0]));
    }
}

/* 128-bit sums and products out of carries. */
static void extended_precision(void **state)
{
    (void)state;
    static const char body[] =
        "mul.wide.u32 %d2, %r0, 64;\nadd.u64 %d2, %d2, %d0;\n"
        "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%d2];\nld.global.v4.u32 {%r5,%r6,%r7,%r8}, "
        "[%d2+16];\n"
        "add.cc.u32 %r11, %r1, %r5;\naddc.cc.u32 %r12, %r2, %r6;\naddc.cc.u32 %r13, %r3, %r7;\n"
        "addc.u32 %r14, %r4, %r8;\nst.global.v4.u32 [%d2+32], {%r11,%r12,%r13,%r14};\n"
        "mov.b64 %d3, {%r1,%r2};\nmov.b64 %d4, {%r3,%r4};\nmov.b64 %d5, {%r5,%r6};\n"
        "mov.b64 %d6, {%r7,%r8};\nsub.cc.u64 %d7, %d3, %d5;\nsubc.u64 %d8, %d4, %d6;\n"
        "st.global.v2.u64 [%d2+48], {%d7,%d8};\n"
        "mad.lo.cc.u32 %r15, %r1, %r2, %r3;\nmadc.hi.u32 %r16, %r1, %r2, %r4;\n"
        "st.global.v2.u32 [%d2+16384], {%r15,%r16};\nret;";
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t random = 12345;
    for (size_t i = 0; i < 32 * 64; i++) {
        uint64_t v = test_random(&random);
        gpu->memory[i] = (v >> 9 & 3) == 0 ? 0xff : (v >> 9 & 3) == 1 ? 0 : (uint8_t)(v >> 20);
    }
    struct test_gpu *before = malloc(sizeof(*before));
    memcpy(before, gpu, sizeof(*gpu));
    assert_int_equal(test_run_body(gpu, body, 32), 0);
    for (size_t i = 0; i < 32; i++) {
        u128 a, b, sum, difference;
        uint32_t w[4];
        uint64_t product;
        memcpy(&a, before->memory + i * 64, 16);
        memcpy(&b, before->memory + i * 64 + 16, 16);
        memcpy(w, before->memory + i * 64, 16);
        memcpy(&sum, gpu->memory + i * 64 + 32, 16);
        memcpy(&difference, gpu->memory + i * 64 + 48, 16);
        memcpy(&product, gpu->memory + 16384 + i * 64, 8);
        assert_true(sum == a + b);
        assert_true(difference == a - b);
        assert_int_equal(product, (u64)w[0] * w[1] + ((u64)w[3] << 32 | w[2]));
    }
    free(before);
    free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction),
                                       cmocka_unit_test(extended_precision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
