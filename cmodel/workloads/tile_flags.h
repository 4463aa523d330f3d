/* tile_flags.h - a CTA for each tile of a 2-D field, and a flag for each that counts the
 * phases its tile has behind it, so that neighbours keep step inside a launch.  Included by
 * .cu files only; all CTAs must be resident together. */
#ifndef WARPLOCK_WORKLOADS_TILE_FLAGS_H
#define WARPLOCK_WORKLOADS_TILE_FLAGS_H

#include "cuda.h"

#define WIDE 32
#define HIGH 4

/* Wait until tile `tile` has done `steps` steps. */
static __device__ void await(const unsigned *flags, unsigned tile, unsigned steps)
{
    while (*(const volatile unsigned *)&flags[tile] < steps) {
    }
    __threadfence();
}

static __device__ void await_neighbour(const unsigned *flags, unsigned side, unsigned steps)
{
    const unsigned bx = blockIdx.x, by = blockIdx.y, across = gridDim.x;
    if (side == 0 && bx > 0) {
        await(flags, by * across + bx - 1, steps);
    }
    if (side == 1 && bx + 1 < across) {
        await(flags, by * across + bx + 1, steps);
    }
    if (side == 2 && by > 0) {
        await(flags, (by - 1) * across + bx, steps);
    }
    if (side == 3 && by + 1 < gridDim.y) {
        await(flags, (by + 1) * across + bx, steps);
    }
}

#endif
