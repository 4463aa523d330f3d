/* caps_prefetch_gen - turns walks into line prefetches (caps-prefetch 3.2.4): a FIFO of
 * jobs, one walker over CTA slots and their warps, and a request queue towards L1D.
 * Reads bases from PerCTA when it gets there; knows neither why a job was started nor
 * what L1D does with a request. */
#define UNIT_TABLE "units/caps/caps_prefetch_gen.ports.h"
#include "units/model.h"

enum { LANES = 4, LINE_BYTES = 128 };

/* ---- the walk, as seen in this cycle ---- */

static uint64_t slots_left(const struct state *s)
{
    return unit_field(s->scope, 0, NCTA);
}

static unsigned next_slot(const struct state *s)
{
    return slots_left(s) ? (unsigned)__builtin_ctzll(slots_left(s)) : 0;
}

static unsigned warp_slot(const struct state *s, const struct in *in)
{
    return (unsigned)unit_bits(in->first_wid[s->cta] + s->warp, WID_W);
}

/* Exited warps and, under SAME, other warps than the job's get nothing. */
static bool passed_over(const struct state *s, const struct in *in)
{
    const bool filtered = unit_field(s->scope, NCTA + 6, 1) && !GEN_ALL;
    return !unit_field(in->warp_alive, warp_slot(s, in), 1) ||
           (filtered && s->warp != unit_field(s->scope, NCTA, 6));
}

static bool queue_full(const struct state *s)
{
    return s->pf_pending[s->pf_tail];
}

static bool job_dropped(const struct state *s, const struct in *in)
{
    return in->job_valid && !in->kernel_start && s->job_pending[s->job_tail];
}

static bool any(const uint8_t *bits, unsigned n)
{
    return memchr(bits, 1, n) != NULL;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    const bool emitting = s->phase == phase_EMIT && !in->kernel_start;
    out->g_valid = s->phase == phase_LOOKUP;
    out->g_cta = next_slot(s);
    out->g_pc = s->pc;
    out->pf_valid = s->pf_pending[s->pf_head];
    out->pf_line = s->queue_line[s->pf_head];
    out->pf_wid = s->queue_wid[s->pf_head];
    out->idle = s->phase == phase_IDLE && !any(s->job_pending, JOBS) && !any(s->pf_pending, PFQ);
    out->st_job_drop = job_dropped(s, in);
    out->st_miss = out->g_valid && !in->kernel_start && !in->g_hit;
    out->st_skip = emitting && passed_over(s, in);
    out->st_stall = emitting && !out->st_skip && queue_full(s);
    out->st_emit = emitting && !out->st_skip && !queue_full(s);
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

static void look_up(struct state *s, const struct in *in)
{
    const unsigned slot = next_slot(s);
    s->scope &= (__typeof__(s->scope))~(UINT64_C(1) << slot);
    if (!in->g_hit) {
        next_cta(s);
        return;
    }
    s->cta = (uint8_t)slot;
    s->lead = (uint8_t)in->g_lead;
    s->last = (uint8_t)in->g_last;
    for (unsigned i = 0; i < LANES; i++) {
        s->base[i] = (uint32_t)in->g_base[i];
    }
    s->phase = phase_EMIT;
    if (s->lead + 1u < in->wpc) {
        start_pass(s, +1);
    } else {
        start_downward_pass(s);
    }
}

static void next_warp(struct state *s, const struct in *in)
{
    const bool upward = s->warp > s->lead;
    if (upward ? s->warp + 1u < in->wpc : s->warp > 0) {
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

static void emit(struct state *s, const struct in *in)
{
    s->pf_pending[s->pf_tail] = 1;
    s->queue_line[s->pf_tail] = s->acc[s->lane] / LINE_BYTES;
    s->queue_wid[s->pf_tail] = (uint8_t)warp_slot(s, in);
    s->pf_tail = (uint8_t)((s->pf_tail + 1) % PFQ);
    const unsigned lane = next_lane(s);
    if (lane < LANES) {
        s->lane = (uint8_t)lane;
    } else {
        next_warp(s, in);
    }
}

static void start_walk(struct state *s)
{
    s->pc = s->fifo_pc[s->job_head];
    s->stride = s->fifo_stride[s->job_head];
    s->scope = s->fifo_scope[s->job_head];
    s->job_pending[s->job_head] = 0;
    s->job_head = (uint8_t)((s->job_head + 1) % JOBS);
    next_cta(s);
}

static void accept_job(struct state *s, const struct in *in)
{
    const uint64_t filter = in->job_filter << 6 | in->job_wic;
    s->job_pending[s->job_tail] = 1;
    s->fifo_pc[s->job_tail] = (uint32_t)in->job_pc;
    s->fifo_stride[s->job_tail] = (uint32_t)in->job_stride;
    s->fifo_scope[s->job_tail] =
        (__typeof__(s->scope))unit_bits(filter << NCTA | in->job_mask, SCOPE_W);
    s->job_tail = (uint8_t)((s->job_tail + 1) % JOBS);
}

static void empty(struct state *s)
{
    s->phase = phase_IDLE;
    memset(s->job_pending, 0, sizeof s->job_pending);
    memset(s->pf_pending, 0, sizeof s->pf_pending);
    s->job_head = s->job_tail = s->pf_head = s->pf_tail = 0;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        empty(s);
        return;
    }
    struct out now;
    comb(s, in, &now);
    if (s->phase == phase_LOOKUP) {
        look_up(s, in);
    } else if (now.st_skip) {
        next_warp(s, in);
    } else if (now.st_emit) {
        emit(s, in);
    } else if (s->phase == phase_IDLE && s->job_pending[s->job_head]) {
        start_walk(s);
    }
    if (in->job_valid && !now.st_job_drop) {
        accept_job(s, in);
    }
    if (now.pf_valid && in->pf_ready) {
        s->pf_pending[s->pf_head] = 0;
        s->pf_head = (uint8_t)((s->pf_head + 1) % PFQ);
    }
}

MODEL_SEQUENTIAL
