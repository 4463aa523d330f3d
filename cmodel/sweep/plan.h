/* plan.h - the points of an experiment: which runs it asks for, each under the hash of everything
 * that determines its result.
 *
 * It knows nothing of files, databases or processes. */
#ifndef WARPLOCK_SWEEP_PLAN_H
#define WARPLOCK_SWEEP_PLAN_H

#include "base/digest.h"
#include "experiments/experiment.h"
#include "sweep/world.h"

/* One cell of the experiment: several may be the same run. */
struct cell {
    size_t setting, workload, scheme, seed; /* positions in the experiment */
    size_t run;
};
struct run {
    char key[DIGEST_DIGITS + 1], machine_digest[DIGEST_DIGITS + 1];
    size_t cell; /* the first that asks for it */
};

struct plan {
    const struct experiment *experiment;
    const struct world *world;
    const char *size; /* of every workload; NULL: as the file says */
    struct cell *cells;
    size_t n_cells;
    struct run *runs; /* each key once */
    size_t n_runs;
};

/* 0, or -1 with one line in `error`: what the experiment asks for cannot be run. */
int plan_new(struct plan *plan, const struct experiment *experiment, const struct world *world,
             const char *size, char *error, size_t n_error);
void plan_free(struct plan *plan);

/* A cell's run; `storage` holds its texts, and is released with plan_point_free. */
struct plan_point {
    struct run_point point;
    char *storage;
};
bool plan_point(const struct experiment *experiment, const struct cell *cell, const char *size,
                struct plan_point *out, char *error, size_t n_error);
void plan_point_free(struct plan_point *point);

/* What a worker needs to run it (docs/experiments.md, "Work folder"); a new reference. */
json_t *plan_run_json(const struct plan *plan, const struct run *run);

/* Every scheme's mechanisms fit the machine at every setting, and every metric names counters that
 * the runs have: 0, or -1 with file, line, remedy. */
int plan_check(const struct plan *plan, char *error, size_t n_error);

#endif
