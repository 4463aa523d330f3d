/* caps_top - the CTA-aware prefetcher of one SM (caps-prefetch 3.2): the sequential algorithm
 * of 3.2.3, a load at a time, in front of the walks of caps_walk.h.
 *
 * Written after the algorithm as a whole and not from the models of the two tables: both
 * are compared with the same RTL, this one with their wiring as well.  Knows no L1D. */
#define UNIT_TABLE "units/caps/caps_top/caps_top.ports.h"
#include "units/caps/lru_rank.h"
#include "units/model.h"
#include "units/promises.h"

#include "units/caps/caps_walk_once.h"

enum { NONE = -1, COUNT_MAX = 255 };

/* What one load did, beyond the tables. */
struct done {
    bool verify, mispredict, stride_new, invalidate;
    struct walk_job job;
};

static uint64_t tag_of(const struct in *in)
{
    return in->ld_pc / PC_ALIGN;
}

/* ---- PerCTA ---- */

static int percta_lookup(const struct state *s, uint64_t cta, uint64_t tag)
{
    for (int row = (int)cta * PERCTA_ENTRIES; row < (int)(cta + 1) * PERCTA_ENTRIES; row++) {
        if (s->percta_valid[row] && s->percta_pc[row] == tag) {
            return row;
        }
    }
    return NONE;
}

static void base_of(const struct state *s, int row, uint64_t base[LANES])
{
    base[0] = s->percta_base0[row];
    base[1] = s->percta_base1[row];
    base[2] = s->percta_base2[row];
    base[3] = s->percta_base3[row];
}

/* Lanes past the count are stored as 0. */
static void percta_write(struct state *s, const struct in *in, int row, const uint32_t *addr)
{
    s->percta_last[row] = (uint8_t)(in->ld_n - 1);
    s->percta_base0[row] = addr[0];
    s->percta_base1[row] = in->ld_n > 1 ? addr[1] : 0;
    s->percta_base2[row] = in->ld_n > 2 ? addr[2] : 0;
    s->percta_base3[row] = in->ld_n > 3 ? addr[3] : 0;
    lru_rank_touch(s->percta_age + row / PERCTA_ENTRIES * PERCTA_ENTRIES, PERCTA_ENTRIES,
                   (unsigned)row % PERCTA_ENTRIES);
}

static int percta_alloc(struct state *s, const struct in *in)
{
    const unsigned first = (unsigned)in->ld_cta * PERCTA_ENTRIES;
    const unsigned row = first + lru_rank_victim(s->percta_age + first, s->percta_valid + first,
                                                 PERCTA_ENTRIES);
    s->percta_valid[row] = 1;
    s->percta_pc[row] = (uint32_t)tag_of(in);
    s->percta_lead[row] = (uint8_t)in->ld_wic;
    return (int)row;
}

/* ---- DIST ---- */

static int dist_lookup(const struct state *s, uint64_t tag)
{
    for (int way = 0; way < DIST_ENTRIES; way++) {
        if (s->dist_valid[way] && s->dist_pc[way] == tag) {
            return way;
        }
    }
    return NONE;
}

