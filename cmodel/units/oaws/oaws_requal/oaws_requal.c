/* oaws_requal - which loads would exhaust the MSHRs: Eq 5.1 (wang2015 3.16). */
#define UNIT_TABLE "units/oaws/oaws_requal/oaws_requal.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const int64_t budget = (int8_t)in->budget;
    uint64_t occlude = 0;
    for (unsigned warp = 0; warp < WARPS; warp++) {
        occlude |= (uint64_t)((int64_t)in->pred[warp] > budget) << warp;
    }
    out->occlude = occlude & in->is_div_load;
    out->blocked = (out->occlude & in->ready) != 0;
}

MODEL_COMBINATIONAL
