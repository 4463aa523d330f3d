/* spref_dist - how many iterations ahead a warp prefetches (lakshminarayana2014-graph 3.1.6). */
#define UNIT_TABLE "units/spref/spref_dist/spref_dist.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    uint64_t wanted = in->fixed1 || in->sum < MID * in->n ? 1 : in->sum < HIGH * in->n ? 2 : 3;
    wanted = in->n == 0 ? 0 : wanted;
    out->d = wanted;
    while (out->d > 0 && out->d * in->nloads > in->spare) {
        out->d--;
    }
    out->clamped = out->d != wanted;
}

MODEL_COMBINATIONAL
