/* cover_run.h - runs a unit at one parameter set and keeps what it covered. */
#ifndef WARPLOCK_TB_LADDER_COVER_RUN_H
#define WARPLOCK_TB_LADDER_COVER_RUN_H

#include "tb/ladder/cover_points.h"
#include "tb/ladder/unit_at.h"

struct cover_effort {
    uint64_t steps; /* random steps of each seed */
    unsigned seeds; /* 1, 2, ... */
};

/* Plays the vectors and the random steps on C model and counting RTL in lockstep, and adds
 * to `points`.  What was counted stays in build/coverage/<unit>[@K=V]: it is taken from
 * there while nothing it depends on has changed.  False with the reason; a difference
 * between the sides is one. */
bool cover_run(struct unit_at *unit, const struct cover_effort *effort, struct cover_points *points,
               struct failure *failure);

#endif
