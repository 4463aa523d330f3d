/* unit_set.h - "K=V,K=V": what a user may set of a unit's parameters.  Knows no unit. */
#ifndef WARPLOCK_TB_UNIT_SET_H
#define WARPLOCK_TB_UNIT_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "units/unit.h"

/* Checks `overrides`, "K=V,K=V", against names and ranges of the unit's table and writes them as
 * "K=V K=V"; false with USAGE. */
bool unit_set_resolve(const struct unit_desc *desc, const char *overrides, char *set, size_t n,
                      struct failure *failure);
/* Does `desc`, of the unit at `set`, meet the conditions of its table?  False with USAGE. */
bool unit_set_meets(const struct unit_desc *desc, const char *set, struct failure *failure);

#endif
