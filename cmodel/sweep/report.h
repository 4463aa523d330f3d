/* report.h - an experiment's results as one page of HTML that needs nothing else.
 *
 * Claims and tables are in the page as such; figures are drawn in the browser by report.js with
 * Vega-Lite, which is part of the page. */
#ifndef WARPLOCK_SWEEP_REPORT_H
#define WARPLOCK_SWEEP_REPORT_H

#include "sweep/loaded.h"

/* 0, or -1 with one line in `error`. */
int report_write(const struct loaded *loaded, struct database *database,
                 const struct experiment *experiment, const char *path, char *error,
                 size_t n_error);

/* Everything that the page's figures show: a new reference, NULL with one line in `error`. */
json_t *report_data(const struct loaded *loaded, struct database *database,
                    const struct experiment *experiment, char *error, size_t n_error);

#endif
