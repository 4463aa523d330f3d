/* caps_walk.h - the C model of walks over CTA slots and of the request queue behind them
 * (caps-prefetch 3.2.4), for the units that hold that state: caps_prefetch_gen, which reads
 * bases from elsewhere, and caps_top, which has the tables beside it.
 *
 * Included after units/model.h; the unit's table has the parameters CTAS, JOB_ENTRIES, PF_ENTRIES, GEN_ALL,
 * DUP_FILTER, the derived WID_W and SCOPE_W, the enum `phase` and the state fields named
 * below.  It knows neither why a job was started nor what the L1D does with a request. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_WALK_H
#define WARPLOCK_UNITS_CAPS_CAPS_WALK_H

enum { LANES = 4, LINE_BYTES = 128 };

/* What a walk reads from PerCTA for the slot it has come to. */
struct walk_base {
    bool hit;
    uint64_t lead, last;
    uint64_t base[LANES];
};

struct walk_job {
    bool valid, filter;
    uint64_t pc, stride, mask, wic; /* pc: the tag */
};

/* The SM around the walk. */
struct walk_warps {
    uint64_t wpc, alive;
    const uint64_t *first_wid; /* [CTAS] */
};

/* ---- the walk, as seen in this cycle ---- */

static uint64_t slots_left(const struct state *s)
{
    return unit_field(s->scope, 0, CTAS);
}

static unsigned next_slot(const struct state *s)
{
    return slots_left(s) ? (unsigned)__builtin_ctzll(slots_left(s)) : 0;
}

static unsigned warp_slot(const struct state *s, const struct walk_warps *warps)
{
    return (unsigned)unit_bits(warps->first_wid[s->cta] + s->warp, WID_W);
}

/* Exited warps and, under SAME, other warps than the job's get nothing. */
static bool passed_over(const struct state *s, const struct walk_warps *warps)
{
    const bool filtered = unit_field(s->scope, CTAS + 6, 1) && !GEN_ALL;
    return !unit_field(warps->alive, warp_slot(s, warps), 1) ||
           (filtered && s->warp != unit_field(s->scope, CTAS, 6));
}

static bool queue_full(const struct state *s)
{
    return s->pf_pending[s->pf_tail];
}

static bool jobs_full(const struct state *s)
{
    return s->job_pending[s->job_tail];
}

static bool any_pending(const uint8_t *pending, unsigned slots)
{
    uint8_t any = 0;
    for (unsigned i = 0; i < slots; i++) {
        any |= pending[i];
    }
    return any != 0;
}

static bool walk_idle(const struct state *s)
{
    return s->phase == phase_IDLE && !any_pending(s->job_pending, JOB_ENTRIES) &&
           !any_pending(s->pf_pending, PF_ENTRIES);
}

/* ---- the clock edge ---- */

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

/* The next address of this warp in another line than its predecessor; 4 for none. */
static unsigned next_lane(const struct state *s)
{
    for (unsigned i = s->lane + 1u; i <= s->last; i++) {
        if (!DUP_FILTER || s->acc[i] / LINE_BYTES != s->acc[i - 1] / LINE_BYTES) {
            return i;
        }
    }
    return LANES;
}

static void emit(struct state *s, const struct walk_warps *warps)
{
    s->pf_pending[s->pf_tail] = 1;
    s->queue_line[s->pf_tail] = s->acc[s->lane] / LINE_BYTES;
    s->queue_wid[s->pf_tail] = (uint8_t)warp_slot(s, warps);
    s->pf_tail = (uint8_t)((s->pf_tail + 1) % PF_ENTRIES);
    const unsigned lane = next_lane(s);
    if (lane < LANES) {
        s->lane = (uint8_t)lane;
    } else {
        next_warp(s, warps);
    }
}

static void start_walk(struct state *s)
{
    s->pc = s->fifo_pc[s->job_head];
    s->stride = s->fifo_stride[s->job_head];
    s->scope = s->fifo_scope[s->job_head];
    s->job_pending[s->job_head] = 0;
    s->job_head = (uint8_t)((s->job_head + 1) % JOB_ENTRIES);
    next_cta(s);
}

static void accept_job(struct state *s, const struct walk_job *job)
{
    const uint64_t filter = (uint64_t)job->filter << 6 | job->wic;
    s->job_pending[s->job_tail] = 1;
    s->fifo_pc[s->job_tail] = (uint32_t)job->pc;
    s->fifo_stride[s->job_tail] = (uint32_t)job->stride;
    s->fifo_scope[s->job_tail] = (__typeof__(s->scope))unit_bits(filter << CTAS | job->mask,
                                                                 SCOPE_W);
    s->job_tail = (uint8_t)((s->job_tail + 1) % JOB_ENTRIES);
}

static void empty(struct state *s)
{
    s->phase = phase_IDLE;
    memset(s->job_pending, 0, sizeof s->job_pending);
    memset(s->pf_pending, 0, sizeof s->pf_pending);
    s->job_head = s->job_tail = s->pf_head = s->pf_tail = 0;
}

/* One clock edge: `base` answers read_cta and read_pc, `taken`: the L1D takes the oldest request. */
static void walk_edge(struct state *s, const struct walk_warps *warps, const struct walk_base *base,
                      const struct walk_job *job, bool taken)
{
    const bool drop = job->valid && jobs_full(s);
    const bool pop = taken && s->pf_pending[s->pf_head];
    const unsigned oldest = s->pf_head;
    if (s->phase == phase_LOOKUP) {
        look_up(s, warps, base);
    } else if (s->phase == phase_EMIT && passed_over(s, warps)) {
        next_warp(s, warps);
    } else if (s->phase == phase_EMIT && !queue_full(s)) {
        emit(s, warps);
    } else if (s->phase == phase_IDLE && s->job_pending[s->job_head]) {
        start_walk(s);
    }
    if (job->valid && !drop) {
        accept_job(s, job);
    }
    if (pop) {
        s->pf_pending[oldest] = 0;
        s->pf_head = (uint8_t)((oldest + 1) % PF_ENTRIES);
    }
}

#endif
