/* fup20 - full-permutation set index without a modulo stage (wang2015 3.7).
 * Four adjacent groups of LOGN bits, from the block address up, are XORed. */
#define UNIT_TABLE "units/index/fup20/fup20.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    uint64_t set = 0;
    for (unsigned group = 0; group < 4; group++) {
        set ^= unit_field(in->addr, OFFS + group * LOGN, LOGN);
    }
    out->set_index = set;
}

MODEL_COMBINATIONAL
