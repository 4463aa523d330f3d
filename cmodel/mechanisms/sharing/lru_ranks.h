/* lru_ranks.h - true LRU of a cache as ranks by way, 0 the LRU, which is how the victim units of
 * tabbakh2018 3.2.4 take it.  Knows no classes of lines. */
#ifndef WARPLOCK_SHARING_LRU_RANKS_H
#define WARPLOCK_SHARING_LRU_RANKS_H

#include <stdint.h>
#include <stdlib.h>

/* Way 0 is the MRU of each set, as in the machine's own LRU. */
static inline void lru_ranks_reset(uint8_t *rank, uint32_t sets, uint32_t ways)
{
    for (size_t line = 0; line < (size_t)sets * ways; line++) {
        rank[line] = (uint8_t)(ways - 1 - line % ways);
    }
}

/* `rank`: of one set. */
static inline void lru_ranks_touch(uint8_t *rank, uint32_t ways, uint32_t way)
{
    for (uint32_t other = 0; other < ways; other++) {
        rank[other] = (uint8_t)(rank[other] - (rank[other] > rank[way]));
    }
    rank[way] = (uint8_t)(ways - 1);
}

#endif
