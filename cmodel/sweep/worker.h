/* worker.h - runs points: each in a process of its own, within its limits, its result left in the
 * work folder by rename.
 *
 * It knows neither the experiment nor the database. */
#ifndef WARPLOCK_SWEEP_WORKER_H
#define WARPLOCK_SWEEP_WORKER_H

#include <stdbool.h>
#include <stdio.h>

#include "sweep/folder.h"
#include "sweep/world.h"

/* Runs the point that `line` describes (plan_run_json) and leaves its result, good or bad.  False
 * with one line in `error` where no result could be left. */
bool worker_run(const struct folder *folder, const struct world *world, const char *line,
                char *error, size_t n_error);

/* Points from `in`, a line each, until it ends; says the key of each on `out` when its result is
 * there.  With `first` and `last` only the lines from and to these, from 1. */
int worker_serve(const struct folder *folder, const struct world *world, FILE *in, FILE *out,
                 size_t first, size_t last);

/* Leaves the result of a point that never came to an end. */
bool worker_give_up(const struct folder *folder, const char *line, const char *reason);

#endif
