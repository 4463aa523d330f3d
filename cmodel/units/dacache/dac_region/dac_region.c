/* dac_region - the stack positions that a partition of fcw warps holds (wang2015 3.12.5). */
#define UNIT_TABLE "units/dacache/dac_region/dac_region.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    uint64_t lines = in->fcw * WIDTH;
    uint64_t ways = ROUND_UP ? (lines + SETS - 1) / SETS : lines / SETS;
    uint64_t most = KEEP_VICTIM ? WAYS - 1 : WAYS;
    out->p_eff = unit_bits((ways < most ? ways : most) - 1, WAY_W + 1);
}

MODEL_COMBINATIONAL
