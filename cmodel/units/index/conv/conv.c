/* conv - conventional set index (wang2015 3.3, aci-iacm-blpp 3.2): block address
 * modulo the number of sets. */
#define UNIT_TABLE "units/index/conv/conv.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    out->set_index = (in->addr / BLOCK_BYTES) % SETS;
}

MODEL_COMBINATIONAL
