/* scoreboard.h - of several experiments, what documents say beside what came out, as one page.
 *
 * What becomes of a claim, within SCOREBOARD_PERCENT, judged.h says.  It knows nothing of databases. */
#ifndef WARPLOCK_EXPERIMENTS_SCOREBOARD_H
#define WARPLOCK_EXPERIMENTS_SCOREBOARD_H

#include "experiments/results.h"

enum { SCOREBOARD_PERCENT = 15 };

/* A page is begun empty, takes experiments one by one, and is written as Markdown or JSON. */
struct scoreboard {
    json_t *experiments; /* owned */
};

bool scoreboard_begin(struct scoreboard *board);
/* All settings of one experiment; `settings` NULL: it has not been swept, every claim is open.
 * `swept`: when, and by which program, in words; or "". */
void scoreboard_add(struct scoreboard *board, const struct experiment *experiment,
                    const struct results *settings, size_t n_settings, const char *swept);
/* `{"documents": {NAME: {"value": n, ...}}, "experiments": [...]}`; the caller's.  A document's
 * counts are of judged_names, and of what the page's shares are made of. */
json_t *scoreboard_json(const struct scoreboard *board);
void scoreboard_print(const struct scoreboard *board, FILE *out);
void scoreboard_end(struct scoreboard *board);

#endif
