/* pli - polynomial-modulus set index (aci-iacm-blpp 3.5): long division of the
 * block address by POLY over GF(2), highest term first. */
#define UNIT_TABLE "units/index/pli/pli.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    uint64_t remainder = in->addr / BLOCK_BYTES;
    for (unsigned degree = ADDR_W - 1; degree >= LOGN; degree--) {
        if (remainder >> degree & 1) {
            remainder ^= (uint64_t)POLY << (degree - LOGN);
        }
    }
    out->set_index = remainder;
}

MODEL_COMBINATIONAL
