/* ptx_half_math.h - small float formats in software: .f16 and .bf16 (PTX ISA, "Fundamental Types",
 * IEEE 754), rounding a double to any of the narrower formats, and fused multiply-add by rounding
 * to odd.  Knows numbers only.
 */
#ifndef WARPLOCK_PTX_HALF_MATH_H
#define WARPLOCK_PTX_HALF_MATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PTX_NAN_F16 0x7fffu
#define PTX_NAN_F32 0x7fffffffu
#define PTX_NAN_F64 UINT64_C(0xfff8000000000000)

/* A binary float format: significand bits stored, exponent bits. */
struct ptx_format_bits {
    unsigned fraction, exponent;
};

#define PTX_FORMAT_F16 ((struct ptx_format_bits){10, 5})
#define PTX_FORMAT_BF16 ((struct ptx_format_bits){7, 8})
#define PTX_FORMAT_F32 ((struct ptx_format_bits){23, 8})

/* `value` rounded to the format; `mode` is enum ptx_rounding (0 nearest even, 1 zero, 2 down, 3
 * up). NaN gives the format's NaN with every bit but the sign set. */
uint32_t ptx_round_double(double value, struct ptx_format_bits format, unsigned mode);
double ptx_widen(uint32_t bits, struct ptx_format_bits format);

/* a * b + c, where a * b is exact in double: 53 bits, rounded to odd, so that one more rounding to
 * at most 51 bits is the correctly rounded fused result. */
static inline double ptx_fma_odd(double a, double b, double c)
{
    double p = a * b, s = p + c, t = s - p;
    double error = (p - (s - t)) + (c - t); /* TwoSum: exact */
    uint64_t bits;
    memcpy(&bits, &s, sizeof(bits));
    bool inexact = error > 0 || error < 0;
    bool away = (error > 0) == (s > 0); /* the exact value lies beyond s, seen from zero */
    uint64_t odd = away ? bits + 1 : bits - 1;
    bits = inexact && (bits & 1) == 0 ? odd : bits;
    memcpy(&s, &bits, sizeof(s));
    return s;
}

static inline uint16_t ptx_half_add(uint16_t a, uint16_t b)
{
    double sum = ptx_widen(a, PTX_FORMAT_F16) + ptx_widen(b, PTX_FORMAT_F16); /* exact */
    return (uint16_t)ptx_round_double(sum, PTX_FORMAT_F16, 0);
}

#endif
