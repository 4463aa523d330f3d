/* caps_top - the CTA-aware prefetcher of one SM (caps-prefetch 3.2): the sequential algorithm
 * of 3.2.3, a load at a time, in front of the walks of caps_walk.h.
 *
 * Written after the algorithm as a whole and not from the models of the two tables: both
 * are compared with the same RTL, this one with their wiring as well.  How a load is looked up and
 * judged in stages is the parts' own (caps_lookup_steps.h, caps_judge.h); what follows from it
 * is not.  Knows no L1D. */
#define UNIT_TABLE "units/caps/caps_top/caps_top.ports.h"
#include "units/caps/lru_rank.h"
#include "units/model.h"
#include "units/promises.h"

#if UNIT_SET_ONE_CYCLE
#include "units/caps/caps_top_once.h"
#else
#include "units/caps/caps_top_steps.h"
#endif

enum { COUNT_MAX = 255 };

/* What one load did, beyond the tables. */
struct done {
    bool verify, mispredict, stride_new, invalidate;
    struct walk_job job;
};

static bool is_ready(const struct state *s, const struct in *in)
{
    return is_judged(s) && !flushing(in);
}

/* ---- PerCTA ---- */

/* A leading warp's base goes into its entry; lanes past the count are stored as 0. */
static void percta_write(struct state *s, const struct in *in, const struct seen *seen)
{
    const unsigned row = seen->base.row, first = (unsigned)in->ld_cta * PERCTA_ENTRIES;
    if (!seen->base.hit) {
        s->percta_valid[row] = 1;
        s->percta_pc[row] = (uint32_t)tag_of(in);
        s->percta_lead[row] = (uint8_t)in->ld_wic;
    }
    s->percta_last[row] = (uint8_t)(in->ld_n - 1);
    s->percta_base0[row] = seen->addr[0];
    s->percta_base1[row] = in->ld_n > 1 ? seen->addr[1] : 0;
    s->percta_base2[row] = in->ld_n > 2 ? seen->addr[2] : 0;
    s->percta_base3[row] = in->ld_n > 3 ? seen->addr[3] : 0;
    lru_rank_touch(s->percta_age + first, PERCTA_ENTRIES, row - first);
}

/* ---- DIST ---- */

static void dist_alloc(struct state *s, const struct in *in, const struct seen *seen)
{
    const unsigned way = seen->way;
    s->dist_valid[way] = 1;
    s->dist_pc[way] = (uint32_t)tag_of(in);
    s->dist_stride[way] = seen->stride;
    s->dist_count[way] = 0;
    s->dist_lead_valid[way] = 1;
    s->dist_lead_cta[way] = (uint8_t)in->ld_cta;
    lru_rank_touch(s->dist_age, DIST_ENTRIES, way);
}

/* A period of 2^DECAY verifications is over: all counters are halved. */
static void decay(struct state *s)
{
#if UNIT_SET_DECAY > 0
    s->dist_verifies = (__typeof__(s->dist_verifies))unit_bits(s->dist_verifies + UINT64_C(1),
                                                               DECAY);
    for (unsigned way = 0; way < DIST_ENTRIES && s->dist_verifies == 0; way++) {
        s->dist_count[way] /= 2;
    }
#else
    (void)s;
#endif
}

static void dist_verified(struct state *s, unsigned way, struct done *done, bool right)
{
    done->verify = true;
    done->mispredict = !right;
    if (!right && s->dist_count[way] < COUNT_MAX) {
        s->dist_count[way]++;
    }
    lru_rank_touch(s->dist_age, DIST_ENTRIES, way);
}

static bool led_by(const struct state *s, unsigned way, uint64_t cta)
{
    return s->dist_lead_valid[way] && s->dist_lead_cta[way] == cta;
}

/* ---- one load (3.2.3) ---- */

static void start_job(const struct in *in, uint32_t stride, bool own_cta, struct done *done)
{
    const uint64_t own = UINT64_C(1) << in->ld_cta;
    done->job = (struct walk_job){.valid = stride != 0,
                                  .filter = !own_cta,
                                  .pc = tag_of(in),
                                  .stride = stride,
                                  .wic = in->ld_wic,
                                  .mask = unit_bits(own_cta ? own : ~own, CTAS)};
}

