/* caps_walk_steps.h - a walk at an SM's clock (caps-prefetch 3.2.4): the requests of caps_walk_once.h, but
 * the addresses of a warp move by one stride in four cycles, a byte in each, and what the next warp is was
 * found out before.  See caps_walk.h, which it includes. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_WALK_STEPS_H
#define WARPLOCK_UNITS_CAPS_CAPS_WALK_STEPS_H

#include "units/caps/caps_walk.h"

enum { BYTES = 4 };

/* The slot that PerCTA is asked for. */
static unsigned walk_reads(const struct state *s)
{
    return s->cta;
}

/* The warp at hand gets nothing: found out when it was moved to. */
static bool passed_over(const struct state *s, const struct walk_warps *warps)
{
    (void)warps;
    return s->passed;
}

static void next_cta(struct state *s)
{
    s->phase = slots_left(s) ? phase_PICK : phase_IDLE;
}

static void pick(struct state *s)
{
    s->cta = (uint8_t)next_slot(s);
    s->scope &= (__typeof__(s->scope))~(UINT64_C(1) << s->cta);
    s->phase = phase_LOOKUP;
}

static void look_up(struct state *s, const struct walk_base *base)
{
    if (!base->hit) {
        next_cta(s);
        return;
    }
    s->lead = s->warp = (uint8_t)base->lead;
    s->last = (uint8_t)base->last;
    for (unsigned i = 0; i < LANES; i++) {
        s->base[i] = (uint32_t)base->base[i];
    }
    s->up = 1;
    s->phase = phase_AIM;
}

/* Is there a warp beyond this one, away from the leading warp? */
static bool beyond(const struct state *s, const struct walk_warps *warps)
{
    return s->up ? s->warp + 1u < warps->wpc : s->warp != 0;
}

static void move_on(struct state *s)
{
    s->warp = (uint8_t)unit_bits(s->up ? s->warp + 1u : s->warp - 1u, 6);
    s->phase = phase_MOVE;
}

static void aim(struct state *s, const struct walk_warps *warps)
{
    memcpy(s->acc, s->base, sizeof s->acc);
    s->carry = s->up ? 0 : 15;
    s->byte = 0;
    if (beyond(s, warps)) {
        move_on(s);
    } else if (s->up) {
        s->up = 0;
    } else {
        next_cta(s);
    }
}

/* One byte of each address moves, the lowest first; addresses and stride turn by a byte. */
static void move_byte(struct state *s, const struct walk_warps *warps)
{
    const unsigned addend = (s->up ? s->stride : ~s->stride) & 255;
    unsigned carries = 0;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned sum = (s->acc[i] & 255) + addend + (s->carry >> i & 1u);
        s->acc[i] = s->acc[i] >> 8 | (uint32_t)(sum & 255) << 24;
        carries |= sum >> 8 << i;
    }
    s->stride = s->stride >> 8 | s->stride << 24;
    s->carry = (uint8_t)carries;
    s->lane = 0;
    if (s->byte == 0) {
        s->wid = (uint8_t)warp_slot(s, warps);
    } else if (s->byte == BYTES - 1) {
        s->passed = !is_alive(warps, s->wid) || filtered(s);
        s->more = beyond(s, warps);
        s->phase = phase_EMIT;
    }
    s->byte = (uint8_t)((s->byte + 1) % BYTES);
}

static void leave_warp(struct state *s)
{
    s->carry = s->up ? 0 : 15;
    if (s->more) {
        move_on(s);
    } else if (s->up) {
        s->warp = s->lead;
        s->up = 0;
        s->phase = phase_AIM;
    } else {
        next_cta(s);
    }
}

static void emit(struct state *s)
{
    enqueue(s, s->wid);
    const unsigned lane = next_lane(s);
    if (lane < LANES) {
        s->lane = (uint8_t)lane;
    } else {
        leave_warp(s);
    }
}

static void walk_advance(struct state *s, const struct walk_warps *warps,
                         const struct walk_base *base)
{
    if (s->phase == phase_PICK) {
        pick(s);
    } else if (s->phase == phase_LOOKUP) {
        if (base->ready) {
            look_up(s, base);
        }
    } else if (s->phase == phase_AIM) {
        aim(s, warps);
    } else if (s->phase == phase_MOVE) {
        move_byte(s, warps);
    } else if (s->phase == phase_EMIT && passed_over(s, warps)) {
        leave_warp(s);
    } else if (s->phase == phase_EMIT && !queue_full(s)) {
        emit(s);
    } else if (s->phase == phase_IDLE && s->job_pending[s->job_head]) {
        take_job(s);
        next_cta(s);
    }
}

#endif
