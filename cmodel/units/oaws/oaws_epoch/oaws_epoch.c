/* oaws_epoch - ageing period of the divergent load classifier (wang2015 3.16.1). */
#define UNIT_TABLE "units/oaws/oaws_epoch/oaws_epoch.ports.h"
#include "units/model.h"
#include "units/promises.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->age_tick = in->enable && s->count == EPOCH - 1;
}

static void seq(struct state *s, const struct in *in)
{
    s->count = (__typeof__(s->count))(in->enable ? (s->count + 1) % EPOCH : 0);
}

static void reset(struct state *s)
{
    s->count = 0;
}

static bool within_period(const struct state *s)
{
    return s->count < EPOCH;
}
MODEL_INVARIANT(within_period)

MODEL_SEQUENTIAL
