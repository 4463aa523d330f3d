/* pas_moves.h - the cycle of pas_sched with one move of each kind (ONE_CYCLE = 0; caps-prefetch 3.3,
 * 3.4, 3.5; D-PAS-1): events act one cycle after they came, all moves are chosen from the queues as
 * they are at the start of a cycle, and one order of all slots is that of both queues; a warp that
 * moves has its place one cycle later.  Included by the model alone. */
#ifndef WARPLOCK_UNITS_CAPS_PAS_MOVES_H
#define WARPLOCK_UNITS_CAPS_PAS_MOVES_H

#include "units/age_order.h"

/* The set of this warp; none past the last. */
static uint64_t one(unsigned slot)
{
    return slot < WARPS ? UINT64_C(1) << slot : 0;
}

static uint64_t first_of(const struct state *s, uint64_t pick)
{
    return one(age_order_first(s->order, WARPS, pick));
}

static uint64_t last_of(const struct state *s, uint64_t pick)
{
    return one(age_order_last(s->order, WARPS, pick));
}

/* Who gives way to a woken warp, of those that stand. */
static uint64_t yields(const struct state *s, uint64_t standing)
{
    const uint64_t trailing = standing & ~(uint64_t)s->marked;
    return WAKE_VICTIM_OLDEST ? first_of(s, trailing ? trailing : standing) : last_of(s, standing);
}

/* The ready warps of this cycle: those of the last, and what it did. */
static unsigned number_ready(const struct state *s)
{
    const unsigned came = s->promoted || s->woken;
    return (unsigned)unit_bits((uint64_t)s->ready_count + came - s->left - s->exited, COUNT_W);
}

/* What one cycle chooses, from the queues as they are at its start. */
struct moves {
    unsigned number;
    uint64_t standing, demote, victim, wake, promote;
    bool one_exits, evict;
};

static struct moves choose(const struct state *s, const struct in *in)
{
    const uint64_t pending = (uint64_t)s->live & ~s->ready & ~s->exits;
    const uint64_t moving = (uint64_t)s->came | s->gone;
    const uint64_t standing = (uint64_t)s->ready & ~s->exits & ~moving;
    struct moves m = {.number = number_ready(s), .standing = standing};
    const bool full = m.number >= RQ;
    m.one_exits = s->ready & s->exits;
    m.demote = s->evict ? 0 : first_of(s, standing & in->blocked);
    m.victim = s->evict ? yields(s, standing) : 0;
    if (!in->hold) {
        m.wake = s->wakes & pending & (WAKE_ALWAYS ? pending : ~in->blocked);
        m.promote = full || s->wakes ? 0 : first_of(s, pending & ~moving & ~in->blocked);
    }
    m.evict = m.wake && full && !m.demote && !m.one_exits;
    return m;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct moves m = choose(s, in);
    const unsigned slot = age_order_first(s->order, WARPS,
                                          m.standing & in->issuable & ~in->blocked);
    const bool issues = slot < WARPS && !in->hold;
    out->issue_valid = issues;
    out->issue_wid = issues ? slot : 0;
    out->issued = issues && in->issue_ready;
    out->rq_vec = s->ready;
    out->lead_vec = s->marked;
    out->wake_evict_valid = s->evicted;
    out->wake_evict_wid = s->gone ? (uint64_t)__builtin_ctzll(s->gone) : 0;
    out->demoted = m.demote != 0;
    out->woken = m.wake != 0;
    out->promoted = m.promote != 0;
}

/* Places of the warps that moved in the last cycle, or whose marker came or went in this one. */
static void put_in_order(struct state *s, uint64_t launches, uint64_t marked_before)
{
    const uint64_t moving = (uint64_t)s->came | s->gone;
    const uint64_t head = WAKE_FRONT && s->woken ? s->came : 0;
    const struct age_order_moves moves = {.front = s->marked,
                                          .head = head & ~launches,
                                          .first = moving & ~head & ~launches,
                                          .last = launches};
    age_order_move(s->order, WARPS, &moves, marked_before ^ s->marked);
}

static void seq(struct state *s, const struct in *in)
{
    const struct moves m = choose(s, in);
    const struct events acts = {s->exits, s->clears, s->launched, s->launched_lead};
    const struct events come = events_of(in);
    const uint64_t marked_before = s->marked;
    const uint64_t launches = change_residents(s, &acts);
    put_in_order(s, launches, marked_before);
    s->ready_count = (uint8_t)m.number;
    s->left = m.demote || s->evict;
    s->exited = m.one_exits;
    s->promoted = m.promote != 0;
    s->woken = m.wake != 0;
    s->evicted = s->evict;
    s->evict = m.evict;
    s->ready = (warps)((s->ready & ~acts.exits & ~m.demote & ~m.victim) | m.wake | m.promote);
    s->came = (warps)(m.wake | m.promote);
    s->gone = (warps)(m.demote | m.victim);
    s->exits = (warps)come.exits;
    s->clears = (warps)come.clears;
    s->launched = (warps)come.launched;
    s->launched_lead = (uint8_t)come.launched_lead;
    s->wakes = (warps)(WAKE ? only(in->wake_valid, in->wake_wid) : 0);
}

/* Who stands behind a slot's follower stands behind the slot, so that the order has no cycle; marked
 * ones stand before the others. */
static bool order_sound(const struct state *s)
{
    uint64_t behind[WARPS];
    bool sound = true;
    for (unsigned i = 0; i < WARPS; i++) {
        behind[i] = 0;
        for (unsigned j = 0; j < WARPS; j++) {
            behind[i] |= (uint64_t)(i != j && age_order_before(s->order, i, j)) << j;
        }
        sound &= !bit(s->marked, i) || !(unit_bits(~behind[i], WARPS) & ~(uint64_t)s->marked);
    }
    for (unsigned i = 0; i < WARPS; i++) {
        for (unsigned j = 0; j < WARPS; j++) {
            sound &= !bit(behind[i], j) || !(behind[j] & ~behind[i]);
        }
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
