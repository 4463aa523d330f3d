/* pdisp - prime-displacement set index (wang2015 3.5 and A.1): (P T + x) mod n',
 * T the block address above the index field x. */
#define UNIT_TABLE "units/index/pdisp/pdisp.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const uint64_t block = in->addr / BLOCK_BYTES, t = block / SETS, x = block % SETS;
    out->set_index = PRIME_DISPLACED(t, P, x, PRIME, TAG_W);
    out->tag = t;
    out->xalias = x >= PRIME;
}

MODEL_COMBINATIONAL
