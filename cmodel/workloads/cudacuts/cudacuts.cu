/* cudacuts.cu - push-relabel on a grid of cells, many rounds in one launch: a CTA's cells
 * push flow into neighbouring tiles (CC of Tabbakh 2018 section 6.2).
 *
 * A round has two phases, each ended by the tiles' flags.  Relabel: every cell reads its
 * excess, its residual capacities and its neighbours' heights.  Push: flow goes one step
 * down by atomics.  What is pushed was read in the phase before, so the state after a round
 * does not depend on the order of the warps.  Heights alternate between two arrays: a
 * neighbour still reads the old ones.
 *
 * The kernels from cudacuts_start on are those of the program CUDA Cuts (Vineet and Narayanan
 * 2008): a launch pushes or relabels, and CTAs of 32 x 8 cells have their heights and those
 * around them in shared memory. */
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

/* Form cudacuts: cells on the image's border neither push nor change their height of 1. */
#define TALL 8
#define PITCH (WIDE + 2)

/* The sides in the order in which that program has them. */
struct sides {
    int *west, *east, *south, *north;
};

struct site {
    unsigned at;
    bool inside; /* not on the image's border */
    int *height; /* in the tile, whose rows are PITCH apart */
};

/* A CTA's heights and those one step around it; cells beyond the image are left as they were. */
static __device__ struct site load_tile(int *tile, const int *height, unsigned width, unsigned rows)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y, at = y * width + x;
    int *here = &tile[(threadIdx.y + 1) * PITCH + threadIdx.x + 1];
    here[0] = height[at];
    if (threadIdx.x == WIDE - 1 && x < width - 1)
        here[1] = height[at + 1];
    if (threadIdx.x == 0 && x > 0)
        here[-1] = height[at - 1];
    if (threadIdx.y == TALL - 1 && y < rows - 1)
        here[PITCH] = height[at + width];
    if (threadIdx.y == 0 && y > 0)
        here[-PITCH] = height[at - width];
    __syncthreads();
    return {at, x < width - 1 && x > 0 && y < rows - 1 && y > 0, here};
}

/* Push what fits to the neighbour `to`; where none goes the pull count there sinks, which
 * nobody reads. */
static __device__ void push_to(const struct site *site, unsigned to, int there, int *excess,
                               int *cap, int *back, int *pull)
{
    const int left = excess[site->at], most = cap[site->at];
    if (most > 0 && left > 0 && site->height[0] == site->height[there] + 1) {
        const int flow = most < left ? most : left;
        atomicAdd(&cap[site->at], -flow);
        atomicAdd(&back[to], flow);
        atomicAdd(&excess[site->at], -flow);
        atomicAdd(&excess[to], flow);
    } else {
        atomicAdd(&pull[to], -1);
    }
}

/* Push `left` into the sink; returns how much went. */
static __device__ int push_to_sink(const struct site *site, int left, int *excess, int *sink)
{
    const int most = sink[site->at], flow = most < left ? most : left;
    if (most <= 0 || left <= 0 || site->height[0] != 1)
        return 0;
    sink[site->at] = most - flow;
    atomicAdd(&excess[site->at], -flow);
    return flow;
}

/* Does a residual capacity lead one step down?  `west` was read before. */
static __device__ bool leads_down(const struct site *site, int west, const struct sides *cap,
                                  const int *sink)
{
    const int *height = site->height, here = height[0];
    return (here == height[-1] + 1 && west > 0) ||
           (here == height[1] + 1 && cap->east[site->at] > 0) ||
           (here == height[PITCH] + 1 && cap->south[site->at] > 0) ||
           (here == height[-PITCH] + 1 && cap->north[site->at] > 0) ||
           (here == 1 && sink[site->at] > 0);
}

static __device__ void write_height(const struct site *site, int west, const struct sides *cap,
                                    const int *sink, int *written, int cells)
{
    const int *height = site->height;
    if (!site->inside)
        return;
    if (sink[site->at] > 0) {
        written[site->at] = 1;
        return;
    }
    int lowest = cells;
    if (west > 0 && lowest > height[-1])
        lowest = height[-1];
    if (cap->east[site->at] > 0 && lowest > height[1])
        lowest = height[1];
    if (cap->south[site->at] > 0 && lowest > height[PITCH])
        lowest = height[PITCH];
    if (cap->north[site->at] > 0 && lowest > height[-PITCH])
        lowest = height[-PITCH];
    written[site->at] = lowest + 1;
}

