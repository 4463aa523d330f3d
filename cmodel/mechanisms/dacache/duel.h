/* duel.h - set dueling between two insertion rules of one L1D (wang2015 3.10, 3.11,
 * D-DIP-1..3): four leader sets for each arm in 32, a 10-bit selector, and the counter that
 * makes every 32nd insertion of arm B an exception.  It knows no stack and no RRPV. */
#ifndef WARPLOCK_MECHANISMS_DUEL_H
#define WARPLOCK_MECHANISMS_DUEL_H

#include <stdbool.h>
#include <stdint.h>

enum { DUEL_PSEL_RESET = 512, DUEL_PSEL_MAX = 1023, DUEL_EPSILON = 32, DUEL_PERIOD = 8 };
enum duel_choice { DUEL_A, DUEL_B, DUEL_B_EXCEPTION };

struct duel {
    uint32_t psel, b_insertions;
};

static inline void duel_reset(struct duel *duel)
{
    *duel = (struct duel){DUEL_PSEL_RESET, 0};
}

/* A miss allocates in `set`: which rule places it, the selector trained on the way. */
static inline enum duel_choice duel_insert(struct duel *duel, uint32_t set)
{
    const bool leader_a = set % DUEL_PERIOD == 0, leader_b = set % DUEL_PERIOD == DUEL_PERIOD / 2;
    const bool use_b = leader_b || (!leader_a && duel->psel >= DUEL_PSEL_RESET);
    if (leader_a && duel->psel < DUEL_PSEL_MAX) {
        duel->psel++;
    }
    if (leader_b && duel->psel > 0) {
        duel->psel--;
    }
    if (!use_b) {
        return DUEL_A;
    }
    const bool exception = duel->b_insertions == DUEL_EPSILON - 1;
    duel->b_insertions = (duel->b_insertions + 1) % DUEL_EPSILON;
    return exception ? DUEL_B_EXCEPTION : DUEL_B;
}

#endif
