/* clock.h - clock domains with rational ratios, all seen from the core clock.
 *
 * Core cycle c contains the ticks T(c) .. T(c+1)-1 of a domain, where
 * T(c) = floor(c * num / den).  Works after the clock rows of the machine tables.
 * It must not know which domains there are.
 */
#ifndef WARPLOCK_BASE_CLOCK_H
#define WARPLOCK_BASE_CLOCK_H

#include <stdint.h>

/* To divide by a number by multiplication, since several domains are asked in every cycle and a
 * division takes the host long: with 2^b <= number < 2^(b+1), factor = floor(2^(63+b) / number) + 1
 * is too large by less than 1, so that n * factor >> 63+b is exact for n < 2^62. */
struct clock_divisor {
    uint64_t factor;
    unsigned shift;
};

struct clock_domain {
    uint64_t num, den; /* ticks per core cycle, reduced */
    struct clock_divisor by_num, by_den;
};

static inline struct clock_divisor clock_divisor_of(uint64_t number)
{
    const unsigned shift = 63 + 63 - (unsigned)__builtin_clzll(number);

    return (struct clock_divisor){(uint64_t)(((unsigned __int128)1 << shift) / number) + 1, shift};
}

static inline uint64_t clock_divide(uint64_t n, const struct clock_divisor *by)
{
    return (uint64_t)((unsigned __int128)n * by->factor >> by->shift);
}

static inline struct clock_domain clock_ratio(uint32_t domain_khz, uint32_t core_khz)
{
    uint64_t a = domain_khz, b = core_khz;

    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct clock_domain){domain_khz / a, core_khz / a, clock_divisor_of(domain_khz / a),
                                 clock_divisor_of(core_khz / a)};
}

/* Ticks of the domain before core cycle `core`: T(core). */
static inline uint64_t clock_ticks(const struct clock_domain *d, uint64_t core)
{
    return d->den == 1 ? core * d->num : clock_divide(core * d->num, &d->by_den);
}

/* The core cycle that contains tick `tick`. */
static inline uint64_t clock_core(const struct clock_domain *d, uint64_t tick)
{
    if (d->den == 1 && d->num <= 2) {
        return tick >> (d->num - 1);
    }
    return clock_divide((tick + 1) * d->den + d->num - 1, &d->by_num) - 1;
}

#endif
