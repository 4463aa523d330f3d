/* fup28 - full-permutation set index over all feature bits (wang2015 3.7): three
 * groups as wide as the index and a fourth of the rest, reduced modulo a prime
 * where it is wider than the index. */
#define UNIT_TABLE "units/index/fup28/fup28.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    const unsigned s1_at = OFFS + (S4_LOWEST ? S4_W : 0);
    const unsigned s4_at = OFFS + (S4_LOWEST ? 0 : 3 * LOGN);
    const uint64_t s4 = unit_field(in->addr, s4_at, S4_W);
    uint64_t set = S4_WIDE ? s4 % PRIME : s4;
    for (unsigned group = 0; group < 3; group++) {
        set ^= unit_field(in->addr, s1_at + group * LOGN, LOGN);
    }
    out->set_index = set;
}

MODEL_COMBINATIONAL
