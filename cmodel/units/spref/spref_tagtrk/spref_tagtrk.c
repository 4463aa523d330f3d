/* spref_tagtrk - what each register of a loop is from iteration to iteration, and what it was computed
 * from (lakshminarayana2014-graph 3.1.3, 3.1.4).  Knows operations and register numbers; nothing of
 * which loads are chosen. */
#define UNIT_TABLE "units/spref/spref_tagtrk/spref_tagtrk.ports.h"
#include "units/model.h"
#include "units/promises.h"

#define tags_in in
#define tags_out out
#include "units/spref/spref_tags.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    tags_comb(s, in, out);
}

static void reset(struct state *s)
{
    tags_reset(s);
}

static void seq(struct state *s, const struct in *in)
{
    tags_seq(s, in);
}

MODEL_INVARIANT(one_entry_each)
MODEL_ACCEPTS(decoded)

MODEL_SEQUENTIAL
