/* grid_flow.c - see grid_flow.h.  The CPU reference of the maximum flow; it shares nothing
 * with the kernel but the layout of the network. */
#include "workloads/cudacuts/grid_flow.h"

uint32_t grid_neighbour(const struct grid_flow *grid, uint32_t at, unsigned side)
{
    const uint32_t x = at % grid->width, y = at / grid->width;
    switch (side) {
    case 0: return x > 0 ? at - 1 : UINT32_MAX;
    case 1: return x + 1 < grid->width ? at + 1 : UINT32_MAX;
    case 2: return y > 0 ? at - grid->width : UINT32_MAX;
    default: return y + 1 < grid->height ? at + grid->width : UINT32_MAX;
    }
}

void grid_distances(const struct grid_flow *grid, int32_t *distance, uint32_t *queue)
{
    const uint32_t cells = grid->width * grid->height;
    const int32_t far = (int32_t)cells + 1;
    uint32_t tail = 0;
    for (uint32_t at = 0; at < cells; at++) {
        distance[at] = far;
        if (grid->cap[SIDES * cells + at] > 0) {
            distance[at] = 1;
            queue[tail++] = at;
        }
    }
    for (uint32_t head = 0; head < tail; head++) {
        for (unsigned side = 0; side < SIDES; side++) {
            const uint32_t from = grid_neighbour(grid, queue[head], side);
            if (from != UINT32_MAX && distance[from] == far &&
                grid->cap[(side ^ 1) * cells + from] > 0) {
                distance[from] = distance[queue[head]] + 1;
                queue[tail++] = from;
            }
        }
    }
}

/* The residual capacity one step down from `at`, 0 when there is none.  `*to` is the cell it
 * leads to, UINT32_MAX for the sink; `*side` the plane it lies in. */
static int32_t step_down(const struct grid_flow *grid, const int32_t *distance, uint32_t at,
                         uint32_t *to, unsigned *side)
{
    const uint32_t cells = grid->width * grid->height;
    *to = UINT32_MAX;
    *side = SIDES;
    if (distance[at] == 1) {
        return grid->cap[SIDES * cells + at];
    }
    for (*side = 0; *side < SIDES; ++*side) {
        *to = grid_neighbour(grid, at, *side);
        const int32_t most = grid->cap[*side * cells + at];
        if (*to != UINT32_MAX && most > 0 && distance[*to] == distance[at] - 1) {
            return most;
        }
    }
    return 0;
}

/* Along one shortest path from `start`; 0 when the distances do not hold any more. */
static int32_t augment(struct grid_flow *grid, const int32_t *distance, uint32_t start)
{
    const uint32_t cells = grid->width * grid->height;
    int32_t flow = grid->excess[start];
    uint32_t to;
    unsigned side;
    for (uint32_t at = start; at != UINT32_MAX && flow > 0; at = to) {
        const int32_t most = step_down(grid, distance, at, &to, &side);
        flow = most < flow ? most : flow;
    }
    for (uint32_t at = start; at != UINT32_MAX && flow > 0; at = to) {
        step_down(grid, distance, at, &to, &side);
        grid->cap[side * cells + at] -= flow;
        if (to != UINT32_MAX) {
            grid->cap[(side ^ 1) * cells + to] += flow;
        }
    }
    grid->excess[start] -= flow;
    return flow;
}

int64_t grid_augment_all(struct grid_flow *grid, int32_t *distance, uint32_t *queue)
{
    const uint32_t cells = grid->width * grid->height;
    int64_t total = 0, before = -1;
    while (total != before) {
        before = total;
        grid_distances(grid, distance, queue);
        for (uint32_t at = 0; at < cells; at++) {
            int32_t flow = distance[at] <= (int32_t)cells ? 1 : 0;
            while (flow > 0 && grid->excess[at] > 0) {
                flow = augment(grid, distance, at);
                total += flow;
            }
        }
    }
    return total;
}
