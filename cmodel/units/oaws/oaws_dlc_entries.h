/* oaws_dlc_entries.h - which entry of oaws_dlc is a load's, and which a new load would take (wang2015
 * 3.16.1).  Changes nothing; for oaws_dlc.c and its invariant alone. */
#ifndef WARPLOCK_UNITS_OAWS_OAWS_DLC_ENTRIES_H
#define WARPLOCK_UNITS_OAWS_OAWS_DLC_ENTRIES_H

/* Entry `i` is in use, after ageing if `age` is 1. */
static bool live(const struct state *s, unsigned i, uint64_t age)
{
    bool freed = AGE_FREES && age && s->inst[i] <= 1;
    return ((uint64_t)s->valid >> i & 1) && !freed;
}

/* The entry of a PC, or ENTRIES. */
static unsigned find(const struct state *s, uint64_t pc, uint64_t age)
{
    unsigned i = 0;
    while (i < ENTRIES && !(s->pc[i] == pc && live(s, i, age))) {
        i++;
    }
    return i;
}

/* The entry for a new load: a free one, else the least recent. */
static unsigned victim(const struct state *s, uint64_t age)
{
    unsigned oldest = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (!live(s, i, age)) {
            return i;
        }
        oldest = s->lru[i] == ENTRIES - 1 ? i : oldest;
    }
    return oldest;
}

#endif
