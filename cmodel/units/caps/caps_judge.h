/* caps_judge.h - the C model of a load that is judged stage by stage (caps-prefetch 3.2.3), for the
 * units that hold that state: caps_dist, which is told of the base, and caps_top.
 *
 * Included after units/model.h; the unit's table has the parameters TRAIN_FAR and VERIFY_BYTES, the
 * enum judge_phase and the state fields judge_*, and divide_* with TRAIN_FAR.  It knows neither
 * table. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_JUDGE_H
#define WARPLOCK_UNITS_CAPS_CAPS_JUDGE_H

enum { JUDGE_LANES = 4, JUDGE_BYTES = 4, JUDGE_BITS = 32, JUDGE_DIVIDE = 6 };

/* The load that is held, its base, and what DIST holds. */
struct judge_load {
    unsigned wic, lead;
    unsigned common; /* requests that both warps have; the first always counts */
    uint32_t addr[JUDGE_LANES], base[JUDGE_LANES];
    bool hit;              /* looked up in this cycle */
    unsigned way;          /* where it is, else which would give way */
    uint32_t stride;       /* of the way that was noted */
    bool checks, trailing; /* the load is verified; it trains, if its warp may */
};

static bool judge_done(const struct state *s)
{
    return s->judge_phase == judge_phase_ANSWER;
}

/* May a warp so far away train? */
static bool judge_trains(const struct state *s)
{
    return TRAIN_FAR ? s->judge_factor != 0 : s->judge_factor == 1;
}

static void judge_reset(struct state *s)
{
    s->judge_phase = judge_phase_LOOK;
    s->judge_hit = s->judge_way = s->judge_below = s->judge_same = 0;
    s->judge_factor = s->judge_carry = 0;
    s->judge_addend = s->judge_amount = 0;
    s->judge_equal = 0;
#if UNIT_SET_TRAIN_FAR
    s->divide_steps = s->divide_rest = 0;
    s->divide_bits = 0;
#endif
}

/* Byte by byte, amount + addend + the carries that wait; those that come out wait. */
static void judge_add(struct state *s, uint32_t addend)
{
    uint32_t amount = 0;
    unsigned out = 0;
    for (unsigned i = 0; i < JUDGE_BYTES; i++) {
        const unsigned sum = (s->judge_amount >> 8 * i & 255) + (addend >> 8 * i & 255) +
                             (s->judge_carry >> i & 1);
        amount |= (uint32_t)(sum & 255) << 8 * i;
        out |= sum >> 8 << (i + 1);
    }
    s->judge_amount = amount;
    s->judge_carry = (uint8_t)(out & 15);
}

static void judge_look(struct state *s, const struct judge_load *load)
{
    s->judge_hit = load->hit;
    s->judge_way = (uint8_t)load->way;
    s->judge_below = load->wic < load->lead;
    s->judge_factor = (uint8_t)((s->judge_below ? load->lead - load->wic : load->wic - load->lead) &
                                63);
    s->judge_phase = judge_phase_PICK;
}

static void judge_pick(struct state *s, const struct judge_load *load)
{
    s->judge_carry = 0;
    if (load->checks) {
        s->judge_addend = s->judge_below ? ~load->stride : load->stride;
        s->judge_amount = 0;
        s->judge_phase = judge_phase_TIMES;
        return;
    }
    s->judge_amount = load->addr[0];
    judge_add(s, ~load->base[0]);
    s->judge_carry |= 1;
    s->judge_phase = load->trailing && judge_trains(s) ? judge_phase_SETTLE : judge_phase_ANSWER;
}

static void judge_times(struct state *s)
{
    if (s->judge_factor & 1) {
        s->judge_carry = (uint8_t)((s->judge_carry & 14) | s->judge_below);
        judge_add(s, s->judge_addend);
    }
    s->judge_addend = s->judge_addend << 1 | s->judge_below;
    s->judge_factor >>= 1;
    s->judge_phase = s->judge_factor == 0 ? judge_phase_SETTLE : judge_phase_TIMES;
}

/* Bytes of request `lane` that are where base + amount is; with `line`, the lowest of them means
 * no more than that bit 7 is right. */
