/* spref_inject - which target loads become moves, and which prefetches go in behind them
 * (lakshminarayana2014-graph 3.1.7, 3.1.9).  Knows a loop's places and counts; nothing of addresses. */
#define UNIT_TABLE "units/spref/spref_inject/spref_inject.ports.h"
#include "units/model.h"
#include "units/promises.h"

#define steps_in in
#define steps_out out
#include "units/spref/spref_steps.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    steps_put(s, in, plan(s, in), out);
}

static void reset(struct state *s)
{
    steps_reset(s);
}

static void seq(struct state *s, const struct in *in)
{
    steps_seq(s, in);
}

MODEL_INVARIANT(in_place)

MODEL_SEQUENTIAL
