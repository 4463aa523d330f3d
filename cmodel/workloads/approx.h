/* approx.h - running error bounds for checking single-precision results.
 *
 * A CPU reference computes in double and carries along how far a correct float
 * computation of the same expression, in the same order of operations, may be
 * away from it.  Each float operation adds at most half an ulp, u * |result|
 * with u = 2^-24, to what its operands already carry (Higham, Accuracy and
 * Stability of Numerical Algorithms, section 3.3).  A fused multiply-add rounds
 * once where the bound counts two roundings, so both forms are inside it.
 * Subnormal results add at most 2^-150 each; APPROX_TINY covers them.
 */
#ifndef WARPLOCK_WORKLOADS_APPROX_H
#define WARPLOCK_WORKLOADS_APPROX_H

#include <math.h>

#define APPROX_U 0x1p-24
#define APPROX_TINY 0x1p-149

struct approx {
    double value, bound;
};

/* A float that both sides have bit for bit. */
static inline struct approx approx_exact(double value)
{
    return (struct approx){.value = value, .bound = 0};
}

static inline struct approx approx_rounded(double value, double carried)
{
    double most = fabs(value) + carried;
    return (struct approx){.value = value, .bound = carried + APPROX_U * most + APPROX_TINY};
}

static inline struct approx approx_add(struct approx a, struct approx b)
{
    return approx_rounded(a.value + b.value, a.bound + b.bound);
}

static inline struct approx approx_sub(struct approx a, struct approx b)
{
    return approx_rounded(a.value - b.value, a.bound + b.bound);
}

static inline struct approx approx_mul(struct approx a, struct approx b)
{
    double carried = fabs(a.value) * b.bound + fabs(b.value) * a.bound + a.bound * b.bound;
    return approx_rounded(a.value * b.value, carried);
}

/* a * b + c, fused or not. */
static inline struct approx approx_mad(struct approx a, struct approx b, struct approx c)
{
    return approx_add(approx_mul(a, b), c);
}

/* a / b; b's interval must not contain zero. */
static inline struct approx approx_div(struct approx a, struct approx b)
{
    double least = fabs(b.value) - b.bound;
    double carried = (a.bound + fabs(a.value / b.value) * b.bound) / least;
    return approx_rounded(a.value / b.value, carried);
}

/* The square root, exactly rounded; a's interval must be positive. */
static inline struct approx approx_sqrt(struct approx a)
{
    double least = sqrt(a.value - a.bound);
    return approx_rounded(sqrt(a.value), a.bound / (sqrt(a.value) + least));
}

/* 2^a by ex2.approx.f32: relative error at most 2^-22 (PTX ISA, section 9.7.3). */
static inline struct approx approx_exp2(struct approx a)
{
    double value = exp2(a.value), most = exp2(a.value + a.bound);
    return (struct approx){.value = value, .bound = most - value + 0x1p-22 * most + APPROX_TINY};
}

/* log2 a by lg2.approx.f32: error at most 2^-22.6, absolute for results near zero
 * and relative elsewhere (PTX ISA, section 9.7.3); a's interval must be positive. */
static inline struct approx approx_log2(struct approx a)
{
    double value = log2(a.value), carried = value - log2(a.value - a.bound);
    double unit = exp2(-22.6) * fmax(1, fabs(value) + carried);
    return (struct approx){.value = value, .bound = carried + unit};
}

#endif
