/* cfd_rodinia.h - cfd's form=rodinia: the suite's own solver. */
#ifndef WARPLOCK_WORKLOADS_CFD_RODINIA_H
#define WARPLOCK_WORKLOADS_CFD_RODINIA_H

#include "workloads/run.h"

/* Elements of a mesh have four faces; behind a face is an element within reach, or none. */
enum { CFD_FACES = 4, CFD_REACH = 64, CFD_NONE_PERCENT = 2 };

/* The element behind a face of element i of n, or a negative number. */
int32_t cfd_neighbour(struct rng *rng, uint32_t n, uint32_t i);

/* So many iterations of seven launches on n elements; the results of every launch are checked. */
void cfd_rodinia(struct run *run, uint32_t n, uint32_t iterations);

#endif
