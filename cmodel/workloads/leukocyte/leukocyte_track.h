/* leukocyte_track.h - the second half of leukocyte: the field by which each cell is followed. */
#ifndef WARPLOCK_WORKLOADS_LEUKOCYTE_TRACK_H
#define WARPLOCK_WORKLOADS_LEUKOCYTE_TRACK_H

#include "workloads/run.h"

/* `frames` launches of "track", of `cells` CTAs each, at most `most` steps a cell; checked after each. */
void track_cells(struct run *run, uint32_t cells, uint32_t most, uint32_t frames);

/* The same of "track_rodinia", of cells in frames that are `width` pixels wide. */
void track_cells_rodinia(struct run *run, uint32_t cells, uint32_t most, uint32_t frames,
                         uint32_t width);

#endif
