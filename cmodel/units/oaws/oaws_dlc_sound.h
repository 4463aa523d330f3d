/* oaws_dlc_sound.h - what holds of oaws_dlc in all states that it can be in: the invariant of its
 * proof.  For oaws_dlc.c alone. */
#ifndef WARPLOCK_UNITS_OAWS_OAWS_DLC_SOUND_H
#define WARPLOCK_UNITS_OAWS_OAWS_DLC_SOUND_H

#include "units/oaws/oaws_dlc_entries.h"

/* A load has one entry, and no two entries were last used at once. */
static bool entries_differ(const struct state *s)
{
    bool differ = true;
    for (unsigned i = 0; i < ENTRIES; i++) {
        for (unsigned j = 0; j < i; j++) {
            differ &= s->lru[i] != s->lru[j];
            differ &= !(live(s, i, 0) && live(s, j, 0) && s->pc[i] == s->pc[j]);
        }
    }
    return differ;
}

#if !UNIT_SET_ONE_CYCLE
static bool one_bit(uint64_t bits)
{
    return bits != 0 && (bits & (bits - 1)) == 0;
}

/* In each step the operation has what the step needs: its entry and that one's rank, or the entry
 * that it will take. */
static bool operation_sound(const struct state *s)
{
    const unsigned entry = find(s, s->load, 0);
    const uint64_t holds = entry < ENTRIES ? UINT64_C(1) << entry : 0;
    const bool ranked = one_bit(s->pick) && s->lru[__builtin_ctzll(s->pick)] == s->rank;
    const bool occurs = s->op == op_OCCUR;
    if (s->step == step_MATCH) {
        return true;
    }
    if (s->op == op_AGE) {
        return s->step != step_COUNT && one_bit(s->pick) && one_bit(s->spare);
    }
    if (s->step == step_READ) {
        return s->pick == holds && s->spare == UINT64_C(1) << victim(s, 0) &&
               s->full == live(s, victim(s, 0), 0);
    }
    if (s->step == step_COUNT) {
        return s->known == (holds != 0) && (!s->known || s->pick == holds) && (!occurs || ranked);
    }
    return s->op != op_LOOK_UP && (!s->known || one_bit(s->pick)) &&
           (!s->known || !occurs || (ranked && (holds == 0 || s->pick == holds)));
}

static bool sound(const struct state *s)
{
    return entries_differ(s) && operation_sound(s);
}
#endif

#endif
