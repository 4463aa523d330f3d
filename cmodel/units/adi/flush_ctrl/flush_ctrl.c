/* flush_ctrl - walks the sets of a cache for a flush (aci 3.8.3): one set per cycle, and
 * one more cycle for each dirty line, which needs a miss-queue slot first.  Knows nothing
 * of line states nor of who wants the flush. */
#define UNIT_TABLE "units/adi/flush_ctrl/flush_ctrl.ports.h"
#include "units/model.h"

/* The set may be flushed at this edge: nothing dirty stays behind. */
static bool set_is_ready(const struct in *in)
{
    unsigned n_dirty = (unsigned)__builtin_popcountll(in->dirty);
    if (WB_OVERLAP && n_dirty == 1) {
        return in->wb_ready;
    }
    return n_dirty == 0;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    bool step = in->flush_req && set_is_ready(in);
    out->flush_busy = in->flush_req;
    out->flush_set = s->walk;
    out->flush_step = step;
    out->flush_done = step && s->walk == SETS - 1;
    out->wb_valid = in->flush_req && in->dirty != 0;
    out->wb_way = in->dirty != 0 ? (uint64_t)__builtin_ctzll(in->dirty) : 0;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->flush_req && set_is_ready(in)) {
        s->walk = (UNIT_WORD(SET_W))((s->walk + 1) % SETS);
    }
}

static void reset(struct state *s)
{
    s->walk = 0;
}

MODEL_SEQUENTIAL
