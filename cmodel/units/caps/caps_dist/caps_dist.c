/* caps_dist - DIST table of the CTA-aware prefetcher: one stride per load PC for the whole
 * SM, learnt from two neighbouring warps, verified by every other one, and given up when
 * it mispredicts too often (caps-prefetch 3.2.2, 3.2.3, 3.2.5).
 * Sees base addresses only as the lookup of this load; emits walks, not addresses. */
#define UNIT_TABLE "units/caps/caps_dist/caps_dist.ports.h"
#include "units/caps/lru_rank.h"
#include "units/model.h"
#include "units/promises.h"

enum { NO_WAY = -1 };

/* What one load does to the table and to its neighbours. */
struct effect {
    bool verify, mispredict, learn, invalidate, throttled;
    int way;         /* entry of the PC, or NO_WAY */
    uint32_t stride; /* learnt */
    bool job, filter;
    uint32_t job_stride;
    uint64_t job_mask;
};

static bool flushing(const struct in *in)
{
    return in->kernel_start || in->flush_valid;
}

static int find(const struct state *s, uint64_t tag)
{
    for (int way = 0; way < ENTRIES; way++) {
        if (s->valid[way] && s->pc[way] == tag) {
            return way;
        }
    }
    return NO_WAY;
}

static uint32_t address(const struct in *in, unsigned lane)
{
    const uint32_t given = (uint32_t)in->ld_addr[lane];
    return ADDR_LINE ? given & ~UINT32_C(127) : given;
}

/* Requests that both warps have; at least one. */
static unsigned common_requests(const struct in *in)
{
    const unsigned base_count = (unsigned)in->percta_last + 1;
    return in->ld_n < base_count ? (unsigned)in->ld_n : base_count;
}

static void start_job(struct effect *e, uint32_t stride, uint64_t mask, bool filter)
{
    if (stride != 0 || STRIDE0_JOB) {
        e->job = true;
        e->job_stride = stride;
        e->job_mask = mask;
        e->filter = filter;
    }
}

static uint64_t others(const struct in *in)
{
    return unit_bits(~(UINT64_C(1) << in->ld_cta), CTAS);
}

static bool trained_by_this_cta(const struct state *s, const struct in *in, int way)
{
    return s->lead_valid[way] && s->lead_cta[way] == in->ld_cta;
}

/* Case 2: a base is (re)written while the stride is known. */
static void on_leader(const struct state *s, const struct in *in, struct effect *e)
{
    if (e->way == NO_WAY || (!SELF_PF && trained_by_this_cta(s, in, e->way))) {
        return;
    }
    e->throttled = s->count[e->way] > THR;
    if (!e->throttled) {
        start_job(e, s->stride[e->way], UINT64_C(1) << in->ld_cta, false);
    }
}

/* The stride per warp of two addresses so many warps apart; false when it is not whole. */
static bool stride_per_warp(uint32_t difference, int distance, uint32_t *stride)
{
    if (!TRAIN_FAR || distance == 1 || distance == -1) {
        *stride = distance == 1 ? difference : 0u - difference;
        return true;
    }
    *stride = (uint32_t)((int64_t)(int32_t)difference / distance);
    return (int64_t)(int32_t)difference % distance == 0;
}

/* Case 1: the first neighbour of a leading warp (or, TRAIN_FAR, the first other warp) gives
 * the stride. */
static void on_other_warp(const struct in *in, struct effect *e)
{
    const int distance = (int)in->ld_wic - (int)in->percta_lead;
    if (distance != 1 && distance != -1 && !TRAIN_FAR) {
        return;
    }
    if (STRICT_CNT && in->ld_n != in->percta_last + 1) {
        e->invalidate = true;
        return;
    }
    for (unsigned lane = 0; lane < common_requests(in); lane++) {
        const uint32_t difference = address(in, lane) - (uint32_t)in->percta_base[lane];
        uint32_t stride;
        if (!stride_per_warp(difference, distance, &stride) || (lane != 0 && stride != e->stride)) {
            e->invalidate = true;
            return;
        }
        e->stride = stride;
    }
    e->learn = true;
    start_job(e, e->stride, others(in), true);
}

static bool mispredicted(const struct in *in, uint32_t stride)
{
    const unsigned granule = VERIFY_BYTES ? 1 : 128;
    const uint32_t offset = UNIT_PRODUCT(uint32_t, in->ld_wic - in->percta_lead, stride);
    for (unsigned lane = 0; lane < common_requests(in); lane++) {
        if (((uint32_t)in->percta_base[lane] + offset) / granule != address(in, lane) / granule) {
            return true;
        }
    }
    return false;
}

