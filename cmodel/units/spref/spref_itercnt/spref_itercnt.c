/* spref_itercnt - pending iterations of every thread (lakshminarayana2014-graph 3.1.5).
 * Knows index and end of lanes; nothing of what is prefetched. */
#define UNIT_TABLE "units/spref/spref_itercnt/spref_itercnt.ports.h"
#include "units/model.h"
#include "units/promises.h"

#define counts_in in
#define counts_out out
#include "units/spref/spref_counts.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    counts_sum(s, out);
    counts_of(s, in->read_wid, out->p);
}

static void reset(struct state *s)
{
    counts_reset(s);
}

static void seq(struct state *s, const struct in *in)
{
    counts_seq(s, in);
}

MODEL_SEQUENTIAL
