/* adi_idx_mux - the set index of adaptive cache indexing (aci 3.7.9): bit i is the
 * block-address bit named by selector i.  Knows nothing of how selectors are chosen. */
#define UNIT_TABLE "units/adi/adi_idx_mux/adi_idx_mux.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    uint64_t index = 0;
    for (unsigned i = 0; i < S; i++) {
        index |= unit_field(in->blk, (unsigned)in->sel[i], 1) << i;
    }
    out->idx = index;
}

MODEL_COMBINATIONAL
