/* spref_alist - the AllocatedReg lists of all warps (lakshminarayana2014-graph 3.1.3, 3.1.7).
 * Knows ids and pointers; nothing of what the registers hold. */
#define UNIT_TABLE "units/spref/spref_alist/spref_alist.ports.h"
#include "units/model.h"
#include "units/promises.h"

#define lists_in in
#define lists_out out
#include "units/spref/spref_lists.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    lists_comb(s, in, out);
}

static void reset(struct state *s)
{
    lists_reset(s);
}

static void seq(struct state *s, const struct in *in)
{
    lists_seq(s, in);
}

MODEL_SEQUENTIAL
