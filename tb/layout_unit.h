/* layout_unit.h - a unit's part of a GTKWave save file, drafted from its table. */
#ifndef WARPLOCK_TB_LAYOUT_UNIT_H
#define WARPLOCK_TB_LAYOUT_UNIT_H

#include "tb/layout.h"
#include "tb/lockstep.h"

/* The signals of a unit whose scope is `scope` (tb/wave_unit.h): step, rst and mismatch;
 * what `report` (or NULL) says differs; inputs, outputs, events and state.  Of a pair
 * both sides and, in red, whether they differ; with `one_side` the first side alone. */
void layout_unit(struct layout *layout, const char *scope, const struct unit_backend *backend,
                 const struct lockstep_report *report, bool one_side);

/* Steps of interest: the marker at the first, markers A, B, ... at those that follow. */
struct layout_steps {
    uint64_t step[1 + LAYOUT_NAMED];
    unsigned n;
    uint64_t played; /* steps in the wave; 0: not known */
};
/* A layout at `path` for a wave of one unit (struct wave_steps).  Where `report` (or NULL)
 * has a difference, both sides are shown and the marker stands where it does; else one side
 * is.  False when it cannot be written. */
bool layout_steps(const char *path, const char *wave_path, const struct unit_backend *backend,
                  const struct layout_steps *steps, const struct lockstep_report *report);

#endif
