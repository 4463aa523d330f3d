/* ptx_int_math.h - integer arithmetic of one lane that C leaves undefined or lacks
 * (PTX ISA, "Integer Arithmetic Instructions").  Knows numbers only.
 */
#ifndef WARPLOCK_PTX_INT_MATH_H
#define WARPLOCK_PTX_INT_MATH_H

#include <stdint.h>

static inline uint32_t ptx_saturate_s32(int64_t v)
{
    return (uint32_t)(int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

static inline uint64_t ptx_mul_hi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline uint64_t ptx_mul_hi_s64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)((__int128)(int64_t)a * (int64_t)b) >> 64);
}

/* Product of the low 24 bits, signed: 48 bits. */
static inline int64_t ptx_mul24_s(uint32_t a, uint32_t b)
{
    return (int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8);
}

/* Division: all ones for a zero divisor; INT_MIN / -1 wraps. */
static inline uint32_t ptx_div_s32(int32_t a, int32_t b)
{
    if (b == 0) {
        return UINT32_MAX;
    }
    return b == -1 ? 0 - (uint32_t)a : (uint32_t)(a / b);
}

static inline uint64_t ptx_div_s64(int64_t a, int64_t b)
{
    if (b == 0) {
        return UINT64_MAX;
    }
    return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static inline uint32_t ptx_rem_s32(int32_t a, int32_t b)
{
    if (b == 0) {
        return (uint32_t)a;
    }
    return b == -1 ? 0 : (uint32_t)(a % b);
}

static inline uint64_t ptx_rem_s64(int64_t a, int64_t b)
{
    if (b == 0) {
        return (uint64_t)a;
    }
    return b == -1 ? 0 : (uint64_t)(a % b);
}

/* c plus the products of four bytes; `mode` bit 0: a signed, bit 1: b signed. */
static inline uint32_t ptx_dot4(uint32_t a, uint32_t b, uint32_t c, unsigned mode)
{
    for (unsigned i = 0; i < 32; i += 8) {
        int32_t p = (mode & 1) != 0 ? (int8_t)(a >> i) : (int32_t)(a >> i & 0xff);
        int32_t q = (mode & 2) != 0 ? (int8_t)(b >> i) : (int32_t)(b >> i & 0xff);
        c += (uint32_t)(p * q);
    }
    return c;
}

/* c plus the products of two 16-bit parts of a with two bytes of b; bit 2: the upper two. */
static inline uint32_t ptx_dot2(uint32_t a, uint32_t b, uint32_t c, unsigned mode)
{
    b = (mode & 4) != 0 ? b >> 16 : b;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t p16 = a >> (16 * i) & 0xffff, q8 = b >> (8 * i) & 0xff;
        int32_t p = (mode & 1) != 0 ? (int16_t)p16 : (int32_t)p16;
        int32_t q = (mode & 2) != 0 ? (int8_t)q8 : (int32_t)q8;
        c += (uint32_t)(p * q);
    }
    return c;
}

/* The low `n_bits` ones; 64 and more: all. */
static inline uint64_t ptx_field_mask(uint32_t n_bits)
{
    return n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}

#endif
