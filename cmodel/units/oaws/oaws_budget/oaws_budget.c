/* oaws_budget - MSHR entries that issued loads have not yet spoken for (wang2015 3.16). */
#define UNIT_TABLE "units/oaws/oaws_budget/oaws_budget.ports.h"
#include "units/model.h"

static uint64_t held(uint64_t free_cnt)
{
    if (AVAIL_WRAPS) {
        return unit_bits(free_cnt, AVAIL_W);
    }
    return free_cnt < AVAIL_MAX ? free_cnt : AVAIL_MAX;
}

/* Issue and retirement of one cycle as a net sum, not yet limited. */
static int sum(const struct state *s, const struct in *in)
{
    int issued = in->issue_valid ? (int)in->issue_pred : 0;
    int retired = in->retire_valid ? (int)in->retire_pred : 0;
    return (int)s->inflight + issued - retired;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    uint64_t avail = AVAIL_SAMPLED ? s->avail : held(in->free_cnt);
    out->budget = unit_bits(avail - s->inflight, 8);
    out->inflight = s->inflight;
    out->avail = s->avail;
    out->overflow = sum(s, in) > INFLIGHT_MAX;
    out->underflow = sum(s, in) < 0;
}

static void seq(struct state *s, const struct in *in)
{
    int inflight = sum(s, in);
    inflight = inflight < 0 ? 0 : inflight > INFLIGHT_MAX ? INFLIGHT_MAX : inflight;
    s->inflight = (uint8_t)inflight;
    s->avail = (uint8_t)held(in->free_cnt);
}

static void reset(struct state *s)
{
    s->avail = (uint8_t)held(MSHRS);
    s->inflight = 0;
}

MODEL_SEQUENTIAL
