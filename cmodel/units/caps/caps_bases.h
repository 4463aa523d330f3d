/* caps_bases.h - PerCTA's tables as its look-ups see them (caps-prefetch 3.2.2), for the C models of the
 * units that hold them: caps_percta and caps_top, in either form.
 *
 * Included after units/caps/lru_rank.h and units/model.h; the unit's table has the constant ENTRIES.
 * It changes nothing. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_BASES_H
#define WARPLOCK_UNITS_CAPS_CAPS_BASES_H

enum { NO_ROW = -1 };

/* Row = slot * ENTRIES + entry. */
struct bases {
    const uint8_t *valid, *age, *lead, *last;
    const uint32_t *pc, *base[4];
};

/* A look-up's answer: where the PC is, or which entry would give way. */
struct bases_answer {
    bool hit;
    unsigned row;
    uint64_t lead, last, base[4];
};

static unsigned bases_victim(const struct bases *bases, uint64_t cta)
{
    const unsigned first = (unsigned)cta * ENTRIES;
    return first + lru_rank_victim(bases->age + first, bases->valid + first, ENTRIES);
}

static struct bases_answer bases_answer(const struct bases *bases, bool hit, unsigned row)
{
    struct bases_answer answer = {hit, row, bases->lead[row], bases->last[row], {0}};
    for (unsigned i = 0; i < 4; i++) {
        answer.base[i] = bases->base[i][row];
    }
    return answer;
}

#if UNIT_SET_ONE_CYCLE
/* The row of slot `cta` that holds the PC, or NO_ROW; the lowest one. */
static int bases_find(const struct bases *bases, uint64_t cta, uint64_t tag)
{
    for (unsigned entry = 0; entry < ENTRIES; entry++) {
        const unsigned row = (unsigned)cta * ENTRIES + entry;
        if (bases->valid[row] && bases->pc[row] == tag) {
            return (int)row;
        }
    }
    return NO_ROW;
}
#endif

#endif
