/* wave.cu - a wave on a 2-D field, many time steps in one launch: CTAs tell their neighbours
 * by flags in global memory that a step is done (STN of Tabbakh 2018 section 6.2).
 *
 * Three fields in turn: a CTA is never more than one step ahead of a neighbour, so what a
 * neighbour still reads is not written. */
#include "tile_flags.h"

KERNEL wave(unsigned *field, unsigned *flags, unsigned steps)
{
    const unsigned width = gridDim.x * WIDE, height = gridDim.y * HIGH, cells = width * height;
    const unsigned x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y;
    const unsigned at = y * width + x, thread = threadIdx.y * WIDE + threadIdx.x;
    ROLLED
    for (unsigned step = 0; step < steps; step++) {
        const unsigned *now = field + step % 3 * cells, *before = field + (step + 2) % 3 * cells;
        unsigned *next = field + (step + 1) % 3 * cells;
        if (thread < 4)
            await_neighbour(flags, thread, step);
        __syncthreads();
        unsigned centre = now[at];
        unsigned west = x > 0 ? now[at - 1] : 0, east = x + 1 < width ? now[at + 1] : 0;
        unsigned north = y > 0 ? now[at - width] : 0;
        unsigned south = y + 1 < height ? now[at + width] : 0;
        int bend = (int)(west + east + north + south - 4 * centre) >> 2;
        next[at] = 2 * centre - before[at] + (unsigned)bend;
        __threadfence();
        __syncthreads();
        if (thread == 0)
            *(volatile unsigned *)&flags[blockIdx.y * gridDim.x + blockIdx.x] = step + 1;
    }
}
