/* flex_leader.h - which sets lead in set dueling (lakshminarayana2014 3.3.3), as
 * rtl/graph/flex_leader.v has it.  Sets are numbered over all slices. */
#ifndef WARPLOCK_UNITS_GRAPH_FLEX_LEADER_H
#define WARPLOCK_UNITS_GRAPH_FLEX_LEADER_H

#include <stdbool.h>
#include <stdint.h>

/* Is `set` a leader of the kind `bit` of `leaders`: 0 non-inclusive, 1 exclusive? */
static inline bool flex_leader(uint64_t set, unsigned bit, unsigned leaders, unsigned sets,
                               unsigned sdm_sets)
{
    const unsigned gap = sets / sdm_sets, first = bit == 0 ? 0 : gap / 2;
    return (leaders >> bit & 1) && set < sets && set % gap == first;
}

#endif
