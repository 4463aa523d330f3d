/* grid_flow.h - a flow network on a 2-D grid, and its maximum flow by augmenting paths. */
#ifndef WARPLOCK_WORKLOADS_CUDACUTS_GRID_FLOW_H
#define WARPLOCK_WORKLOADS_CUDACUTS_GRID_FLOW_H

#include <stdint.h>

enum { SIDES = 4 }; /* west, east, north, south: opposite is side ^ 1 */

struct grid_flow {
    uint32_t width, height; /* cells */
    int32_t *cap;           /* SIDES + 1 planes of residual capacities: sides, into the sink */
    int32_t *excess;        /* flow that is in a cell; at first what the source can give */
};

/* The neighbour of cell `at`, or UINT32_MAX beyond the border. */
uint32_t grid_neighbour(const struct grid_flow *grid, uint32_t at, unsigned side);

/* Steps from every cell to the sink along residual capacities, cells + 1 where there is no
 * way.  `queue` has room for every cell. */
void grid_distances(const struct grid_flow *grid, int32_t *distance, uint32_t *queue);

/* Send all excess to the sink that can get there, each time along a shortest path (Edmonds
 * and Karp 1972), which changes cap and excess; returns how much did.  The arrays have room
 * for every cell. */
int64_t grid_augment_all(struct grid_flow *grid, int32_t *distance, uint32_t *queue);

#endif
