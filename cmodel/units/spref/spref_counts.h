/* spref_counts.h - pending iterations: what spref_itercnt and spref_top do in a cycle
 * (lakshminarayana2014-graph 3.1.5).  Whoever includes it has the fields of spref_itercnt's state in its
 * own, and says what struct counts_in and struct counts_out are. */
#ifndef WARPLOCK_UNITS_SPREF_COUNTS_H
#define WARPLOCK_UNITS_SPREF_COUNTS_H

#include "units/spref/lane_sum.h"

enum { MOST = 15 };

static uint8_t pending(const struct counts_in *in, unsigned lane)
{
    uint32_t idx = (uint32_t)in->idx[lane], last = (uint32_t)in->last[lane];
    int32_t diff = (int32_t)(in->down ? idx - last : last - idx);
    if (diff < 0 || (diff == 0 && !in->plus_one)) {
        return 0;
    }
    uint32_t whole = (uint32_t)diff >> in->step_log2;
    whole += in->plus_one || whole << in->step_log2 != (uint32_t)diff;
    return whole > MOST ? MOST : (uint8_t)whole;
}

/* The sum of the last cycle's setp. */
static void counts_sum(const struct state *s, struct counts_out *out)
{
    out->sum_valid = s->stage_valid;
    out->sum_wid = s->stage_wid;
    out->sum = LANE_SUM(s->stage_count, LANES, MOST + 1);
    out->n = LANE_COUNT(s->stage_mask, LANES);
}

/* What a warp is left, lane by lane. */
static void counts_of(const struct state *s, uint64_t wid, uint64_t p[LANES])
{
    const uint8_t *of = wid < WARPS ? &s->count[wid * LANES] : NULL;
    for (unsigned lane = 0; lane < LANES; lane++) {
        p[lane] = of ? of[lane] : 0;
    }
}

static void counts_reset(struct state *s)
{
    memset(s->count, 0, sizeof s->count);
    memset(s->stage_count, 0, sizeof s->stage_count);
    s->stage_valid = s->stage_wid = 0;
    s->stage_mask = 0;
}

static void counts_seq(struct state *s, const struct counts_in *in)
{
    for (unsigned lane = 0; lane < LANES && s->stage_valid && s->stage_wid < WARPS; lane++) {
        if (s->stage_mask >> lane & 1) {
            s->count[s->stage_wid * LANES + lane] = s->stage_count[lane];
        }
    }
    s->stage_valid = (uint8_t)in->setp_valid;
    if (in->setp_valid) {
        s->stage_wid = (uint8_t)in->wid;
        s->stage_mask = (uint32_t)in->mask;
        for (unsigned lane = 0; lane < LANES; lane++) {
            s->stage_count[lane] = in->mask >> lane & 1 ? pending(in, lane) : 0;
        }
    }
}

#endif
