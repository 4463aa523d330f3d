/* mean.h - means of the kinds that a metric may have, taken value by value. */
#ifndef WARPLOCK_EXPERIMENTS_MEAN_H
#define WARPLOCK_EXPERIMENTS_MEAN_H

#include <math.h>

enum mean_kind { MEAN_GEOMETRIC, MEAN_ARITHMETIC, MEAN_HARMONIC, MEAN_WEIGHTED };

struct mean {
    enum mean_kind kind;
    double sum, weights;
};

/* Values of 0 or below have no geometric or harmonic mean: they are left out, as is what is not
 * there. */
static inline void mean_add(struct mean *mean, double value, double weight)
{
    const bool any_sign = mean->kind == MEAN_ARITHMETIC || mean->kind == MEAN_WEIGHTED;
    if (!isfinite(value) || !(value > 0 || any_sign)) {
        return;
    }
    mean->sum += weight * (mean->kind == MEAN_GEOMETRIC  ? log(value)
                           : mean->kind == MEAN_HARMONIC ? 1 / value
                                                         : value);
    mean->weights += weight;
}

/* NAN when there was no value. */
static inline double mean_end(const struct mean *mean)
{
    if (!(mean->weights > 0)) {
        return NAN;
    }
    return mean->kind == MEAN_GEOMETRIC  ? exp(mean->sum / mean->weights)
           : mean->kind == MEAN_HARMONIC ? mean->weights / mean->sum
                                         : mean->sum / mean->weights;
}

#endif
