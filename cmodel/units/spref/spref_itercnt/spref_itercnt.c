/* spref_itercnt - pending iterations of every thread (lakshminarayana2014-graph 3.1.5).
 * Knows index and end of lanes; nothing of what is prefetched. */
#define UNIT_TABLE "units/spref/spref_itercnt/spref_itercnt.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { MOST = 15 };

static uint8_t pending(const struct in *in, unsigned lane)
{
    uint32_t idx = (uint32_t)in->idx[lane], last = (uint32_t)in->last[lane];
    int32_t diff = (int32_t)(in->down ? idx - last : last - idx);
    if (diff < 0 || (diff == 0 && !in->plus_one)) {
        return 0;
    }
    uint64_t step = UINT64_C(1) << in->step_log2, whole = (uint64_t)diff / step;
    whole += in->plus_one || (uint64_t)diff % step != 0;
    return whole > MOST ? MOST : (uint8_t)whole;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    out->sum_valid = s->stage_valid;
    out->sum_wid = s->stage_wid;
    out->n = (uint64_t)__builtin_popcount(s->stage_mask);
    for (unsigned lane = 0; lane < LANES; lane++) {
        out->sum += s->stage_mask >> lane & 1 ? s->stage_count[lane] : 0u;
        out->p[lane] = in->read_wid < WARPS ? s->count[in->read_wid * LANES + lane] : 0;
    }
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void seq(struct state *s, const struct in *in)
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
            s->stage_count[lane] = pending(in, lane);
        }
    }
}

MODEL_SEQUENTIAL
