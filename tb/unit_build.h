/* unit_build.h - builds a unit's objects with make, where a record does not say that nothing has changed
 * (tb/made.h).  It loads nothing. */
#ifndef WARPLOCK_TB_UNIT_BUILD_H
#define WARPLOCK_TB_UNIT_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"

/* `target` of a unit ("family/unit") at a checked parameter set, as its sources are now; the folder,
 * below `root`, goes to `where`.  False with BUILD, and what make said. */
bool unit_build(const char *root, const char *unit, const char *set, const char *target,
                char *where, size_t n_where, struct failure *failure);

#endif
