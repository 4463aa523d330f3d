/* rxi - the XOR index found in Fermi's L1D (aci-iacm-blpp 3.4, wang2015 3.6).
 * One row per index bit: the address bits that are XORed into it. */
#define UNIT_TABLE "units/index/rxi/rxi.ports.h"
#include "units/model.h"

#define A(k) (UINT64_C(1) << (k))

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    static const uint64_t terms[7] = {
        A(7) | A(13),  A(8) | A(14),  A(9) | A(15),
        A(10) | A(17), A(11) | A(19), A(12), /* 64 sets and up */
        A(16),                               /* 128 sets */
    };
    (void)s;
    uint64_t set = 0;
    for (unsigned i = 0; i < LOGN; i++) {
        set |= (uint64_t)__builtin_parityll(in->addr & terms[i]) << i;
    }
    out->set_index = set;
}

MODEL_COMBINATIONAL
