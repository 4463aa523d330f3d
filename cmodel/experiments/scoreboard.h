/* scoreboard.h - of several experiments, what documents say beside what came out, as one page.
 *
 * What becomes of a claim, within SCOREBOARD_PERCENT, judged.h says.  It knows nothing of databases. */
#ifndef WARPLOCK_EXPERIMENTS_SCOREBOARD_H
#define WARPLOCK_EXPERIMENTS_SCOREBOARD_H

#include "experiments/earlier.h"
#include "experiments/results.h"

enum { SCOREBOARD_PERCENT = 15 };

/* What is counted of a document beside judged_names: claims that can be in direction, and of which ours
 * is; those that stand in an order, and the sum of the shares of each; those not in value that have a
 * cause. */
#define COUNT_DIRECTED "directed"
#define COUNT_ALONG "along"
#define COUNT_ORDERED "ordered"
#define COUNT_IN_ORDER "in_order"
#define COUNT_CAUSED "caused"

/* How an experiment ran: when and by which program, in words, or ""; and if all of it ran, its points
 * and how long they took one after the other, without those that an experiment before it has as well. */
struct swept {
    char when[400];
    bool all;
    double points, seconds;
};

/* A page is begun empty, takes experiments one by one, and is written as Markdown or JSON. */
struct scoreboard {
    json_t *experiments;           /* owned */
    const struct earlier *earlier; /* where figures are that no run gives; NULL: nowhere */
};

bool scoreboard_begin(struct scoreboard *board, const struct earlier *earlier);
/* All settings of one experiment; `settings` NULL: it has not been swept.  A claim that neither they nor
 * the earlier page have a figure of is open. */
void scoreboard_add(struct scoreboard *board, const struct experiment *experiment,
                    const struct results *settings, size_t n_settings, const struct swept *swept);
/* What earlier_open reads: `{"documents": {NAME: {"value": n, ...}}, "numbers": {...}, "experiments": [...]}`; the
 * caller's.  A document's counts are of judged_names and COUNT_*; "numbers" leaves out what is said in words only. */
json_t *scoreboard_json(const struct scoreboard *board);
void scoreboard_print(const struct scoreboard *board, FILE *out);
void scoreboard_end(struct scoreboard *board);

#endif
