/* ranks.h - age ranks of warp slots (wang2015 3.2, D-COM-1), for the models of the
 * scheduler family.  A set of resident slots, and for each the number of resident
 * warps that are older; a free slot has rank 0.  Slots past the last are ignored. */
#ifndef WARPLOCK_UNITS_SCHED_RANKS_H
#define WARPLOCK_UNITS_SCHED_RANKS_H

#include <stdbool.h>
#include <stdint.h>

static inline bool ranks_resident(uint64_t resident, unsigned slots, uint64_t slot)
{
    return slot < slots && (resident >> slot & 1);
}

/* A warp leaves: all younger ones gain a rank. */
static inline void ranks_exit(uint64_t *resident, uint8_t *rank, unsigned slots, uint64_t slot)
{
    if (!ranks_resident(*resident, slots, slot)) {
        return;
    }
    for (unsigned i = 0; i < slots; i++) {
        rank[i] = (uint8_t)(rank[i] - (rank[i] > rank[slot]));
    }
    rank[slot] = 0;
    *resident &= ~(UINT64_C(1) << slot);
}

/* A warp becomes the youngest. */
static inline void ranks_launch(uint64_t *resident, uint8_t *rank, unsigned slots, uint64_t slot)
{
    if (slot >= slots || ranks_resident(*resident, slots, slot)) {
        return;
    }
    rank[slot] = (uint8_t)__builtin_popcountll(*resident);
    *resident |= UINT64_C(1) << slot;
}

/* Resident warps have the ranks below their number, each once; free slots rank 0. */
static inline bool ranks_in_order(uint64_t resident, const uint8_t *rank, unsigned slots)
{
    const int number = __builtin_popcountll(resident);
    bool in_order = true;
    for (unsigned i = 0; i < slots; i++) {
        const bool in_use = resident >> i & 1;
        in_order &= in_use ? rank[i] < number : rank[i] == 0;
        for (unsigned j = 0; j < i; j++) {
            in_order &= !(in_use && (resident >> j & 1) && rank[i] == rank[j]);
        }
    }
    return in_order;
}

#endif
