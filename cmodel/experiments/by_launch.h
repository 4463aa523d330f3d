/* by_launch.h - what a metric is of each launch of a kernel in a run.
 *
 * A document that says "the mean over all invocations of a kernel" compares invocation by invocation:
 * the third launch of one run with the third of the other.  An expression of such a metric names
 * launch.cycles and launch.warp_instructions. */
#ifndef WARPLOCK_EXPERIMENTS_BY_LAUNCH_H
#define WARPLOCK_EXPERIMENTS_BY_LAUNCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "experiments/experiment.h"

/* In the order of the launches; NAN where the metric's condition does not hold. */
struct by_launch {
    double *value;
    size_t n;
};

/* May an expression of such a metric name it? */
bool by_launch_has(const char *counter);

/* Of the launches of the metric's kernels in `run`, as `warplock run --json` writes it.  False with
 * one line in `error`. */
bool by_launch_of(const struct metric *metric, const json_t *run, struct by_launch *launches,
                  char *error, size_t n_error);
/* As a database keeps them; nulls for NAN.  False: out of memory, or no such text. */
char *by_launch_text(const struct by_launch *launches);
bool by_launch_read(struct by_launch *launches, const char *text);
/* Empty when out of memory. */
struct by_launch by_launch_copy(const struct by_launch *launches);
void by_launch_free(struct by_launch *launches);

/* The mean of the values; with `base`, of each over its counterpart there, as many as both have. */
double by_launch_mean(enum mean_kind kind, const struct by_launch *launches,
                      const struct by_launch *base);

#endif
