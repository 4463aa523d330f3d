/* inputs.h - what the result of a level depends on, as a hash (tb/ladder/inputs.sh). */
#ifndef WARPLOCK_TB_LADDER_INPUTS_H
#define WARPLOCK_TB_LADDER_INPUTS_H

#include <jansson.h>

/* {"LEVEL UNIT": "HASH"} as of now, of one level and unit, or of all (NULL, NULL).  An empty
 * object where the hashes cannot be had: every result is then taken for stale. */
json_t *inputs_now(const char *root, const char *level, const char *unit);
/* The hash of a level and unit among those, "" for none. */
const char *inputs_hash(json_t *inputs, const char *level, const char *unit);

#endif
