/* judged.h - what becomes of each claim of an experiment on a page of many documents: is it near, on
 * the same side of 1, in the order of its figure (docs/experiments.md, "The scoreboard").
 *
 * It knows nothing of pages, databases or runs. */
#ifndef WARPLOCK_EXPERIMENTS_JUDGED_H
#define WARPLOCK_EXPERIMENTS_JUDGED_H

#include "experiments/results.h"

/* In value: within the percentage, and of a ratio on the same side of 1 (results_claim); or on its
 * side of a bound.  Near: within it, a ratio on another side.  In direction: only on the same side. */
enum judged_kind {
    JUDGED_VALUE,
    JUDGED_NEAR,
    JUDGED_DIRECTION,
    JUDGED_NEITHER,
    JUDGED_OPEN,
    N_JUDGED_KINDS
};
extern const char *const judged_names[N_JUDGED_KINDS];

struct judged {
    enum judged_kind kind;
    bool directed; /* a ratio or a bound: it can be in direction */
    double ours;   /* NAN: not known */
    /* Other values of the same figure, a metric over one base, that the document sets apart by more
     * than JUDGED_APART_PERCENT; and on how many of them ours lies on the document's side. */
    unsigned n_pairs, n_in_order;
};

enum { JUDGED_APART_PERCENT = 3 };

/* Of each claim's figure in `ours`, NAN where it is not known, what becomes of it into `out`.
 * `percent` takes the place of the claims' own tolerances, which are another question. */
void judge_claims(const struct experiment *experiment, const double *ours, unsigned percent,
                  struct judged *out);

#endif
