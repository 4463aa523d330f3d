/* list_mechanism.h - all that a mechanism can be told, and what it needs. */
#ifndef WARPLOCK_CLI_LIST_MECHANISM_H
#define WARPLOCK_CLI_LIST_MECHANISM_H

#include <jansson.h>
#include <stdbool.h>

#include "mechanisms/mechanism.h"

/* Print it; or, with `json`, a new reference instead. */
json_t *list_mechanism(const struct mechanism *mechanism, bool json);

#endif
