/* set.h - a set of small numbers, a bit each.
 *
 * A machine has more SMs than a word has bits.  It must not know what the numbers stand for.
 */
#ifndef WARPLOCK_BASE_SET_H
#define WARPLOCK_BASE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wake.h"

enum { SET_WORDS = 2, SET_MOST = 64 * SET_WORDS };

struct set {
    uint64_t word[SET_WORDS];
};

static inline void set_add(struct set *set, uint32_t number)
{
    set->word[number / 64] |= UINT64_C(1) << (number % 64);
}

static inline void set_remove(struct set *set, uint32_t number)
{
    set->word[number / 64] &= ~(UINT64_C(1) << (number % 64));
}

static inline bool set_any(const struct set *set)
{
    return set->word[0] | set->word[1];
}

/* The least number from `from` on, or -1. */
static inline int set_from(const struct set *set, uint32_t from)
{
    for (uint32_t w = from / 64; w < SET_WORDS; w++) {
        const uint64_t left = set->word[w] &
                              (w == from / 64 ? UINT64_MAX << (from % 64) : UINT64_MAX);

        if (left) {
            return (int)(64 * w) + __builtin_ctzll(left);
        }
    }
    return -1;
}

/* Those below n. */
static inline struct set set_below(uint32_t n)
{
    struct set set = {{0}};

    for (uint32_t w = 0; w < SET_WORDS; w++) {
        set.word[w] = n >= 64 * (w + 1) ? UINT64_MAX
                      : n > 64 * w      ? UINT64_MAX >> (64 * (w + 1) - n)
                                        : 0;
    }
    return set;
}

static inline struct set set_both(const struct set *a, const struct set *b)
{
    struct set both;

    for (uint32_t w = 0; w < SET_WORDS; w++) {
        both.word[w] = a->word[w] & b->word[w];
    }
    return both;
}

/* Those of the first n times (wake.h) that are not after `now`. */
static inline struct set set_due(const uint64_t *times, uint32_t n, uint64_t now)
{
    struct set due = {{0}};

    for (uint32_t w = 0; 64 * w < n; w++) {
        due.word[w] = wake_due(times + 64 * w, n - 64 * w < 64 ? n - 64 * w : 64, now);
    }
    return due;
}

#endif
