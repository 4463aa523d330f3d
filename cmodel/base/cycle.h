/* cycle.h - points in time, counted in cycles of some clock: the one that never comes, the
 * earlier and the later of two.
 *
 * It must not know whose cycles they are.
 */
#ifndef WARPLOCK_BASE_CYCLE_H
#define WARPLOCK_BASE_CYCLE_H

#include <stdint.h>

/* Positive as a signed number, too: host vectors compare those in one instruction (wake.h). */
#define CYCLE_NEVER ((uint64_t)INT64_MAX)

static inline uint64_t cycle_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t cycle_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Bring `time` forward to `at`, if that is earlier. */
static inline void cycle_advance(uint64_t *time, uint64_t at)
{
    *time = cycle_earlier(*time, at);
}

/* Put `time` off to `at`, if that is later. */
static inline void cycle_delay(uint64_t *time, uint64_t at)
{
    *time = cycle_later(*time, at);
}

#endif
