/* earlier.h - what a scoreboard that was kept as JSON says of experiments: values of claims, when they
 * were measured, which causes the runs contradicted.
 *
 * The runs behind it need not be there any more.  It knows nothing of databases and judges nothing. */
#ifndef WARPLOCK_EXPERIMENTS_EARLIER_H
#define WARPLOCK_EXPERIMENTS_EARLIER_H

#include "experiments/experiment.h"
#include "experiments/json_file.h"

struct earlier {
    struct json_file file;
};

/* What `warplock scoreboard --json` printed.  0, or -1 with one line in `error`. */
int earlier_open(struct earlier *earlier, const char *path, char *error, size_t n_error);
void earlier_close(struct earlier *earlier);

/* Of one experiment, whose file asked for the same runs then; NULL: it says nothing of it.  Belongs to
 * `earlier`. */
const json_t *earlier_of(const struct earlier *earlier, const struct experiment *experiment);
/* The claim's value; NAN: it had none, or there was no such claim. */
double earlier_value(const json_t *of, const struct experiment *experiment,
                     const struct claim *claim);
/* What of the cause was not so; a new reference to texts, none if the cause was not there. */
json_t *earlier_not_so(const json_t *of, const struct cause *cause);

#endif
