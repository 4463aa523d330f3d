/* signature_words.h - signatures that lie in words, one read and one write a step: the RTL module
 * signature_memory (tabbakh2018 3.7.2, D-R13), and what the walk finds in it.
 *
 * For a model whose table has BANKS, WORDS, what signature_walk.h needs and the fields live and
 * read_word.  `sig` is its field with the contents: word by word,
 * in it bank by bank.  Knows nothing of what a signature is for. */
#ifndef WARPLOCK_UNITS_RDU_SIGNATURE_WORDS_H
#define WARPLOCK_UNITS_RDU_SIGNATURE_WORDS_H

#include "units/rdu/signature_walk.h"

enum { LANES = ROW / 64 };

/* What the memory does at an edge; banks are bits. */
struct memory_edge {
    unsigned clear, read_at, write, write_at;
    uint64_t data[BANKS * LANES]; /* of the banks that are written */
};

/* What was not written since the clear reads 0.  Most steps do neither: a run's time is in these. */
static inline void memory_seq(struct state *s, uint64_t *sig, const struct memory_edge *edge)
{
    for (unsigned i = 0; edge->clear != 0 && i < WORDS * BANKS; i++) {
        if (edge->clear >> i % BANKS & 1) {
            s->live[i] = 0;
            memset(&sig[i * LANES], 0, LANES * sizeof *sig);
        }
    }
    for (unsigned bank = 0; edge->write != 0 && edge->write_at < WORDS && bank < BANKS; bank++) {
        if (edge->write >> bank & 1) {
            const unsigned i = edge->write_at * BANKS + bank;
            s->live[i] = 1;
            memcpy(&sig[i * LANES], &edge->data[bank * LANES], LANES * sizeof *sig);
        }
    }
    for (unsigned bank = 0; bank < BANKS; bank++) {
        const unsigned i = edge->read_at * BANKS + bank;
        if (s->live[i]) {
            memcpy(&s->read_word[bank * LANES], &sig[i * LANES], LANES * sizeof *sig);
        } else {
            memset(&s->read_word[bank * LANES], 0, LANES * sizeof *sig);
        }
    }
}

/* Is the bit under test set in bank `bank`? */
static inline bool walk_found(const struct state *s, unsigned bank)
{
    return s->read_word[bank * LANES + walk_bit(s) / 64] >> walk_bit(s) % 64 & 1;
}

/* The words that were read, with the bit under test set. */
static inline void walk_data(const struct state *s, uint64_t data[BANKS * LANES])
{
    for (unsigned i = 0; i < BANKS * LANES; i++) {
        data[i] = s->read_word[i];
        data[i] |= i % LANES == walk_bit(s) / 64 ? UINT64_C(1) << walk_bit(s) % 64 : 0;
    }
}

#endif
