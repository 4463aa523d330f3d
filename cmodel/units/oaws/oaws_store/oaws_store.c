/* oaws_store - predictions beside the instruction buffer (wang2015 3.19).
 * Stores and schedules; predictions are computed by oaws_pred. */
#define UNIT_TABLE "units/oaws/oaws_store/oaws_store.ports.h"
#include "units/model.h"
#include "units/promises.h"

static bool enters(const struct in *in, uint64_t slot)
{
    return in->enter_valid && in->enter_slot == slot;
}

static bool outdated(const struct state *s, const struct in *in)
{
    return s->stale || enters(in, s->pending);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->walk_start = s->step == 0;
    out->walk_slot = s->walk_slot;
    for (unsigned warp = 0; warp < WARPS; warp++) {
        out->pred[warp] = s->pred[2 * warp + (in->head >> warp & 1)];
    }
    out->refresh = in->walk_valid && !outdated(s, in);
    out->outdated = in->walk_valid && outdated(s, in);
}

static void store(struct state *s, uint64_t slot, uint64_t pred)
{
    if (slot < SLOTS) {
        s->pred[slot] = (uint8_t)(pred < PRED_MAX ? pred : PRED_MAX);
    }
}

static void seq(struct state *s, const struct in *in)
{
    if (in->walk_valid && !outdated(s, in)) {
        store(s, s->pending, in->walk_pred);
    }
    if (in->enter_valid) {
        store(s, in->enter_slot, in->enter_pred);
    }
    s->stale = outdated(s, in);
    if (s->step == 0) {
        s->pending = s->walk_slot;
        s->stale = enters(in, s->pending);
        s->walk_slot = (uint8_t)((s->walk_slot + 1) % SLOTS);
    }
    s->step = (uint8_t)((s->step + 1) % PRED_STEP);
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static bool in_turn(const struct state *s)
{
    return s->step < PRED_STEP && s->walk_slot < SLOTS && s->pending < SLOTS;
}
MODEL_INVARIANT(in_turn)

MODEL_SEQUENTIAL
