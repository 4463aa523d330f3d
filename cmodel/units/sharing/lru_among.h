/* lru_among.h - of the ways of a mask, the one with the lowest LRU rank, 0 the LRU way (tabbakh2018
 * 3.2.3); `ways` when the mask is empty.  Shared by the victim units; knows no classes. */
#ifndef WARPLOCK_UNITS_SHARING_LRU_AMONG_H
#define WARPLOCK_UNITS_SHARING_LRU_AMONG_H

#include <stdint.h>

static inline unsigned lru_among(const uint64_t *rank, uint64_t among, unsigned ways)
{
    unsigned oldest = ways;
    for (unsigned way = 0; way < ways; way++) {
        if ((among >> way & 1) && (oldest == ways || rank[way] < rank[oldest])) {
            oldest = way;
        }
    }
    return oldest;
}

/* The ranks are those of an order: each of 0 .. ways-1 once. */
static inline _Bool lru_is_order(const uint64_t *rank, unsigned ways)
{
    uint64_t ranks = 0;
    for (unsigned way = 0; way < ways; way++) {
        ranks |= UINT64_C(1) << rank[way];
    }
    return ranks == (UINT64_C(1) << ways) - 1;
}

#endif
