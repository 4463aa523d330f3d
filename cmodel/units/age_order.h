/* age_order.h - the order of slots that rtl/common/age_order.v keeps, for the models of units that
 * have it: one element for each pair, 1 when slot hi stands before the lower slot lo. */
#ifndef WARPLOCK_UNITS_AGE_ORDER_H
#define WARPLOCK_UNITS_AGE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

static inline unsigned age_order_pair(unsigned hi, unsigned lo)
{
    return hi * (hi - 1) / 2 + lo;
}

/* Does slot `a` stand before another slot `b`? */
static inline bool age_order_before(const uint8_t *order, unsigned a, unsigned b)
{
    return a > b ? order[age_order_pair(a, b)] : !order[age_order_pair(b, a)];
}

/* for each slot of the set `left`, which is used up, from the lowest.  Proofs go through all slots, so
 * that each is a number. */
#ifdef AGE_ORDER_ALL_SLOTS
#define AGE_ORDER_EACH(slot, slots, left) \
    for (unsigned slot = 0; slot < (slots); slot++) \
        if ((left) >> slot & 1)
#else
#define AGE_ORDER_EACH(slot, slots, left) \
    for (unsigned slot = 0; (left) != 0 && (slot = (unsigned)__builtin_ctzll(left)) < (slots); \
         (left) &= (left)-1)
#endif

/* The slot of `pick` that stands before all others of them; `slots` if there is none. */
static inline unsigned age_order_first(const uint8_t *order, unsigned slots, uint64_t pick)
{
    unsigned first = slots;
    uint64_t left = pick;
    AGE_ORDER_EACH (i, slots, left) {
        if (first == slots || age_order_before(order, i, first)) {
            first = i;
        }
    }
    return first;
}

/* The slot of `pick` that all others of them stand before; `slots` if there is none. */
static inline unsigned age_order_last(const uint8_t *order, unsigned slots, uint64_t pick)
{
    unsigned last = slots;
    uint64_t left = pick;
    AGE_ORDER_EACH (i, slots, left) {
        if (last == slots || age_order_before(order, last, i)) {
            last = i;
        }
    }
    return last;
}

/* What happens to the order in a step: sets of slots, as the ports of the RTL. */
struct age_order_moves {
    uint64_t front, head, first, last;
};

/* All slots if `slot` is in `set`, else none. */
static inline uint64_t age_order_spread(uint64_t set, unsigned slot)
{
    return -(set >> slot & 1);
}

/* `slot` against all others. */
static inline void age_order_move_slot(uint8_t *order, unsigned slots,
                                       const struct age_order_moves *moves, unsigned slot)
{
    const uint64_t front = moves->front, head = moves->head, last = moves->last,
                   moved = moves->first | last;
    const uint64_t in_front = age_order_spread(front, slot), in_head = age_order_spread(head, slot),
                   in_last = age_order_spread(last, slot), in_moved = age_order_spread(moved, slot);
    const uint64_t equal = ~(in_front ^ front);
    const uint64_t earlier = (in_head & ~head) | (moved & ~in_moved) | (last & ~in_last);
    const uint64_t later = (head & ~in_head) | (in_moved & ~moved) | (in_last & ~last);
    const uint64_t before = (equal & earlier) | (~equal & in_front);
    const uint64_t stays = equal & ~earlier & ~later, behind = ~before & ~stays;
    for (unsigned lo = 0; lo < slot; lo++) {
        uint8_t *stands = &order[age_order_pair(slot, lo)];
        *stands = (uint8_t)((*stands & stays >> lo) | (before >> lo & 1));
    }
    for (unsigned hi = slot + 1; hi < slots; hi++) {
        uint8_t *stands = &order[age_order_pair(hi, slot)];
        *stands = (uint8_t)((*stands & stays >> hi) | (behind >> hi & 1));
    }
}

/* The next order.  `turned`: slots whose bit in `front` was another before; two slots of which none
 * moves or is turned stand as they did. */
static inline void age_order_move(uint8_t *order, unsigned slots,
                                  const struct age_order_moves *moves, uint64_t turned)
{
    uint64_t left = moves->head | moves->first | moves->last | turned;
    AGE_ORDER_EACH (slot, slots, left) {
        age_order_move_slot(order, slots, moves, slot);
    }
}

#endif
