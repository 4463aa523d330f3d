/* dac_track - divergence and miss flag of the load in service (wang2015 3.12.1, 3.12.9).
 * Its answer at retirement trains dac_part. */
#define UNIT_TABLE "units/dacache/dac_track/dac_track.ports.h"
#include "units/model.h"

static bool counts_as_miss(uint64_t result)
{
    switch (result) {
    case acc_result_HIT_RESERVED: return RESERVED_IS_MISS;
    case acc_result_MISS: return true;
    case acc_result_BYPASS: return BYPASS_IS_MISS;
    default: return false;
    }
}

static bool missed_so_far(const struct state *s, const struct in *in)
{
    return s->miss || (in->acc_valid && counts_as_miss(in->acc_result));
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->retire_valid = in->acc_valid && in->acc_last;
    out->divergent = s->div;
    out->miss_seen = missed_so_far(s, in);
}

static void seq(struct state *s, const struct in *in)
{
    s->miss = !in->start_valid && missed_so_far(s, in);
    if (in->start_valid) {
        s->div = in->start_nreq > COH_MAX;
    }
}

static void reset(struct state *s)
{
    s->div = 0;
    s->miss = 0;
}

MODEL_SEQUENTIAL
