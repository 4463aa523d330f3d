/* place.cu - placement by swaps: each warp picks two cells, takes their version words (odd:
 * taken) and swaps the blocks there if that shortens their wires (VPR of Tabbakh 2018
 * section 6.2).  Lower cell first, so nobody waits in a circle. */
#include "cuda.h"

static __device__ void take(unsigned *version)
{
    for (;;) {
        const unsigned seen = *(volatile unsigned *)version;
        if (!(seen & 1) && (unsigned)atomicCAS((int *)version, (int)seen, (int)seen + 1) == seen)
            break;
    }
}

/* Cells between where a block is and where its wire ends. */
static __device__ int wire(unsigned cell, unsigned block, unsigned width)
{
    const unsigned to = block * 2654435761u % (width * width);
    const int dx = (int)(cell % width) - (int)(to % width);
    const int dy = (int)(cell / width) - (int)(to / width);
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

static __device__ void try_swap(unsigned *block, int *length, unsigned low, unsigned high,
                                unsigned width)
{
    const unsigned a = block[low], b = block[high];
    const int before = wire(low, a, width) + wire(high, b, width);
    const int after = wire(low, b, width) + wire(high, a, width);
    if (after < before) {
        block[low] = b;
        block[high] = a;
        atomicAdd(length, after - before);
    }
}

KERNEL place(unsigned *version, unsigned *block, int *length, unsigned width, unsigned tries,
             unsigned seed)
{
    const unsigned cells = width * width;
    unsigned random = seed + (blockIdx.x * blockDim.x + threadIdx.x) * 2246822519u;
    if (threadIdx.x % 32 != 0)
        return;
    ROLLED
    for (unsigned n = 0; n < tries; n++) {
        random = random * 1664525u + 1013904223u;
        const unsigned one = (random >> 8) % cells;
        random = random * 1664525u + 1013904223u;
        const unsigned other = (random >> 8) % cells;
        if (one == other)
            continue;
        const unsigned low = one < other ? one : other, high = one < other ? other : one;
        take(&version[low]);
        take(&version[high]);
        __threadfence();
        try_swap(block, length, low, high, width);
        __threadfence();
        atomicAdd(&version[high], 1u);
        atomicAdd(&version[low], 1u);
    }
}
