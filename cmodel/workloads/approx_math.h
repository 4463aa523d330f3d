/* approx_math.h - error bounds of reciprocal root, sine and cosine, beside approx.h.
 *
 * The maximum errors of the .approx instructions are those that the PTX ISA manual
 * states for them.
 */
#ifndef WARPLOCK_WORKLOADS_APPROX_MATH_H
#define WARPLOCK_WORKLOADS_APPROX_MATH_H

#include "workloads/approx.h"

#define APPROX_PI 3.14159265358979323846

/* rsqrt.approx of a: relative error at most 2^-22.4; a's interval is above zero. */
static inline struct approx approx_rsqrt(struct approx a)
{
    double value = 1 / sqrt(a.value), largest = 1 / sqrt(a.value - a.bound);
    return (struct approx){.value = value, .bound = largest - value + exp2(-22.4) * largest};
}

/* An angle given in turns t: (t - rint(t)) * 2 pi in floats, for sin and cos.  Where the
 * device rounds t to another neighbour, sine and cosine are the same. */
static inline struct approx approx_angle(struct approx turns)
{
    double constant_error = fabs((double)(float)(2 * APPROX_PI) - 2 * APPROX_PI);
    double part = turns.value - rint(turns.value);
    double most = 0.5 + turns.bound;
    double carried = 2 * APPROX_PI * turns.bound + most * constant_error;
    /* two roundings: the subtraction and the product */
    double rounding = 2 * APPROX_U * 2 * APPROX_PI * most + APPROX_TINY;
    return (struct approx){.value = 2 * APPROX_PI * part, .bound = carried + rounding};
}

/* sin.approx and cos.approx in -2 pi … 2 pi: absolute error at most 2^-20.5. */
static inline struct approx approx_sin(struct approx angle)
{
    return (struct approx){.value = sin(angle.value), .bound = angle.bound + exp2(-20.5)};
}

static inline struct approx approx_cos(struct approx angle)
{
    return (struct approx){.value = cos(angle.value), .bound = angle.bound + exp2(-20.5)};
}

#endif
