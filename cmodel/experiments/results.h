/* results.h - what the runs of an experiment gave: values, means, and what becomes of each claim. */
#ifndef WARPLOCK_EXPERIMENTS_RESULTS_H
#define WARPLOCK_EXPERIMENTS_RESULTS_H

#include <jansson.h>
#include <stdio.h>

#include "experiments/experiment.h"

/* One value and its weight for each metric, workload and scheme; NAN where a run is missing or has
 * no such value. */
struct results {
    const struct experiment *experiment;
    double *value, *weight; /* [metric][workload][scheme] */
    const char *size;       /* that all were run at; NULL: as the file says */
};

/* All NAN; false when out of memory. */
bool results_new(struct results *results, const struct experiment *experiment);
void results_free(struct results *results);

/* The metrics of one run, `run` as `warplock run --json` writes it.  False with one line in `error`
 * when a counter is missing. */
bool results_add(struct results *results, size_t workload, size_t scheme, const json_t *run,
                 char *error, size_t n_error);
/* When all runs are in: the columns that are the best of others. */
void results_take_best(struct results *results);
/* The column that the best of a row was taken from. */
size_t results_best(const struct results *results, size_t workload, size_t scheme);

/* As measured; over the baseline where the metric is. */
double results_raw(const struct results *results, size_t metric, size_t workload, size_t scheme);
double results_value(const struct results *results, size_t metric, size_t workload, size_t scheme);
/* The mean over the workloads that have a value; NAN when none has.  With `over`, another scheme
 * than n_schemes, every value over that scheme's. */
double results_mean(const struct results *results, size_t metric, size_t scheme, size_t over);

/* What becomes of a claim: within its tolerance; on the same side of 1 only (of a ratio; level is
 * within 3 %); otherwise; or a run is missing. */
enum claim_verdict { CLAIM_AGREES, CLAIM_DIRECTION, CLAIM_DIFFERS, CLAIM_OPEN };
enum claim_verdict results_claim(const struct results *results, const struct claim *claim,
                                 double *ours);
const char *claim_verdict_words(enum claim_verdict verdict);

/* Tables of every metric, the claims with their verdicts, the causes. */
void results_print(const struct results *results, FILE *out);
json_t *results_json(const struct results *results);

#endif
