/* results.h - what the runs of an experiment gave: values, means, and what becomes of each claim. */
#ifndef WARPLOCK_EXPERIMENTS_RESULTS_H
#define WARPLOCK_EXPERIMENTS_RESULTS_H

#include <jansson.h>
#include <stdio.h>

#include "experiments/by_launch.h"
#include "experiments/experiment.h"

/* One value and its weight for each metric, workload and scheme; NAN where a run is missing or has
 * no such value. */
struct results {
    const struct experiment *experiment;
    double *value, *weight;     /* [metric][workload][scheme] */
    struct by_launch *launches; /* the same, of metrics by launches */
    unsigned *n,
        *n_missing;   /* [metric][workload][scheme] seeds put; [workload][scheme] not there */
    size_t setting;   /* of the sweep */
    const char *size; /* that all were run at; NULL: as the file says */
};

/* Cells of workload and scheme without a value, for want of a run or of one of its seeds. */
size_t results_missing(const struct results *results);

/* All NAN; false when out of memory. */
bool results_new(struct results *results, const struct experiment *experiment);
void results_free(struct results *results);

/* A metric of one run: a value and its weight, NAN where its condition does not hold; of a metric by
 * launches their mean, 1, and all of them. */
struct measured {
    double value, weight;
    struct by_launch launches;
};
/* False with one line in `error` when a counter is missing. */
bool metric_measure(const struct metric *metric, const json_t *run, struct measured *measured,
                    char *error, size_t n_error);
/* The metrics of one run, `run` as `warplock run --json` writes it.  False with one line in `error`
 * when a counter is missing. */
bool results_add(struct results *results, size_t workload, size_t scheme, const json_t *run,
                 char *error, size_t n_error);
/* The same from values that were stored: one for each seed; then their means.  A cell of which one
 * seed is missing has no value.  The launches are the results' from then on. */
void results_put(struct results *results, size_t metric, size_t workload, size_t scheme,
                 const struct measured *measured);
void results_miss(struct results *results, size_t workload, size_t scheme);
void results_average(struct results *results);

/* When all runs are in: the columns that are not run but taken from others. */
void results_take_columns(struct results *results);
/* The column that such a one is taken from in a row. */
size_t results_taken_from(const struct results *results, size_t workload, size_t scheme);

/* As measured; over the baseline where the metric is. */
double results_raw(const struct results *results, size_t metric, size_t workload, size_t scheme);
double results_value(const struct results *results, size_t metric, size_t workload, size_t scheme);
/* The mean over the workloads that have a value; NAN when none has.  With `over`, another scheme
 * than n_schemes, every value over that scheme's. */
double results_mean(const struct results *results, size_t metric, size_t scheme, size_t over);

/* Is the claim's figure a ratio, and over which scheme (the baseline where it names none)? */
bool claim_is_ratio(const struct experiment *experiment, const struct claim *claim);
size_t claim_base(const struct experiment *experiment, const struct claim *claim);
/* Digits of the figure behind the point: the metric's, and of a ratio two at least. */
int claim_digits(const struct experiment *experiment, const struct claim *claim);
/* Its setting in words; "" where there is only one. */
void claim_setting(const struct experiment *experiment, const struct claim *claim, char *words,
                   size_t n_words);

/* What becomes of a claim: within its tolerance, and of a ratio on the same side of 1.00 as two
 * digits print it or within 3 % of the claim's; on the same side only; otherwise; or a run is
 * missing. */
enum claim_verdict { CLAIM_AGREES, CLAIM_DIRECTION, CLAIM_DIFFERS, CLAIM_OPEN };
enum claim_verdict claim_verdict(const struct experiment *experiment, const struct claim *claim,
                                 double ours);
/* The figure that a claim is about; NAN while a run is missing. */
double results_claimed(const struct results *results, const struct claim *claim);
/* Both of them. */
enum claim_verdict results_claim(const struct results *results, const struct claim *claim,
                                 double *ours);
const char *claim_verdict_words(enum claim_verdict verdict);
/* Into `words`: what a figure of a cause is of, what it is in these results, and what the cause says.
 * False: it is as the cause says, or a run is missing. */
bool results_contradict(const struct results *settings, size_t n_settings,
                        const struct claim *figure, char *words, size_t n_words);

/* How near a setting comes to all of the experiment's joint claims: how many agree, and how far off
 * the worst is, as a factor of at least 1 (a bound that holds: 1). */
struct nearness {
    size_t setting, n_agree, n_open;
    double worst;
};
struct nearness results_nearness(const struct results *results);

/* In this order: title; tables of every metric; the claims with their verdicts, each at its own
 * setting; the settings by nearness to the joint claims; sizes, document, causes. */
void results_print_head(const struct results *results, FILE *out);
void results_print_tables(const struct results *results, FILE *out);
void results_print_claims(const struct results *settings, size_t n_settings, FILE *out);
void results_print_joint(const struct results *settings, size_t n_settings, FILE *out);
void results_print_foot(const struct results *settings, size_t n_settings, FILE *out);
json_t *results_json(const struct results *results);

#endif
