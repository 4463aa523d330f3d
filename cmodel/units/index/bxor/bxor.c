/* bxor - bitwise-XOR set index (wang2015 3.4, aci-iacm-blpp 3.3): the two lowest
 * index-wide fields of the block address, XORed. */
#define UNIT_TABLE "units/index/bxor/bxor.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const uint64_t block = in->addr / BLOCK_BYTES;
    out->set_index = (block % SETS) ^ (block / SETS % SETS);
}

MODEL_COMBINATIONAL
