/* options.h - reads "KEY=VALUE:ROLE.PARAMETER=VALUE" by a mechanism's descriptor. */
#ifndef WARPLOCK_MECHANISMS_OPTIONS_H
#define WARPLOCK_MECHANISMS_OPTIONS_H

#include "mechanisms/mechanism.h"

/* Set `values` to the standards and then, with `overrides`, as `text` (`length` bytes) says.  Both
 * arrays are as long as the descriptor's options and parts; the texts in `overrides` are to be
 * released with free().  0, or -1 with one line in `error`: the option, what it takes, what there
 * is. */
int options_read(const struct mechanism *mechanism, const char *text, size_t length,
                 int64_t *values, char **overrides, char *error, size_t n_error);

#endif
