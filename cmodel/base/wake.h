/* wake.h - "from when?" of many things at once: times side by side, four to a host vector.
 *
 * A machine asks in every cycle which of some dozens of components or messages are due.  It
 * must not know what they are.
 */
#ifndef WARPLOCK_BASE_WAKE_H
#define WARPLOCK_BASE_WAKE_H

#include <stdint.h>

/* An array of times holds a multiple of four, none after CYCLE_NEVER, aligned to 32 bytes; those
 * without an owner are CYCLE_NEVER. */
enum { WAKE_GROUP = 4, WAKE_ALIGN_BYTES = 32 };
typedef int64_t __attribute__((vector_size(WAKE_ALIGN_BYTES), may_alias)) wake_group;

static inline uint32_t wake_padded(uint32_t n)
{
    return (n + WAKE_GROUP - 1) / WAKE_GROUP * WAKE_GROUP;
}

/* Mask of the first n <= 64 whose time is not after `now`, which is before CYCLE_NEVER. */
static inline uint64_t wake_due(const uint64_t *times, uint32_t n, uint64_t now)
{
    const wake_group *group = (const wake_group *)(const void *)times;
    const int64_t later = (int64_t)now + 1;
    wake_group bit = {1, 2, 4, 8}, due = {0};

    for (uint32_t at = 0; at < n; at += WAKE_GROUP, group++, bit <<= WAKE_GROUP) {
        due |= (wake_group)(*group < later) & bit;
    }
    return (uint64_t)(due[0] | due[1] | due[2] | due[3]);
}

/* The earliest of the first n times; CYCLE_NEVER when there is none. */
static inline uint64_t wake_first(const uint64_t *times, uint32_t n)
{
    const wake_group *group = (const wake_group *)(const void *)times;
    wake_group first = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    int64_t a, b;

    for (uint32_t at = 0; at < n; at += WAKE_GROUP, group++) {
        wake_group earlier = (wake_group)(*group < first);

        first = (*group & earlier) | (first & ~earlier);
    }
    a = first[0] < first[1] ? first[0] : first[1];
    b = first[2] < first[3] ? first[2] : first[3];
    return (uint64_t)(a < b ? a : b);
}

#endif