static uint8_t counted(const struct state *s, const struct effect *e)
{
    const uint8_t count = s->count[e->way];
    return e->mispredict && count < 255 ? (uint8_t)(count + 1) : count;
}

/* The stride is known and a trailing warp checks it. */
static void on_trailing(const struct state *s, const struct in *in, struct effect *e)
{
    e->verify = true;
    e->mispredict = in->ld_n > 4 || mispredicted(in, s->stride[e->way]);
    if (!GEN_ALL && in->ld_n <= 4 && trained_by_this_cta(s, in, e->way)) {
        e->throttled = counted(s, e) > THR;
        if (!e->throttled) {
            start_job(e, s->stride[e->way], others(in), true);
        }
    }
}

static struct effect on_load(const struct state *s, const struct in *in)
{
    struct effect e = {.way = find(s, in->ld_pc / PC_ALIGN)};
    if (!in->ld_valid || flushing(in) || !in->ld_affine || in->ld_n == 0) {
        return e;
    }
    const bool leader = in->percta_hit && in->ld_wic == in->percta_lead;
    if (in->ld_n > 4) {
        if (OVER_VERIFY && in->percta_hit && !leader && e.way != NO_WAY) {
            on_trailing(s, in, &e);
        }
    } else if (!in->percta_hit || leader) {
        if (!leader || LOOP_UPDATE) {
            on_leader(s, in, &e);
        }
    } else if (e.way == NO_WAY) {
        on_other_warp(in, &e);
    } else {
        on_trailing(s, in, &e);
    }
    return e;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    const struct effect e = on_load(s, in);
    out->ld_ready = !flushing(in);
    out->dist_hit = e.way != NO_WAY;
    if (e.way != NO_WAY) {
        out->dist_stride = s->stride[e.way];
        out->dist_count = s->count[e.way];
    }
    out->invalidate = e.invalidate;
    out->job_valid = e.job;
    out->job_pc = in->ld_pc / PC_ALIGN;
    out->job_stride = e.job_stride;
    out->job_mask = e.job_mask;
    out->job_filter = e.filter;
    out->job_wic = in->ld_wic;
    out->verify = e.verify;
    out->mispredict = e.mispredict;
    out->mispredict_below = e.mispredict && in->ld_wic < in->percta_lead;
    out->stride_new = e.learn;
    out->evict = e.learn && s->valid[lru_rank_victim(s->age, s->valid, ENTRIES)];
    out->throttled = e.throttled;
}

static void restart_period(struct state *s)
{
#if UNIT_SET_DECAY > 0
    s->verifies = 0;
#else
    (void)s;
#endif
}

static void decay(struct state *s)
{
#if UNIT_SET_DECAY > 0
    s->verifies = (__typeof__(s->verifies))unit_bits(s->verifies + UINT64_C(1), DECAY);
    for (unsigned way = 0; way < ENTRIES && s->verifies == 0; way++) {
        s->count[way] >>= 1;
    }
#else
    (void)s;
#endif
}

static void reset(struct state *s)
{
    for (unsigned way = 0; way < ENTRIES; way++) {
        s->valid[way] = 0;
        s->age[way] = (uint8_t)way;
    }
    restart_period(s);
}

static void flush_slot(struct state *s, uint64_t slot)
{
    for (unsigned way = 0; way < ENTRIES; way++) {
        if (s->lead_valid[way] && s->lead_cta[way] == slot) {
            *(DIST_FLUSH_WITH_LEADCTA ? &s->valid[way] : &s->lead_valid[way]) = 0;
        }
    }
}

static void learn(struct state *s, const struct in *in, uint32_t stride)
{
    const unsigned way = lru_rank_victim(s->age, s->valid, ENTRIES);
    s->valid[way] = 1;
    s->pc[way] = (uint32_t)(in->ld_pc / PC_ALIGN);
    s->stride[way] = stride;
    s->count[way] = 0;
    s->lead_valid[way] = 1;
    s->lead_cta[way] = (uint8_t)in->ld_cta;
    lru_rank_touch(s->age, ENTRIES, way);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        reset(s);
        return;
    }
    if (in->flush_valid) {
        flush_slot(s, in->flush_slot);
        return;
    }
    const struct effect e = on_load(s, in);
    if (e.learn) {
        learn(s, in, e.stride);
    }
    if (e.verify) {
        s->count[e.way] = counted(s, &e);
        if (TOUCH_ON_VERIFY) {
            lru_rank_touch(s->age, ENTRIES, (unsigned)e.way);
        }
        decay(s);
    }
}

MODEL_SEQUENTIAL
