/* collect.h - takes what workers have left in the work folder into the database. */
#ifndef WARPLOCK_SWEEP_COLLECT_H
#define WARPLOCK_SWEEP_COLLECT_H

#include "sweep/database.h"
#include "sweep/folder.h"

struct collected {
    size_t done, failed, damaged;
};

/* All results that lie there, in one transaction; then their files go.  Whatever is killed in
 * between, nothing is lost and nothing stands there twice.  `writers` [n_writers] get the metrics of
 * those of their experiments.  0, or -1 with one line in `error`. */
int collect(struct database *database, const struct folder *folder, struct metric_writer *writers,
            size_t n_writers, struct collected *collected, char *error, size_t n_error);

#endif
