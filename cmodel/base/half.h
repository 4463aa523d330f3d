/* half.h - a number as half precision (IEEE 754 binary16), for compilers without such a type. */
#ifndef WARPLOCK_BASE_HALF_H
#define WARPLOCK_BASE_HALF_H

#include <math.h>
#include <stdint.h>

/* Rounded to nearest even; a NaN is 0x7fff. */
static inline uint16_t half_of(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fabs(value);
    if (isnan(value)) {
        return 0x7fff;
    }
    if (magnitude >= 65520) {
        return (uint16_t)(sign | 0x7c00);
    }
    if (magnitude <= 0) {
        return sign;
    }
    const int exponent = ilogb(magnitude) < -14 ? -14 : ilogb(magnitude);
    const double scaled = nearbyint(ldexp(magnitude, 10 - exponent)); /* 0..2048 */
    /* A carry into 2048 moves to the next exponent by plain addition. */
    return (uint16_t)(sign | (uint32_t)((int)scaled + (exponent + 14) * 1024));
}

#endif