static void dist_alloc(struct state *s, const struct in *in, uint32_t stride)
{
    const unsigned way = lru_rank_victim(s->dist_age, s->dist_valid, DIST_ENTRIES);
    s->dist_valid[way] = 1;
    s->dist_pc[way] = (uint32_t)tag_of(in);
    s->dist_stride[way] = stride;
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

static void dist_verified(struct state *s, int way, struct done *done, bool right)
{
    done->verify = true;
    done->mispredict = !right;
    if (!right && s->dist_count[way] < COUNT_MAX) {
        s->dist_count[way]++;
    }
    lru_rank_touch(s->dist_age, DIST_ENTRIES, (unsigned)way);
}

static bool led_by(const struct state *s, int way, uint64_t cta)
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

static void leading(struct state *s, const struct in *in, int d, struct done *done)
{
    if (d != NONE && s->dist_count[d] <= THR && (SELF_PF || !led_by(s, d, in->ld_cta))) {
        start_job(in, s->dist_stride[d], true, done);
    }
}

static unsigned least(uint64_t a, uint64_t b)
{
    return (unsigned)(a < b ? a : b);
}

static void train(struct state *s, const struct in *in, int p, const uint32_t *addr,
                  struct done *done)
{
    const bool above = in->ld_wic == s->percta_lead[p] + 1u,
               below = in->ld_wic + 1 == s->percta_lead[p];
    uint64_t base[LANES];
    uint32_t stride = 0;
    if (!above && !below) {
        return;
    }
    base_of(s, p, base);
    bool uniform = !STRICT_CNT || in->ld_n == s->percta_last[p] + 1u;
    for (unsigned i = 0; i < least(in->ld_n, s->percta_last[p] + 1u); i++) {
        const uint32_t up = addr[i] - (uint32_t)base[i], one = above ? up : 0u - up;
        uniform = uniform && (i == 0 || one == stride);
        stride = i == 0 ? one : stride;
    }
    if (!uniform) {
        s->percta_valid[p] = 0;
        done->invalidate = true;
        return;
    }
    dist_alloc(s, in, stride);
    done->stride_new = true;
    start_job(in, stride, false, done);
}

static void verify(struct state *s, const struct in *in, int p, int d, const uint32_t *addr,
                   struct done *done)
{
    const uint32_t offset = UNIT_PRODUCT(uint32_t, in->ld_wic - s->percta_lead[p],
                                         s->dist_stride[d]);
    uint64_t base[LANES];
    bool right = true;
    base_of(s, p, base);
    for (unsigned i = 0; i < least(in->ld_n, s->percta_last[p] + 1u); i++) {
        const uint32_t predicted = (uint32_t)base[i] + offset;
        right = right && predicted / LINE_BYTES == addr[i] / LINE_BYTES;
    }
    dist_verified(s, d, done, right);
    if (!GEN_ALL && led_by(s, d, in->ld_cta) && s->dist_count[d] <= THR) {
        start_job(in, s->dist_stride[d], false, done);
    }
    decay(s);
}

static struct done on_load(struct state *s, const struct in *in)
{
    const int p = percta_lookup(s, in->ld_cta, tag_of(in)), d = dist_lookup(s, tag_of(in));
    struct done done = {0};
    uint32_t addr[LANES];
    if (!in->ld_affine || in->ld_n == 0) {
        return done;
    }
    for (unsigned i = 0; i < LANES; i++) {
        addr[i] = (uint32_t)in->ld_addr[i] & (ADDR_LINE ? ~UINT32_C(127) : UINT32_MAX);
    }
    if (in->ld_n > LANES) {
        if (p != NONE && d != NONE && in->ld_wic != s->percta_lead[p]) {
            dist_verified(s, d, &done, false);
            decay(s);
        }
    } else if (p == NONE || in->ld_wic == s->percta_lead[p]) {
        percta_write(s, in, p == NONE ? percta_alloc(s, in) : p, addr);
        leading(s, in, d, &done);
    } else if (d == NONE) {
        train(s, in, p, addr, &done);
    } else {
        verify(s, in, p, d, addr, &done);
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
    for (int way = 0; way < DIST_ENTRIES; way++) {
        if (led_by(s, way, slot)) {
            *(DIST_FLUSH_WITH_LEADCTA ? &s->dist_valid[way] : &s->dist_lead_valid[way]) = 0;
        }
    }
}

/* ---- one cycle ---- */

/* The tables' cycle: a flush, else a load. */
static struct done tables(struct state *s, const struct in *in)
{
    struct done done = {0};
    if (in->kernel_start) {
        restart_tables(s);
    } else if (in->cta_flush_valid) {
        flush_cta(s, in->cta_flush_slot);
    } else if (in->ld_valid) {
        done = on_load(s, in);
    }
    return done;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    struct state next = *s;
    const struct done done = tables(&next, in);
    out->ld_ready = !in->kernel_start && !in->cta_flush_valid;
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
}

static void seq(struct state *s, const struct in *in)
{
    const struct walk_warps warps = {in->wpc, in->warp_alive, in->first_wid};
    const int row = percta_lookup(s, walk_reads(s), s->pc);
    struct walk_base base = {.ready = !in->cta_flush_valid, .hit = row != NONE};
    if (row != NONE) { /* as it is before this cycle's load */
        base.lead = s->percta_lead[row];
        base.last = s->percta_last[row];
        base_of(s, row, base.base);
    }
    const struct done done = tables(s, in);
    if (in->kernel_start) {
        empty(s);
    } else {
        walk_edge(s, &warps, &base, &done.job, in->pf_ready);
    }
}

MODEL_SEQUENTIAL
