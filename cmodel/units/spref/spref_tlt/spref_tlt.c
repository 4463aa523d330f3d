/* spref_tlt - the loads of the loop that are prefetched, and the setp that ends it
 * (lakshminarayana2014-graph 3.1.4).  Knows tags and forms as spref_tagtrk gives them. */
#define UNIT_TABLE "units/spref/spref_tlt/spref_tlt.ports.h"
#include "units/model.h"
#include "units/promises.h"

#define targets_in in
#define targets_out out
#include "units/spref/spref_targets.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    targets_comb(s, in, out);
}

static void reset(struct state *s)
{
    targets_reset(s);
}

static void seq(struct state *s, const struct in *in)
{
    targets_seq(s, in);
}

MODEL_INVARIANT(first_head_first)

MODEL_SEQUENTIAL
