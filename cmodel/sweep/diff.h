/* diff.h - two runs, or the runs of two databases, counter by counter. */
#ifndef WARPLOCK_SWEEP_DIFF_H
#define WARPLOCK_SWEEP_DIFF_H

#include "sweep/database.h"

struct difference {
    char *point;   /* "workload size machine mechanisms ..."; NULL of two runs */
    char *counter; /* its path */
    double a, b;   /* NAN where only one side has it */
};

struct diff {
    struct difference *at;
    size_t n, cap;
    size_t compared, points, only_a, only_b; /* counters; points of both, of one */
    bool every;                              /* those of each SM, too */
};

void diff_free(struct diff *diff);
/* Adds what differs between two runs, as `warplock run --json` writes them. */
void diff_runs(struct diff *diff, const char *point, const json_t *a, const json_t *b);
/* Of all points that both have: what a run is, not its key, which tells the program too. */
int diff_databases(struct diff *diff, struct database *a, struct database *b, char *error,
                   size_t n_error);
/* The greatest relative change first. */
void diff_sort(struct diff *diff);
/* b over a, less 1; infinite where a is 0. */
double diff_change(const struct difference *difference);

#endif
