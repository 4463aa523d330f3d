/* rdu_signature - one signature: a Bloom filter with six H3 hashes (tabbakh2018 3.7.2). */
#define UNIT_TABLE "units/rdu/rdu_signature/rdu_signature.ports.h"
#include "units/model.h"
#include "units/rdu/bloom.h"

#if UNIT_SET_ONE_CYCLE

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const uint32_t key = (uint32_t)in->key;
    for (unsigned j = 0; j < BLOOM_HASHES; j++) {
        out->idx[j] = bloom_hash(key, j, M);
    }
    out->key_ready = !in->clear;
    out->found_valid = in->key_valid && !in->clear;
    out->found = bloom_found(s->sig, key, M);
    out->fresh = out->found_valid && in->insert && !out->found;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->clear) {
        memset(s->sig, 0, sizeof s->sig);
    } else if (in->key_valid && in->insert) {
        bloom_insert(s->sig, (uint32_t)in->key, M);
    }
}

#else

#include "units/rdu/signature_words.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    for (unsigned j = 0; j < BLOOM_HASHES; j++) {
        out->idx[j] = s->walk_idx[j];
    }
    out->key_ready = s->walk_step == 0 && !in->clear;
    out->found_valid = walk_ends(s) && !in->clear;
    out->found = s->all_found && walk_found(s, 0);
    out->fresh = out->found_valid && s->inserts && !out->found;
}

static void seq(struct state *s, const struct in *in)
{
    struct memory_edge edge = {.clear = in->clear != 0,
                               .read_at = walk_word(s, 0),
                               .write = walk_tests(s) && s->inserts && !in->clear,
                               .write_at = walk_word(s, BLOOM_HASHES - 1)};
    walk_data(s, edge.data);
    if (s->walk_step == 0) {
        s->inserts = (uint8_t)in->insert;
        s->all_found = 1;
    } else if (walk_tests(s)) {
        s->all_found = s->all_found && walk_found(s, 0);
    }
    memory_seq(s, s->sig, &edge);
    walk_seq(s, in->clear, in->key_valid && !in->clear, (uint32_t)in->key);
}

#endif

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

MODEL_SEQUENTIAL
