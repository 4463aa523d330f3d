/* cudacuts.cu - push-relabel on a grid of cells, many rounds in one launch: a CTA's cells
 * push flow into neighbouring tiles (CC of Tabbakh 2018 section 6.2).
 *
 * A round has two phases, each ended by the tiles' flags.  Relabel: every cell reads its
 * excess, its residual capacities and its neighbours' heights.  Push: flow goes one step
 * down by atomics.  What is pushed was read in the phase before, so the state after a round
 * does not depend on the order of the warps.  Heights alternate between two arrays: a
 * neighbour still reads the old ones. */
#include "tile_flags.h"

#define SIDES 4 /* west, east, north, south: opposite is side ^ 1 */

struct cell {
    unsigned at[SIDES]; /* neighbours; the cell itself beyond the border */
    int cap[SIDES], sink, excess, height; /* residual capacities, as read when relabelling */
};

static __device__ void end_phase(unsigned *flags, unsigned phases)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        *(volatile unsigned *)&flags[blockIdx.y * gridDim.x + blockIdx.x] = phases;
}

static __device__ void begin_phase(const unsigned *flags, unsigned phases)
{
    const unsigned thread = threadIdx.y * WIDE + threadIdx.x;
    if (thread < SIDES)
        await_neighbour(flags, thread, phases);
    __syncthreads();
}

/* One above the lowest neighbour that flow can still go to; `limit`: out of reach. */
static __device__ int lift(const struct cell *cell, const int *height, int limit)
{
    int lowest = cell->sink > 0 ? 0 : limit;
    UNROLLED
    for (int side = 0; side < SIDES; side++) {
        const int there = height[cell->at[side]];
        if (cell->cap[side] > 0 && there < lowest)
            lowest = there;
    }
    return lowest < limit ? lowest + 1 : limit;
}

static __device__ int push(int *from, int *to, int most, int excess)
{
    const int flow = most < excess ? most : excess;
    atomicAdd(from, -flow);
    if (to)
        atomicAdd(to, flow);
    return flow;
}

/* cap: four planes of `cells` residual capacities by side, one of those into the sink. */
static __device__ void push_down(const struct cell *cell, unsigned at, unsigned cells, int *cap,
                                 int *excess, const int *height)
{
    int left = cell->excess;
    if (cell->sink > 0 && cell->height == 1)
        left -= push(&cap[SIDES * cells + at], 0, cell->sink, left);
    UNROLLED
    for (unsigned side = 0; side < SIDES; side++) {
        const unsigned to = cell->at[side];
        if (left > 0 && cell->cap[side] > 0 && height[to] == cell->height - 1) {
            const int flow = push(&cap[side * cells + at], &cap[(side ^ 1) * cells + to],
                                  cell->cap[side], left);
            atomicAdd(&excess[to], flow);
            left -= flow;
        }
    }
    if (left != cell->excess)
        atomicAdd(&excess[at], left - cell->excess);
}

KERNEL cudacuts(int *cap, int *excess, int *height, unsigned *flags, unsigned rounds)
{
    const unsigned width = gridDim.x * WIDE, rows = gridDim.y * HIGH, cells = width * rows;
    const unsigned x = blockIdx.x * WIDE + threadIdx.x, y = blockIdx.y * HIGH + threadIdx.y;
    const unsigned at = y * width + x;
    const int limit = (int)cells + 1;
    struct cell cell = {{x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at,
                         y > 0 ? at - width : at, y + 1 < rows ? at + width : at},
                        {0, 0, 0, 0}, 0, 0, 0};
    ROLLED
    for (unsigned round = 0; round < rounds; round++) {
        const int *old = height + round % 2 * cells;
        int *now = height + (round + 1) % 2 * cells;
        begin_phase(flags, 2 * round);
        cell.excess = excess[at];
        cell.height = old[at];
        cell.sink = cap[SIDES * cells + at];
        UNROLLED
        for (unsigned side = 0; side < SIDES; side++)
            cell.cap[side] = cap[side * cells + at];
        const bool active = cell.excess > 0 && cell.height < limit;
        if (active)
            cell.height = lift(&cell, old, limit);
        now[at] = cell.height;
        end_phase(flags, 2 * round + 1);
        begin_phase(flags, 2 * round + 1);
        if (active && cell.height < limit)
            push_down(&cell, at, cells, cap, excess, now);
        end_phase(flags, 2 * round + 2);
    }
}
