/* test_ptx_bits.h - floats and their bits, as the tests of arithmetic give and take them: a NaN is the one
 * that PTX makes.  Knows no executor. */
#ifndef WARPLOCK_TEST_PTX_BITS_H
#define WARPLOCK_TEST_PTX_BITS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

static inline float f(u64 bits)
{
    uint32_t low = (uint32_t)bits;
    float v;
    memcpy(&v, &low, 4);
    return v;
}

static inline double d(u64 bits)
{
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

static inline u64 fb(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return isnan(v) ? 0x7fffffff : bits;
}

static inline u64 db(double v)
{
    u64 bits;
    memcpy(&bits, &v, 8);
    return isnan(v) ? UINT64_C(0xfff8000000000000) : bits;
}

/* Subnormals become zeros of their sign. */
static inline float fz(float v)
{
    return fpclassify(v) == FP_SUBNORMAL ? copysignf(0, v) : v;
}

#endif
