/* pas_moves.h - the cycle of pas_sched with one move of each kind (ONE_CYCLE = 0; caps-prefetch 3.3,
 * 3.4, 3.5; D-PAS-1): events act one cycle after they came, all moves are chosen from the queues as
 * they are at the start of a cycle, and one order of all slots is that of both queues; a warp that
 * moves has its place one cycle later.  Included by the model alone. */
#ifndef WARPLOCK_UNITS_CAPS_PAS_MOVES_H
#define WARPLOCK_UNITS_CAPS_PAS_MOVES_H

#include "units/age_order.h"

/* A set of no or one warp, the first of `pick`. */
static uint64_t first_of(const struct state *s, uint64_t pick)
{
    const unsigned slot = age_order_first(s->order, WARPS, pick);
    return slot < WARPS ? UINT64_C(1) << slot : 0;
}

/* The warp of `pick` that all others of them stand before. */
static uint64_t last_of(const struct state *s, uint64_t pick)
{
    unsigned last = WARPS;
    for (unsigned i = 0; i < WARPS; i++) {
        if (bit(pick, i) && (last == WARPS || age_order_before(s->order, last, i))) {
            last = i;
        }
    }
    return last < WARPS ? UINT64_C(1) << last : 0;
}

/* Who gives way to a woken warp, of those that stand. */
static uint64_t yields(const struct state *s, uint64_t standing, uint64_t marked)
{
    const uint64_t trailing = standing & ~marked;
    return WAKE_VICTIM_OLDEST ? first_of(s, trailing ? trailing : standing) : last_of(s, standing);
}

static void select_warp(const struct state *s, const struct in *in, uint64_t standing,
                        struct out *out)
{
    const unsigned slot = age_order_first(s->order, WARPS, standing & in->issuable & ~in->blocked);
    if (slot < WARPS && !in->hold) {
        out->issue_valid = 1;
        out->issue_wid = slot;
        out->issued = in->issue_ready;
    }
}

/* What came in the last cycle acts in this one, and what comes now in the next. */
static struct events events_now(struct state *s, const struct in *in)
{
    const struct events now = {s->exits, s->clears, s->launched, s->launched_lead};
    const struct events came = events_of(in);
    s->exits = (warps)came.exits;
    s->clears = (warps)came.clears;
    s->launched = (warps)came.launched;
    s->launched_lead = (uint8_t)came.launched_lead;
    return now;
}

/* The ready warps of this cycle: those of the last, and what it did. */
static unsigned number_ready(const struct state *s)
{
    const unsigned came = s->promoted || s->woken;
    return (unsigned)unit_bits((uint64_t)s->ready_count + came - s->left - s->exited, COUNT_W);
}

/* One cycle, after residents have changed by `events`; the outputs on the way. */
static void queues_cycle(struct state *s, const struct in *in, const struct residents *events,
                         struct out *out)
{
    const uint64_t exits = events->exits, launches = events->launches;
    const uint64_t pending = events->live_before & ~s->ready & ~exits;
    const uint64_t moving = s->came | s->gone, standing = s->ready & ~exits & ~moving;
    const unsigned number = number_ready(s);
    const bool full = number >= RQ, one_exits = s->ready & exits;
    const uint64_t demote = s->evict ? 0 : first_of(s, standing & in->blocked);
    const uint64_t victim = s->evict ? yields(s, standing, events->marked_before) : 0;
    const uint64_t wake = in->hold ? 0
                                   : s->wakes & pending & (WAKE_ALWAYS ? pending : ~in->blocked);
    const uint64_t promote = full || in->hold || s->wakes
                                 ? 0
                                 : first_of(s, pending & ~moving & ~in->blocked);
    const uint64_t head = WAKE_FRONT && s->woken ? s->came : 0;
    const struct age_order_moves moves = {.front = s->marked,
                                          .head = head & ~launches,
                                          .first = moving & ~head & ~launches,
                                          .last = launches};

    select_warp(s, in, standing, out);
    out->wake_evict_valid = s->evicted;
    out->wake_evict_wid = s->gone ? (uint64_t)__builtin_ctzll(s->gone) : 0;
    out->demoted = demote != 0;
    out->woken = wake != 0;
    out->promoted = promote != 0;
    s->ready_count = (uint8_t)number;
    s->left = demote || s->evict;
    s->exited = one_exits;
    s->promoted = promote != 0;
    s->woken = wake != 0;
    s->evicted = s->evict;
    s->evict = wake && full && !demote && !one_exits;
    s->ready = (warps)((s->ready & ~exits & ~demote & ~victim) | wake | promote);
    s->came = (warps)(wake | promote);
    s->gone = (warps)(demote | victim);
    s->wakes = (warps)(WAKE ? only(in->wake_valid, in->wake_wid) : 0);
    if (moves.head | moves.first | moves.last | (events->marked_before ^ s->marked)) {
        age_order_move(s->order, WARPS, &moves);
    }
}

static void queues_bound(struct state *s)
{
    (void)s;
}

static uint64_t queues_ready(const struct state *s)
{
    return s->ready;
}

/* No two slots stand before as many others, so that the order has no cycle; marked ones stand before
 * the others. */
static bool order_sound(const struct state *s)
{
    uint64_t counts = 0;
    bool sound = true;
    for (unsigned i = 0; i < WARPS; i++) {
        unsigned behind = 0;
        for (unsigned j = 0; j < WARPS; j++) {
            const bool before = i != j && age_order_before(s->order, i, j);
            behind += before;
            sound &= bit(s->marked, i) == bit(s->marked, j) || before == bit(s->marked, i);
        }
        sound &= !bit(counts, behind);
        counts |= UINT64_C(1) << behind;
    }
    return sound;
}

static bool at_most_one(uint64_t set)
{
    return !(set & (set - 1));
}

/* Ready warps are live and counted: RQ, or one more while one gives way. */
static bool queues_sound(const struct state *s)
{
    const unsigned number = number_ready(s);
    return !(s->ready & ~s->live) && number == (unsigned)__builtin_popcountll(s->ready) &&
           (s->evict ? number == RQ + 1 : number <= RQ) && s->ready_count <= RQ + 1 &&
           !(s->promoted && s->woken) && !(s->came & ~s->ready) && !(s->gone & s->ready) &&
           at_most_one(s->came) && at_most_one(s->gone) && at_most_one(s->exits) &&
           at_most_one(s->clears) && at_most_one(s->launched) && at_most_one(s->wakes) &&
           order_sound(s);
}

#endif
