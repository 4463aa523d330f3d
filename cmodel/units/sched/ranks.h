/* ranks.h - age ranks of warp slots (wang2015 3.2, D-COM-1), for the models of the
 * scheduler family: resident slots, their number, for each how many resident warps are
 * older, and which of two slots is the older; a free slot has rank 0.  Slots past the last
 * are ignored.  Included after units/model.h by a unit whose state has the registers of
 * rtl/sched/age_matrix.v. */
#ifndef WARPLOCK_UNITS_SCHED_RANKS_H
#define WARPLOCK_UNITS_SCHED_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "units/age_order.h"

static inline bool ranks_resident(const struct state *s, uint64_t slot)
{
    return slot < WARPS && unit_field(s->resident, (unsigned)slot, 1);
}

/* A warp leaves: all younger ones gain a rank. */
static inline void ranks_exit(struct state *s, uint64_t slot)
{
    if (!ranks_resident(s, slot)) {
        return;
    }
    for (unsigned i = 0; i < WARPS; i++) {
        s->rank[i] = (uint8_t)(s->rank[i] - (s->rank[i] > s->rank[slot]));
    }
    s->rank[slot] = 0;
    s->resident = (__typeof__(s->resident))(s->resident & ~(UINT64_C(1) << slot));
    s->population = (uint8_t)unit_bits(s->population - UINT64_C(1), COUNT_W);
}

/* A warp becomes the youngest. */
static inline void ranks_launch(struct state *s, uint64_t slot)
{
    if (slot >= WARPS || ranks_resident(s, slot)) {
        return;
    }
    s->rank[slot] = (uint8_t)unit_bits(s->population, WID_W);
    s->resident = (__typeof__(s->resident))(s->resident | UINT64_C(1) << slot);
    s->population = (uint8_t)unit_bits(s->population + UINT64_C(1), COUNT_W);
    const struct age_order_moves moves = {.last = UINT64_C(1) << slot};
    age_order_move(s->order, WARPS, &moves, 0);
}

/* Two resident warps, of which the order says the same as their ranks. */
static inline bool ranks_agree(const struct state *s, unsigned hi, unsigned lo)
{
    return s->rank[hi] != s->rank[lo] &&
           age_order_before(s->order, hi, lo) == (s->rank[hi] < s->rank[lo]);
}

/* Resident warps have the ranks below their number, each once; free slots rank 0. */
static inline bool ranks_in_order(const struct state *s)
{
    bool in_order = s->population == __builtin_popcountll(s->resident);
    for (unsigned i = 0; i < WARPS; i++) {
        in_order &= ranks_resident(s, i) ? s->rank[i] < s->population : s->rank[i] == 0;
        for (unsigned j = 0; j < i; j++) {
            in_order &= !(ranks_resident(s, i) && ranks_resident(s, j)) || ranks_agree(s, i, j);
        }
    }
    return in_order;
}

#endif