static void leading(struct state *s, const struct in *in, const struct seen *seen,
                    struct done *done)
{
    percta_write(s, in, seen);
    if (seen->known && s->dist_count[seen->way] <= THR &&
        (SELF_PF || !led_by(s, seen->way, in->ld_cta))) {
        start_job(in, s->dist_stride[seen->way], true, done);
    }
}

static void train(struct state *s, const struct in *in, const struct seen *seen, struct done *done)
{
    if (!seen->near) {
        return;
    }
    if (!seen->uniform) {
        s->percta_valid[seen->base.row] = 0;
        done->invalidate = true;
        return;
    }
    dist_alloc(s, in, seen);
    done->stride_new = true;
    start_job(in, seen->stride, false, done);
}

static void verify(struct state *s, const struct in *in, const struct seen *seen, struct done *done)
{
    const bool over = in->ld_n > LANES;
    dist_verified(s, seen->way, done, !over && seen->right);
    if (!GEN_ALL && !over && led_by(s, seen->way, in->ld_cta) && s->dist_count[seen->way] <= THR) {
        start_job(in, s->dist_stride[seen->way], false, done);
    }
    decay(s);
}

/* The load that is taken. */
static struct done on_load(struct state *s, const struct in *in, const struct seen *seen)
{
    const bool trailing = seen->base.hit && in->ld_wic != seen->base.lead;
    struct done done = {0};
    if (!in->ld_affine || in->ld_n == 0) {
        return done;
    }
    if (trailing && seen->known) {
        verify(s, in, seen, &done);
    } else if (in->ld_n > LANES) {
        return done;
    } else if (trailing) {
        train(s, in, seen, &done);
    } else {
        leading(s, in, seen, &done);
    }
    return done;
}

/* ---- flushes ---- */

static void restart_tables(struct state *s)
{
    for (unsigned row = 0; row < ROWS; row++) {
        s->percta_valid[row] = 0;
        s->percta_age[row] = (uint8_t)(row % PERCTA_ENTRIES);
    }
    for (unsigned way = 0; way < DIST_ENTRIES; way++) {
        s->dist_valid[way] = 0;
        s->dist_age[way] = (uint8_t)way;
    }
#if UNIT_SET_DECAY > 0
    s->dist_verifies = 0;
#endif
}

static void flush_cta(struct state *s, uint64_t slot)
{
    memset(s->percta_valid + slot * PERCTA_ENTRIES, 0, PERCTA_ENTRIES);
    for (unsigned way = 0; way < DIST_ENTRIES; way++) {
        if (led_by(s, way, slot)) {
            *(DIST_FLUSH_WITH_LEADCTA ? &s->dist_valid[way] : &s->dist_lead_valid[way]) = 0;
        }
    }
}

/* ---- one cycle ---- */

/* The tables' cycle: a flush, else the load that is taken. */
static struct done tables(struct state *s, const struct in *in)
{
    const bool taken = in->ld_valid && is_ready(s, in);
    const struct seen seen = see(s, in);
    struct done done = {0};
    clock_steps(s, in, taken);
    if (in->kernel_start) {
        restart_tables(s);
    } else if (in->cta_flush_valid) {
        flush_cta(s, in->cta_flush_slot);
    } else if (taken) {
        done = on_load(s, in, &seen);
    }
    return done;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    struct state next = *s;
    const struct done done = tables(&next, in);
    out->ld_ready = is_ready(s, in);
    out->pf_valid = s->pf_pending[s->pf_head];
    out->pf_line = s->queue_line[s->pf_head];
    out->pf_wid = s->queue_wid[s->pf_head];
    out->idle = walk_idle(s);
    out->verify = done.verify;
    out->mispredict = done.mispredict;
    out->stride_new = done.stride_new;
    out->invalidated = done.invalidate;
    out->job_drop = done.job.valid && jobs_full(s);
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    restart_tables(s);
    reset_steps(s);
}

static void seq(struct state *s, const struct in *in)
{
    const struct walk_warps warps = {in->wpc, in->warp_alive, in->first_wid};
    const struct walk_base base = read_base(s, in); /* as it is before this cycle's load */
    const struct done done = tables(s, in);
    if (in->kernel_start) {
        empty(s);
    } else {
        walk_edge(s, &warps, &base, &done.job, in->pf_ready);
    }
}

MODEL_SEQUENTIAL