KERNEL cudacuts_start(int *west, int *east, int *south, int *north, int *sink, int *excess,
                      int *mask, const int *height, int *written, unsigned width, unsigned rows)
{
    __shared__ int tile[(TALL + 2) * PITCH];
    const struct sides cap = {west, east, south, north};
    const struct site site = load_tile(tile, height, width, rows);
    int left = excess[site.at];
    if (mask[site.at] == 1 && site.inside)
        left -= push_to_sink(&site, left, excess, sink);
    __syncthreads();
    const int to_west = west[site.at];
    mask[site.at] = left > 0 && leads_down(&site, to_west, &cap, sink);
    write_height(&site, to_west, &cap, sink, written, (int)(width * rows));
}

KERNEL cudacuts_push(int *west, int *east, int *south, int *north, int *sink, int *excess,
                     int *pull_west, int *pull_east, int *pull_south, int *pull_north,
                     const int *mask, const int *height, unsigned width, unsigned rows)
{
    __shared__ int tile[(TALL + 2) * PITCH];
    const struct site site = load_tile(tile, height, width, rows);
    const unsigned at = site.at;
    const int left = excess[at];
    IN_ORDER; /* every thread loads it */
    if (mask[at] == 1 && site.inside) {
        push_to_sink(&site, left, excess, sink);
        push_to(&site, at - 1, -1, excess, west, east, pull_west);
        push_to(&site, at - width, -PITCH, excess, north, south, pull_north);
        push_to(&site, at + 1, 1, excess, east, west, pull_east);
        push_to(&site, at + width, PITCH, excess, south, north, pull_south);
    }
}

/* mask: 1 can push, 0 must rise first, 2 has nothing or nowhere to go. */
KERNEL cudacuts_relabel(int *west, int *east, int *south, int *north, int *sink, int *excess,
                        int *mask, const int *height, int *written, unsigned width, unsigned rows)
{
    __shared__ int tile[(TALL + 2) * PITCH];
    const struct sides cap = {west, east, south, north};
    const struct site site = load_tile(tile, height, width, rows);
    const unsigned at = site.at;
    const int to_west = west[at], left = excess[at];
    if (left <= 0 || (to_west == 0 && east[at] == 0 && south[at] == 0 && north[at] == 0 &&
                      sink[at] == 0))
        mask[at] = 2;
    else
        mask[at] = leads_down(&site, to_west, &cap, sink);
    __syncthreads();
    write_height(&site, to_west, &cap, sink, written, (int)(width * rows));
}

/* Keep the excess; and is it over, when no CTA's had changed the last time? */
KERNEL cudacuts_keep(const int *excess, int *kept, const int *n_changed, bool *go_on,
                     unsigned width)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned at = (blockIdx.y * blockDim.y + threadIdx.y) * width + x;
    kept[at] = excess[at];
    if (at == 0 && *n_changed == 0)
        *go_on = false;
}

KERNEL cudacuts_compare(int *changed, const int *excess, const int *kept, const unsigned *across,
                        unsigned width)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned at = (blockIdx.y * blockDim.y + threadIdx.y) * width + x;
    if (kept[at] - excess[at] != 0)
        changed[blockIdx.y * *across + blockIdx.x] = 1;
}

KERNEL cudacuts_count(const int *changed, int *n_changed, const unsigned *ctas)
{
    const unsigned cta = blockIdx.x * blockDim.x + threadIdx.x;
    if (cta < *ctas && changed[cta] == 1)
        atomicAdd(n_changed, 1);
}

/* Where the cut's labels begin: 1 at what is left inside, -1 at what still leads to the sink. */
KERNEL cudacuts_seed(const int *excess, const int *sink, int *label, bool *open, unsigned width,
                     unsigned rows)
{
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= width * rows || !open[at])
        return;
    const unsigned x = at % width, y = at / width;
    if (x > 0 && y > 0 && x < width - 1 && y < rows - 1 && excess[at] > 0) {
        label[at] = 1;
        open[at] = false;
    } else if (sink[at] > 0) {
        label[at] = -1;
        open[at] = false;
    }
}

/* A step of the search from there along residual capacities. */
KERNEL cudacuts_spread(const int *west, const int *east, const int *south, const int *north,
                       int *label, bool *open, bool *more, const int *step, unsigned width,
                       unsigned rows)
{
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= width * rows || !open[at])
        return;
    const unsigned x = at % width, y = at / width;
    if (x >= width - 1 || x == 0 || y >= rows - 1 || y == 0)
        return;
    const int from_east = label[at + 1], from_west = label[at - 1];
    const int from_south = label[at + width], from_north = label[at - width];
    if ((from_west == *step && east[at - 1] > 0) ||
        (from_south == *step && north[at + width] > 0) ||
        (from_east == *step && west[at + 1] > 0) ||
        (from_north == *step && south[at - width] > 0)) {
        label[at] = *step + 1;
        open[at] = false;
        *more = true;
    }
}
