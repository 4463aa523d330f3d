/* experiment_read.h - what the readers of an experiment's parts have in common. */
#ifndef WARPLOCK_EXPERIMENTS_EXPERIMENT_READ_H
#define WARPLOCK_EXPERIMENTS_EXPERIMENT_READ_H

#include "experiments/experiment.h"
#include "experiments/reader.h"

/* The number of the scheme or metric of that name; the count, with an error, when there is none. */
size_t scheme_named(struct reader *r, const struct experiment *e, const char *pointer,
                    const char *name);
size_t metric_named(struct reader *r, const struct experiment *e, const char *pointer,
                    const char *name);
/* The same of a row, with its size or without. */
size_t row_named(struct reader *r, const struct experiment *e, const char *pointer,
                 const char *name);

void read_workloads(struct reader *r, struct experiment *e, const json_t *root);
/* Machines, parameters, keys set for all, seeds, limits. */
void read_swept(struct reader *r, struct experiment *e, const json_t *root);
/* Which kernels take time: where "timed" is there and not false those whose launches metrics go by,
 * which must have been read; of some perhaps not every launch. */
void read_timed(struct reader *r, struct experiment *e, const json_t *root);
/* Every text names known parameters, and every parameter is named: else all its values would give
 * the same. */
void check_parameters(struct reader *r, struct experiment *e);
/* Not too many points, and one at least. */
void check_size(struct reader *r, const struct experiment *e);

/* The members "claims", "causes" and "plots". */
void read_claims(struct reader *r, struct experiment *e, const json_t *root);
void read_causes(struct reader *r, struct experiment *e, const json_t *root);
void read_plots(struct reader *r, struct experiment *e, const json_t *root);

#endif
