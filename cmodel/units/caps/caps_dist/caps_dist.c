/* caps_dist - DIST table of the CTA-aware prefetcher: one stride per load PC for the whole
 * SM, learnt from two neighbouring warps, verified by every other one, and given up when
 * it mispredicts too often (caps-prefetch 3.2.2, 3.2.3, 3.2.5).
 * Sees base addresses only as the lookup of this load; emits walks, not addresses. */
#define UNIT_TABLE "units/caps/caps_dist/caps_dist.ports.h"
#include "units/caps/lru_rank.h"
#include "units/model.h"
#include "units/promises.h"

#if !UNIT_SET_ONE_CYCLE
#include "units/caps/caps_judge.h"
#endif

enum { NO_WAY = -1 };

/* What one load does to the table and to its neighbours. */
struct effect {
    bool taken; /* it does it now */
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

#if UNIT_SET_ONE_CYCLE
/* Does it teach, be it a stride or that there is none? */
static bool teaches(const struct state *s, const struct in *in)
{
    const int distance = (int)in->ld_wic - (int)in->percta_lead;
    (void)s;
    return distance == 1 || distance == -1 || (TRAIN_FAR && distance != 0);
}

static bool judged(const struct state *s)
{
    (void)s;
    return true;
}

static int entry_of_load(const struct state *s, const struct in *in)
{
    return find(s, in->ld_pc / PC_ALIGN);
}

/* Where a new stride goes. */
static unsigned place_of_load(const struct state *s)
{
    return lru_rank_victim(s->age, s->valid, ENTRIES);
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

/* Of the requests that both warps have; false when it is not one stride. */
static bool stride_taught(const struct state *s, const struct in *in, uint32_t *taught)
{
    const int distance = (int)in->ld_wic - (int)in->percta_lead;
    (void)s;
    for (unsigned lane = 0; lane < common_requests(in); lane++) {
        const uint32_t difference = address(in, lane) - (uint32_t)in->percta_base[lane];
        uint32_t stride;
        if (!stride_per_warp(difference, distance, &stride) || (lane != 0 && stride != *taught)) {
            return false;
        }
        *taught = stride;
    }
    return true;
}

static bool mispredicted(const struct state *s, const struct in *in, int way)
{
    const unsigned granule = VERIFY_BYTES ? 1 : 128;
    const uint32_t offset = UNIT_PRODUCT(uint32_t, in->ld_wic - in->percta_lead, s->stride[way]);
    for (unsigned lane = 0; lane < common_requests(in); lane++) {
        if (((uint32_t)in->percta_base[lane] + offset) / granule != address(in, lane) / granule) {
            return true;
        }
    }
    return false;
}
#else
static bool teaches(const struct state *s, const struct in *in)
{
    (void)in;
    return judge_trains(s);
}

static bool judged(const struct state *s)
{
    return judge_done(s);
}

static int entry_of_load(const struct state *s, const struct in *in)
{
    (void)in;
    return s->judge_hit ? s->judge_way : NO_WAY;
}

static unsigned place_of_load(const struct state *s)
{
    return s->judge_way;
}

static bool stride_taught(const struct state *s, const struct in *in, uint32_t *taught)
{
    (void)in;
    *taught = s->judge_amount;
    return s->judge_same;
}

static bool mispredicted(const struct state *s, const struct in *in, int way)
{
    (void)in, (void)way;
    return !s->judge_same;
}
#endif

/* Case 1: the first neighbour of a leading warp (or, TRAIN_FAR, the first other warp) gives
 * the stride. */
static void on_other_warp(const struct state *s, const struct in *in, struct effect *e)
{
    if (!teaches(s, in)) {
        return;
    }
    if ((STRICT_CNT && in->ld_n != in->percta_last + 1) || !stride_taught(s, in, &e->stride)) {
        e->invalidate = true;
        return;
    }
    e->learn = true;
    start_job(e, e->stride, others(in), true);
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
    e->mispredict = in->ld_n > 4 || mispredicted(s, in, e->way);
    if (!GEN_ALL && in->ld_n <= 4 && trained_by_this_cta(s, in, e->way)) {
        e->throttled = counted(s, e) > THR;
        if (!e->throttled) {
            start_job(e, s->stride[e->way], others(in), true);
        }
    }
}

static struct effect on_load(const struct state *s, const struct in *in)
{
    struct effect e = {.taken = in->ld_valid && !flushing(in) && judged(s),
                       .way = entry_of_load(s, in)};
    if (!e.taken || !in->ld_affine || in->ld_n == 0) {
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
        on_other_warp(s, in, &e);
    } else {
        on_trailing(s, in, &e);
    }
    return e;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    const struct effect e = on_load(s, in);
    out->ld_ready = !flushing(in) && judged(s);
    out->dist_hit = e.taken && e.way != NO_WAY;
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
    out->evict = e.learn && s->valid[place_of_load(s)];
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

/* At reset, or when a kernel starts. */
static void begin(struct state *s)
{
    for (unsigned way = 0; way < ENTRIES; way++) {
        s->valid[way] = 0;
        s->age[way] = (uint8_t)way;
    }
    restart_period(s);
}

#if UNIT_SET_ONE_CYCLE
static void reset_stages(struct state *s)
{
    (void)s;
}

static void clock_stages(struct state *s, const struct in *in)
{
    (void)s, (void)in;
}
#else
static void reset_stages(struct state *s)
{
    judge_reset(s);
}

/* The next stage of the load at hand; it begins anew with a flush. */
static void clock_stages(struct state *s, const struct in *in)
{
    const int way = find(s, in->ld_pc / PC_ALIGN);
    const bool trails = in->percta_hit && in->ld_wic != in->percta_lead && in->ld_affine &&
                        in->ld_n >= 1 && in->ld_n <= 4;
    struct judge_load load = {.wic = (unsigned)in->ld_wic,
                              .lead = (unsigned)in->percta_lead,
                              .common = common_requests(in),
                              .hit = way != NO_WAY,
                              .stride = s->stride[s->judge_way],
                              .checks = trails && s->judge_hit,
                              .trailing = trails && !s->judge_hit};
    load.way = load.hit ? (unsigned)way : lru_rank_victim(s->age, s->valid, ENTRIES);
    for (unsigned lane = 0; lane < JUDGE_LANES; lane++) {
        load.addr[lane] = address(in, lane);
        load.base[lane] = (uint32_t)in->percta_base[lane];
    }
    judge_edge(s, &load, flushing(in) || !in->ld_valid);
}
#endif

static void reset(struct state *s)
{
    begin(s);
    reset_stages(s);
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
    const unsigned way = place_of_load(s);
    s->valid[way] = 1;
    s->pc[way] = (uint32_t)(in->ld_pc / PC_ALIGN);
    s->stride[way] = stride;
    s->count[way] = 0;
    s->lead_valid[way] = 1;
    s->lead_cta[way] = (uint8_t)in->ld_cta;
    lru_rank_touch(s->age, ENTRIES, way);
}

/* What the load that is taken changes. */
static void take(struct state *s, const struct in *in, const struct effect *e)
{
    if (e->learn) {
        learn(s, in, e->stride);
    }
    if (e->verify) {
        s->count[e->way] = counted(s, e);
        if (TOUCH_ON_VERIFY) {
            lru_rank_touch(s->age, ENTRIES, (unsigned)e->way);
        }
        decay(s);
    }
}

static void seq(struct state *s, const struct in *in)
{
    const struct effect e = on_load(s, in);
    clock_stages(s, in);
    if (in->kernel_start) {
        begin(s);
    } else if (in->flush_valid) {
        flush_slot(s, in->flush_slot);
    } else {
        take(s, in, &e);
    }
}

MODEL_SEQUENTIAL
