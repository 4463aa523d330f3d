/* drive.h - constrained random stimulus from a unit's table and stimulus file.
 *
 * A run is a function of (unit, parameters, seed): step n is always the same. */
#ifndef WARPLOCK_TB_DRIVE_H
#define WARPLOCK_TB_DRIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/stimulus.h"

struct driver;

struct driver *driver_new(const struct unit_desc *desc, const struct unit_stimulus *stimulus,
                          uint64_t seed);
void driver_free(struct driver *driver);
/* The inputs of the next step, and whether it is a reset (the first one is). */
const uint64_t *driver_next(struct driver *driver, bool *rst);
/* The outputs the unit answered with; zeros are assumed after a reset. */
void driver_answer(struct driver *driver, const uint64_t *out, bool rst);

#endif
