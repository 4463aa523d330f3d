/* caps_walk_once.h - a walk as caps-prefetch 3.2.4 draws it: a cycle for a job, a slot, a line, a warp
 * that is passed over.  See caps_walk.h, which it includes. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_WALK_ONCE_H
#define WARPLOCK_UNITS_CAPS_CAPS_WALK_ONCE_H

#include "units/caps/caps_walk.h"

/* The slot that PerCTA is asked for. */
static unsigned walk_reads(const struct state *s)
{
    return next_slot(s);
}

/* Exited warps and, under SAME, other warps than the job's get nothing. */
static bool passed_over(const struct state *s, const struct walk_warps *warps)
{
    return !is_alive(warps, warp_slot(s, warps)) || filtered(s);
}

static void next_cta(struct state *s)
{
    s->phase = slots_left(s) ? phase_LOOKUP : phase_IDLE;
}

/* Take the first warp of a pass, `step` +1 or -1 from the leader. */
static void start_pass(struct state *s, int step)
{
    s->warp = (uint8_t)(s->lead + step);
    s->lane = 0;
    for (unsigned i = 0; i < LANES; i++) {
        s->acc[i] = s->base[i] + (step > 0 ? s->stride : 0u - s->stride);
    }
}

static void start_downward_pass(struct state *s)
{
    if (s->lead > 0) {
        start_pass(s, -1);
    } else {
        next_cta(s);
    }
}

static void look_up(struct state *s, const struct walk_warps *warps, const struct walk_base *base)
{
    const unsigned slot = next_slot(s);
    s->scope &= (__typeof__(s->scope))~(UINT64_C(1) << slot);
    if (!base->hit) {
        next_cta(s);
        return;
    }
    s->cta = (uint8_t)slot;
    s->lead = (uint8_t)base->lead;
    s->last = (uint8_t)base->last;
    for (unsigned i = 0; i < LANES; i++) {
        s->base[i] = (uint32_t)base->base[i];
    }
    s->phase = phase_EMIT;
    if (s->lead + 1u < warps->wpc) {
        start_pass(s, +1);
    } else {
        start_downward_pass(s);
    }
}

static void next_warp(struct state *s, const struct walk_warps *warps)
{
    const bool upward = s->warp > s->lead;
    if (upward ? s->warp + 1u < warps->wpc : s->warp > 0) {
        s->warp = (uint8_t)(upward ? s->warp + 1 : s->warp - 1);
        s->lane = 0;
        for (unsigned i = 0; i < LANES; i++) {
            s->acc[i] += upward ? s->stride : 0u - s->stride;
        }
    } else if (upward) {
        start_downward_pass(s);
    } else {
        next_cta(s);
    }
}

static void emit(struct state *s, const struct walk_warps *warps)
{
    enqueue(s, warp_slot(s, warps));
    const unsigned lane = next_lane(s);
    if (lane < LANES) {
        s->lane = (uint8_t)lane;
    } else {
        next_warp(s, warps);
    }
}

static void walk_advance(struct state *s, const struct walk_warps *warps,
                         const struct walk_base *base)
{
    if (s->phase == phase_LOOKUP) {
        if (base->ready) {
            look_up(s, warps, base);
        }
    } else if (s->phase == phase_EMIT && passed_over(s, warps)) {
        next_warp(s, warps);
    } else if (s->phase == phase_EMIT && !queue_full(s)) {
        emit(s, warps);
    } else if (s->phase == phase_IDLE && s->job_pending[s->job_head]) {
        take_job(s);
        next_cta(s);
    }
}

#endif
