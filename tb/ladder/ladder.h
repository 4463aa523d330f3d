/* ladder.h - levels of verification that have a program of their own. */
#ifndef WARPLOCK_TB_LADDER_LADDER_H
#define WARPLOCK_TB_LADDER_LADDER_H

#include "tb/backend.h"
#include "tb/ladder/cover_run.h"
#include "tb/ladder/mutant_run.h"

struct mutate_options {
    const char *unit, *point; /* "K=V,K=V", "" for the standard parameters */
    unsigned count, list_seed;
    struct mutant_effort effort;
    unsigned proof_seconds; /* of one mutant that lives; 0: no proofs */
    double goal;            /* percent */
};
/* PASS, MISMATCH when the score is below the goal, USAGE for a wrong reason, or why it did
 * not run.  Leaves build/mutate/<unit>[@K=V,K=V].json. */
enum verdict ladder_mutate(struct library *library, const struct mutate_options *options,
                           struct failure *failure);

struct cover_options {
    const char *unit;
    struct cover_effort effort;
    bool standard_only; /* not the other listed parameter sets */
};
/* PASS, MISMATCH when a point is open without a reason, USAGE for a wrong reason, or why it
 * did not run.  Leaves build/coverage/<unit>.json. */
enum verdict ladder_cover(struct library *library, const struct cover_options *options,
                          struct failure *failure);

/* Prints the sign-off table of tb/ladder/matrix.h for `units` (NULL-terminated; none: all); leaves
 * build/equiv/report.json and .html. */
enum verdict ladder_report(struct library *library, char *const *units, struct failure *failure);

#endif
