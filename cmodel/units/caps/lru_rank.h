/* lru_rank.h - least-recently-updated order kept as one rank per way (caps-prefetch 3.2.2).
 *
 * Rank 0 is the most recent way, rank ways-1 the next victim.  Shared by the C models
 * of the PerCTA and DIST tables; knows nothing of what the ways hold. */
#ifndef WARPLOCK_UNITS_CAPS_LRU_RANK_H
#define WARPLOCK_UNITS_CAPS_LRU_RANK_H

#include <stdint.h>

/* Make `touched` the most recent of `ways` ways. */
static inline void lru_rank_touch(uint8_t *rank, unsigned ways, unsigned touched)
{
    const uint8_t old = rank[touched];
    for (unsigned way = 0; way < ways; way++) {
        if (rank[way] < old) {
            rank[way]++;
        }
    }
    rank[touched] = 0;
}

/* The way to replace: the lowest invalid one, else the one of the highest rank. */
static inline unsigned lru_rank_victim(const uint8_t *rank, const uint8_t *valid, unsigned ways)
{
    for (unsigned way = 0; way < ways; way++) {
        if (!valid[way]) {
            return way;
        }
    }
    for (unsigned way = 0; way < ways; way++) {
        if (rank[way] == ways - 1) {
            return way;
        }
    }
    return 0;
}

#endif
