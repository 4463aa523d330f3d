/* heartwall_rodinia.h - heartwall's form=rodinia: the suite's own program. */
#ifndef WARPLOCK_WORKLOADS_HEARTWALL_RODINIA_H
#define WARPLOCK_WORKLOADS_HEARTWALL_RODINIA_H

#include "workloads/run.h"

/* Points followed through all frames of the run's size; the results of every launch are checked. */
void heartwall_rodinia(struct run *run);

#endif
