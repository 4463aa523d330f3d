/* warp_limit - the warps that a limit leaves to a scheduler (aci 3.10.5). */
#define UNIT_TABLE "units/iacm/warp_limit/warp_limit.ports.h"
#include "units/model.h"
#include "units/promises.h"

static bool is_able(const struct in *in, unsigned warp)
{
    return in->resident >> warp & ~in->waiting >> warp & 1;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    uint64_t at_rank = 0; /* ranks whose warp is able */
    (void)s;
    for (unsigned warp = 0; warp < WARPS; warp++) {
        at_rank |= (uint64_t)is_able(in, warp) << in->age_rank[warp];
    }
    out->eligible = 0;
    for (unsigned warp = 0; warp < WARPS; warp++) {
        unsigned older = 0;
        for (unsigned rank = 0; rank < WARPS; rank++) {
            older += rank < in->age_rank[warp] && at_rank >> rank & 1;
        }
        out->eligible |= (uint64_t)(is_able(in, warp) && older < in->limit) << warp;
    }
}

static bool ranks_differ(const struct state *s, const struct in *in)
{
    uint64_t seen = 0;
    (void)s;
    for (unsigned warp = 0; warp < WARPS; warp++) {
        if (in->resident >> warp & 1) {
            const uint64_t bit = UINT64_C(1) << in->age_rank[warp];
            if (in->age_rank[warp] >= WARPS || seen & bit) {
                return false;
            }
            seen |= bit;
        }
    }
    return true;
}
MODEL_ACCEPTS(ranks_differ)

MODEL_COMBINATIONAL
