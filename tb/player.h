/* player.h - plays a sequence on a backend and checks what it expects. */
#ifndef WARPLOCK_TB_PLAYER_H
#define WARPLOCK_TB_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/lockstep.h"
#include "tb/sequence.h"
#include "tb/wave_unit.h"

struct play_result {
    bool out_of_memory;
    bool cannot_load;      /* the sequence starts from a state, the backend has no load */
    uint64_t steps;        /* played */
    uint64_t expectations; /* checked */
    /* The first expectation that failed. */
    bool unexpected;
    uint64_t unexpected_step;
    unsigned unexpected_line;
    struct sequence_expect expected;
    uint64_t got;
    /* A pair in lockstep differed; the report points into `instance`. */
    bool mismatch;
    struct lockstep_report report;
    void *instance; /* to be given to play_end */
};

/* Plays from the sequence's state or its seed's arbitrary contents; stops at the first
 * difference.  `wave` may be NULL. */
void play(const struct unit_backend *backend, const struct sequence *sequence,
          struct wave_steps *wave, struct play_result *result);
void play_end(const struct unit_backend *backend, struct play_result *result);

#endif
