/* clock.h - clock domains with rational ratios, all seen from the core clock.
 *
 * Core cycle c contains the ticks T(c) .. T(c+1)-1 of a domain, where
 * T(c) = floor(c * num / den).  Works after the clock rows of the machine tables.
 * It must not know which domains there are.
 */
#ifndef WARPLOCK_BASE_CLOCK_H
#define WARPLOCK_BASE_CLOCK_H

#include <stdint.h>

struct clock_domain {
    uint64_t num, den; /* ticks per core cycle, reduced */
};

static inline struct clock_domain clock_ratio(uint32_t domain_khz, uint32_t core_khz)
{
    uint64_t a = domain_khz, b = core_khz;

    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct clock_domain){domain_khz / a, core_khz / a};
}

/* Ticks of the domain before core cycle `core`: T(core). */
static inline uint64_t clock_ticks(const struct clock_domain *d, uint64_t core)
{
    return d->den == 1 ? core * d->num : core * d->num / d->den;
}

/* The core cycle that contains tick `tick`. */
static inline uint64_t clock_core(const struct clock_domain *d, uint64_t tick)
{
    if (d->den == 1 && d->num <= 2) { /* a division takes the host long */
        return tick >> (d->num - 1);
    }
    return ((tick + 1) * d->den + d->num - 1) / d->num - 1;
}

#endif
