/* loaded.h - what the database holds of an experiment, as results (experiments/results.h). */
#ifndef WARPLOCK_SWEEP_LOADED_H
#define WARPLOCK_SWEEP_LOADED_H

#include "experiments/results.h"
#include "sweep/database.h"

struct loaded {
    struct results *at; /* [n_settings] */
    size_t n_settings;
    size_t n_points, n_missing, n_failed; /* cells of the experiment */
    char failed[DIGEST_DIGITS + 1];       /* key of the first that failed, or "" */
    char size[128];                       /* that all were run at, or "" */
};

/* A cell is the mean over its seeds; it has no value where one of them is missing or failed.  0, or
 * -1 with one line in `error`, also where the experiment's file has changed since its sweep. */
int loaded_open(struct loaded *loaded, struct database *database,
                const struct experiment *experiment, char *error, size_t n_error);
void loaded_close(struct loaded *loaded);

/* Of what was swept at the same size into another database: each setting that has more of its runs
 * there, whole, for ours.  How many were taken. */
size_t loaded_complete(struct loaded *loaded, struct loaded *other);

/* Tables of every setting, claims, causes: as results_print. */
void loaded_print(const struct loaded *loaded, FILE *out);
json_t *loaded_json(const struct loaded *loaded);
/* A line for each point: parameters, workload, scheme, seed, state, metrics.  0, or -1 with one
 * line in `error`. */
int loaded_csv(struct database *database, const struct experiment *experiment, FILE *out,
               char *error, size_t n_error);

#endif
