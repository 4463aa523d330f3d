/* ptx_half_math.c - see ptx_half_math.h. */
#include "ptx/ptx_half_math.h"

#include <math.h>

/* Does the magnitude grow when `rest` of `unit` is cut off? */
static bool rounds_up(uint64_t kept, uint64_t rest, uint64_t half, bool sticky, bool negative,
                      unsigned mode)
{
    bool any = rest != 0 || sticky;
    switch (mode) {
    case 0: return rest > half || (rest == half && (sticky || (kept & 1) != 0));
    case 1: return false;
    case 2: return any && negative;
    default: return any && !negative;
    }
}

uint32_t ptx_round_double(double value, struct ptx_format_bits format, unsigned mode)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bool negative = bits >> 63 != 0;
    uint32_t width = format.fraction + format.exponent;
    uint32_t sign = negative ? UINT32_C(1) << width : 0;
    uint32_t infinity = ((UINT32_C(1) << format.exponent) - 1) << format.fraction;
    if (value != value) {
        return (UINT32_C(1) << width) - 1;
    }
    if (isinf(value) || value == 0) {
        return sign | (value == 0 ? 0 : infinity);
    }
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023, bias = (1 << (format.exponent - 1)) - 1;
    uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) |
                           (exponent == -1023 ? 0 : UINT64_C(1) << 52);
    exponent = exponent == -1023 ? -1022 : exponent;
    int lowest = 1 - bias; /* exponent of the smallest normal number */
    int drop = 52 - (int)format.fraction + (exponent < lowest ? lowest - exponent : 0);
    bool sticky = drop > 60 && significand != 0;
    drop = drop > 60 ? 60 : drop;
    uint64_t kept = sticky ? 0 : significand >> drop;
    uint64_t rest = sticky ? 0 : significand & ((UINT64_C(1) << drop) - 1);
    kept += rounds_up(kept, rest, UINT64_C(1) << (drop - 1), sticky, negative, mode);
    /* A carry out of the fraction runs into the exponent by itself. */
    uint32_t biased = exponent < lowest ? 0 : (uint32_t)(exponent - lowest);
    if (exponent > bias + 1) {
        biased = infinity >> format.fraction;
    }
    uint64_t magnitude = ((uint64_t)biased << format.fraction) + kept;
    if (magnitude >= infinity) {
        bool to_infinity = mode == 0 || (mode == 2 && negative) || (mode == 3 && !negative);
        magnitude = to_infinity ? infinity : infinity - 1;
    }
    return sign | (uint32_t)magnitude;
}

double ptx_widen(uint32_t bits, struct ptx_format_bits format)
{
    uint32_t fraction = bits & ((UINT32_C(1) << format.fraction) - 1);
    uint32_t top = (UINT32_C(1) << format.exponent) - 1;
    uint32_t exponent = bits >> format.fraction & top;
    bool negative = (bits >> (format.fraction + format.exponent) & 1) != 0;
    int bias = (int)(top >> 1);
    double value;
    if (exponent == top) {
        value = fraction != 0 ? (double)NAN : (double)INFINITY;
    } else if (exponent == 0) {
        value = ldexp(fraction, 1 - bias - (int)format.fraction);
    } else {
        value = ldexp(fraction | UINT32_C(1) << format.fraction,
                      (int)exponent - bias - (int)format.fraction);
    }
    return negative ? -value : value;
}
