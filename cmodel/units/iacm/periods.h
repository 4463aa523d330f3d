/* periods.h - what the units of IACM share: instructions of a period, and when two numbers are near
 * (aci 3.10.4, 3.11, 3.12). */
#ifndef WARPLOCK_UNITS_IACM_PERIODS_H
#define WARPLOCK_UNITS_IACM_PERIODS_H

#include <stdbool.h>
#include <stdint.h>

/* `count` and `more`, no more than `bits` can hold. */
static inline uint64_t count_on(uint64_t count, uint64_t more, unsigned bits)
{
    const uint64_t most = (UINT64_C(1) << bits) - 1;
    return count + more > most ? most : count + more;
}

static inline uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* |now - was| is at most so many eighths of `was`. */
static inline bool is_near(uint64_t now, uint64_t was, uint64_t eighths)
{
    return 8 * distance(now, was) <= eighths * was;
}

#endif
