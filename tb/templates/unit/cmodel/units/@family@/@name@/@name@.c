/* @name@ - counts hits up to a limit (your document, its section). */
#define UNIT_TABLE "units/@family@/@name@/@name@.ports.h"
#include "units/model.h"
#include "units/promises.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->hot = s->count == LIMIT;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->clear) {
        s->count = 0;
    } else if (in->hit && s->count != LIMIT) {
        s->count = (__typeof__(s->count))unit_bits(s->count + 1u, COUNT_W);
    }
}

static void reset(struct state *s)
{
    s->count = 0;
}

/* States beyond the limit cannot be reached; the proof of C = RTL shows that none leads there. */
static bool within_limit(const struct state *s)
{
    return s->count <= LIMIT;
}
MODEL_INVARIANT(within_limit)

MODEL_SEQUENTIAL
