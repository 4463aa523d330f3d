/* sweep_session.h - what `sweep` and `chapter` have in common: points of experiments are
 * run, and an experiment's results shown. */
#ifndef WARPLOCK_CLI_SWEEP_SESSION_H
#define WARPLOCK_CLI_SWEEP_SESSION_H

#include "sweep/loaded.h"
#include "sweep/sweep.h"

enum sweep_engine { ENGINE_LOCAL, ENGINE_SLURM, ENGINE_LIST };

/* Runs what is not there, of all of them as one.  An exit status, with one line on standard error
 * where it is not 0. */
int sweep_session_run(struct experiment *const *experiments, size_t n_experiments,
                      const struct sweep_options *options, enum sweep_engine engine);
/* Shows the results: a table, or JSON.  An exit status: MISMATCH when a point is missing or
 * failed. */
int sweep_session_show(const struct experiment *experiment, const char *database, bool json);

#endif
