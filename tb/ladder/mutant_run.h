/* mutant_run.h - runs each mutant against the unit's vectors and random lockstep. */
#ifndef WARPLOCK_TB_LADDER_MUTANT_RUN_H
#define WARPLOCK_TB_LADDER_MUTANT_RUN_H

#include <stdint.h>

#include "tb/ladder/unit_at.h"

enum mutant_end {
    MUTANT_OPEN,      /* not run yet */
    MUTANT_VECTOR,    /* killed by a vector of the documents */
    MUTANT_RANDOM,    /* killed by random steps */
    MUTANT_LIVES,     /* no difference in any step */
    MUTANT_TIMEOUT,   /* stopped by the time limit: lives */
    MUTANT_BROKE,     /* its process ended otherwise: no difference was seen, so it lives */
    MUTANT_EQUIVALENT /* lives, and is proven to be no change */
};

struct mutant_outcome {
    enum mutant_end end;
    uint64_t seed, steps; /* RANDOM: the seed, and the step that differed */
};

struct mutant_effort {
    uint64_t steps; /* random steps of a mutant that lives, shared out over the seeds */
    unsigned seeds, jobs;
    unsigned limit_seconds; /* processor time of one mutant */
};

/* Runs mutants 1..n (outcomes[0] is mutant 1) that are MUTANT_OPEN, `jobs` at a time, each in
 * a process of its own.  First the unmutated selector 0 must live through all of it, else
 * nothing is judged and false is returned with the reason.  `done` is called after each. */
bool mutant_run(const struct unit_at *unit, const struct mutant_effort *effort, size_t n,
                struct mutant_outcome *outcomes, void (*done)(void *context, size_t i),
                void *context, struct failure *failure);

#endif
