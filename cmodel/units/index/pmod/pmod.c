/* pmod - prime-modulo set index (wang2015 3.5 and A.1, aci-iacm-blpp 3.6). */
#define UNIT_TABLE "units/index/pmod/pmod.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const uint64_t block = in->addr / BLOCK_BYTES;
    out->set_index = PRIME_RESIDUE(block, PRIME);
    out->tag = block / SETS;
    out->xalias = block % SETS >= PRIME;
}

MODEL_COMBINATIONAL
