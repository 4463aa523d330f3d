/* spref_loopdet - the loop whose loads are prefetched, and the two passes over it
 * (lakshminarayana2014-graph 3.1.4).  Knows PCs and warp slots; nothing of what is decoded. */
#define UNIT_TABLE "units/spref/spref_loopdet/spref_loopdet.ports.h"
#include "units/model.h"
#include "units/promises.h"

#define loop_in in
#define loop_out out
#include "units/spref/spref_loop.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    loop_comb(s, in, out);
}

static void reset(struct state *s)
{
    loop_reset(s);
}

static void seq(struct state *s, const struct in *in)
{
    loop_seq(s, in);
}

MODEL_INVARIANT(possible)

MODEL_SEQUENTIAL
