/* check_open.h - which bins and guards a check has left open, and which of them it may.
 *
 * A cross bin never hit, or an output that was never compared because its guard never
 * opened, is a hole in the check.  It counts where the steps are enough and the parameter
 * set is one that the unit lists; a reason (tb/reasons.h) closes it. */
#ifndef WARPLOCK_TB_CHECK_OPEN_H
#define WARPLOCK_TB_CHECK_OPEN_H

#include <jansson.h>

#include "tb/check.h"

struct check_open {
    json_t *faults; /* "what; remedy", strings: the check is not passed */
    json_t *few;    /* "kind name": open, but these steps or parameters say nothing yet */
    const char *why_few;
};

/* False with a failure when the unit's reasons or sets cannot be read.  check_open_end in
 * any case. */
bool check_open(struct library *library, const struct check_result *result, struct check_open *open,
                struct failure *failure);
void check_open_end(struct check_open *open);

#endif
