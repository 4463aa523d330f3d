/* rdu_signature - one signature: a Bloom filter with six H3 hashes (tabbakh2018 3.7.2). */
#define UNIT_TABLE "units/rdu/rdu_signature/rdu_signature.ports.h"
#include "units/model.h"
#include "units/rdu/bloom.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const uint32_t key = (uint32_t)in->key;
    for (unsigned j = 0; j < BLOOM_HASHES; j++) {
        out->idx[j] = bloom_hash(key, j, M);
    }
    out->found = bloom_found(s->sig, key, M);
    out->fresh = in->insert && !in->clear && !out->found;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->clear) {
        memset(s->sig, 0, sizeof s->sig);
    } else if (in->insert) {
        bloom_insert(s->sig, (uint32_t)in->key, M);
    }
}

static void reset(struct state *s)
{
    memset(s->sig, 0, sizeof s->sig);
}

MODEL_SEQUENTIAL
