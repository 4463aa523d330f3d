/* sweep_world.h - the simulator as a sweep sees it: sweep/world.h. */
#ifndef WARPLOCK_CLI_SWEEP_WORLD_H
#define WARPLOCK_CLI_SWEEP_WORLD_H

#include "sweep/world.h"

/* NULL when out of memory. */
struct world *sweep_world_new(void);
void sweep_world_free(struct world *world);

#endif
