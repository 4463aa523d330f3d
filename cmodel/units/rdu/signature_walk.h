/* signature_walk.h - the six bits of a key, one after the other, in a signature that lies in words: the
 * RTL module signature_walk (tabbakh2018 3.7.2, D-R13).
 *
 * For a model whose table has M, ROW (bits of a word) and the fields walk_idx, walk_step and
 * walk_kept.  Knows nothing of where the words lie. */
#ifndef WARPLOCK_UNITS_RDU_SIGNATURE_WALK_H
#define WARPLOCK_UNITS_RDU_SIGNATURE_WALK_H

#include "units/rdu/bloom.h"

enum { WALK_LAST = BLOOM_HASHES + 1 };

/* The word of a hash in work: 0 the one that is read, BLOOM_HASHES - 1 that whose bit is tested. */
static inline unsigned walk_word(const struct state *s, unsigned hash)
{
    return s->walk_step == 0 ? 0 : s->walk_idx[hash] / ROW;
}

static inline bool walk_tests(const struct state *s)
{
    return s->walk_step >= 2 && s->walk_kept;
}

static inline bool walk_ends(const struct state *s)
{
    return s->walk_step == WALK_LAST && s->walk_kept;
}

static inline unsigned walk_bit(const struct state *s)
{
    return s->walk_idx[BLOOM_HASHES - 1] % ROW;
}

static inline void walk_seq(struct state *s, bool drop, bool start, uint32_t key)
{
    if (s->walk_step == 0 && start) {
        for (unsigned j = 0; j < BLOOM_HASHES; j++) {
            s->walk_idx[j] = (__typeof__(*s->walk_idx))bloom_hash(key, j, M);
        }
    } else if (s->walk_step != 0 && s->walk_step != WALK_LAST) {
        const __typeof__(*s->walk_idx) first = s->walk_idx[0];
        memmove(s->walk_idx, s->walk_idx + 1, (BLOOM_HASHES - 1) * sizeof *s->walk_idx);
        s->walk_idx[BLOOM_HASHES - 1] = first;
    }
    s->walk_kept = s->walk_step == 0 || (s->walk_kept && !drop);
    if (start || s->walk_step != 0) {
        s->walk_step = (uint8_t)unit_bits(s->walk_step + UINT64_C(1), 3);
    }
}

#endif