static unsigned judge_bytes(const struct state *s, const struct judge_load *load, unsigned lane)
{
    const bool line = load->checks && !VERIFY_BYTES;
    const uint32_t offset = s->judge_amount;
    const uint32_t base = load->base[lane], addr = load->addr[lane];
    const uint32_t asked = base ^ offset ^ addr;
    const uint32_t given = ((base & offset) | ((base | offset) & ~addr)) << 1;
    const uint32_t wrong = asked ^ given;
    const unsigned carry = ((base & 127) + (offset & 127)) >> 7;
    const bool lowest = line ? (asked >> 7 & 1) == carry : (wrong & 255) == 0;
    unsigned equal = lowest;
    for (unsigned i = 1; i < JUDGE_BYTES; i++) {
        equal |= (unsigned)((wrong >> 8 * i & 255) == 0) << i;
    }
    return equal;
}

static void judge_settle(struct state *s, const struct judge_load *load)
{
    s->judge_phase = s->judge_carry == 0 ? judge_phase_COMPARE : judge_phase_SETTLE;
    s->judge_equal = 0;
    for (unsigned lane = 0; lane < JUDGE_LANES; lane++) {
        s->judge_equal |= (uint16_t)(judge_bytes(s, load, lane) << JUDGE_BYTES * lane);
    }
    judge_add(s, 0);
}

/* Where training goes when its difference, or its negative, is known. */
static uint8_t judge_after(const struct state *s)
{
#if UNIT_SET_TRAIN_FAR
    if (s->judge_factor != 1) {
        return judge_phase_DIVIDE;
    }
#endif
    (void)s;
    return judge_phase_ANSWER;
}

static void judge_compare(struct state *s, const struct judge_load *load)
{
    s->judge_same = 1;
    for (unsigned lane = 0; lane == 0 || lane < load->common; lane++) {
        s->judge_same &= (s->judge_equal >> JUDGE_BYTES * lane & 15) == 15;
    }
    s->judge_amount = s->judge_below ? ~s->judge_amount : s->judge_amount;
    s->judge_carry = 1;
    s->judge_phase = load->checks     ? judge_phase_ANSWER
                     : s->judge_below ? judge_phase_RAISE
                                      : judge_after(s);
}

static void judge_raise(struct state *s)
{
    s->judge_phase = s->judge_carry == 0 ? judge_after(s) : judge_phase_RAISE;
    judge_add(s, 0);
}

#if UNIT_SET_TRAIN_FAR
/* The sign, a bit of the quotient, or its end. */
static void judge_divide(struct state *s)
{
    if (s->divide_steps == JUDGE_BITS) {
        s->judge_same &= s->divide_rest == 0;
        s->judge_amount = s->divide_bits;
        s->judge_phase = judge_phase_ANSWER;
    } else if (s->divide_steps == 0) {
        /* The negative of -2^31 is 2^31, whose bits are the same. */
        const bool turned = s->judge_below && s->judge_amount << 1 == 0;
        const unsigned top = s->judge_amount >> 31, sign = turned ? 0 : top;
        s->divide_rest = (uint8_t)(sign ? (s->judge_factor - 1) & 63 : top);
        s->divide_bits = s->judge_amount << 1 | sign;
    } else {
        const unsigned rest = s->divide_rest * 2u + (s->divide_bits >> 31);
        const bool fits = rest >= s->judge_factor;
        s->divide_rest = (uint8_t)((fits ? rest - s->judge_factor : rest) & 63);
        s->divide_bits = s->divide_bits << 1 | fits;
    }
}

/* How many bits the quotient has after this cycle. */
static void judge_count_steps(struct state *s, bool dividing)
{
    const bool more = dividing && s->divide_steps != JUDGE_BITS;
    s->divide_steps = (uint8_t)(more ? unit_bits(s->divide_steps + UINT64_C(1), 6) : 0);
}
#else
static void judge_divide(struct state *s)
{
    s->judge_phase = judge_phase_ANSWER;
}

static void judge_count_steps(struct state *s, bool dividing)
{
    (void)s, (void)dividing;
}
#endif

/* One clock edge; with `restart` the load begins anew, or is taken away. */
static void judge_edge(struct state *s, const struct judge_load *load, bool restart)
{
    const bool dividing = s->judge_phase == JUDGE_DIVIDE;
    switch (s->judge_phase) {
    case judge_phase_LOOK: judge_look(s, load); break;
    case judge_phase_PICK: judge_pick(s, load); break;
    case judge_phase_TIMES: judge_times(s); break;
    case judge_phase_SETTLE: judge_settle(s, load); break;
    case judge_phase_COMPARE: judge_compare(s, load); break;
    case judge_phase_RAISE: judge_raise(s); break;
    case JUDGE_DIVIDE: judge_divide(s); break;
    default: s->judge_phase = judge_phase_LOOK; break;
    }
    judge_count_steps(s, dividing);
    if (restart) {
        s->judge_phase = judge_phase_LOOK;
    }
}

#endif
