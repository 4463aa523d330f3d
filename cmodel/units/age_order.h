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

/* The slot of `pick` that stands before all others of them; `slots` if there is none. */
static inline unsigned age_order_first(const uint8_t *order, unsigned slots, uint64_t pick)
{
    unsigned first = slots;
    for (unsigned i = 0; i < slots; i++) {
        if ((pick >> i & 1) && (first == slots || age_order_before(order, i, first))) {
            first = i;
        }
    }
    return first;
}

/* What happens to the order in a step: sets of slots, as the ports of the RTL. */
struct age_order_moves {
    uint64_t front, head, first, last;
};

/* Where a slot will stand: by this number; equal ones as they did. */
static inline unsigned age_order_place(const struct age_order_moves *moves, unsigned slot)
{
    const unsigned group = moves->head >> slot & 1    ? 0
                           : moves->last >> slot & 1  ? 3
                           : moves->first >> slot & 1 ? 2
                                                      : 1;
    return (moves->front >> slot & 1 ? 0 : 4) + group;
}

static inline void age_order_move(uint8_t *order, unsigned slots,
                                  const struct age_order_moves *moves)
{
    for (unsigned hi = 1; hi < slots; hi++) {
        for (unsigned lo = 0; lo < hi; lo++) {
            const unsigned a = age_order_place(moves, hi), b = age_order_place(moves, lo);
            uint8_t *before = &order[age_order_pair(hi, lo)];
            *before = a == b ? *before : a < b;
        }
    }
}

#endif
