/* sssp.cu - single-source shortest paths by rounds of relaxation from a frontier of
 * byte flags (Harish and Narayanan; H-SSSP of Lakshminarayana 2014 section 6.5); the same warp-centric,
 * and from a frontier of ids (section 3.7). */
/* clang: -mllvm -disable-block-placement */
#include "graph_queue.h"

/* cost[v] is loaded again for every edge: it may alias what the atomic changes. */
KERNEL sssp_relax(unsigned char *mask, const struct node *__restrict__ nodes, const unsigned *__restrict__ edges,
                  const unsigned *__restrict__ weights, const unsigned *cost, unsigned *new_cost, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || !mask[v])
        return;
    mask[v] = 0;
    unsigned first = nodes[v].first, end = first + nodes[v].count;
    ROLLED
    for (unsigned i = first; i < end; i++) {
        unsigned id = edges[i], w = weights[i];
        atomicMin(&new_cost[id], cost[v] + w);
    }
}

KERNEL sssp_commit(unsigned char *mask, unsigned *cost, unsigned *new_cost, unsigned *again,
                   unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    if (cost[v] > new_cost[v]) {
        cost[v] = new_cost[v];
        mask[v] = 1;
        *again = 1;
    }
    new_cost[v] = cost[v];
}

/* A warp shares the neighbours of one of its vertices at a time. */
KERNEL sssp_relax_warp(const unsigned char *__restrict__ mask, const struct node *__restrict__ nodes,
                       const unsigned *__restrict__ edges, const unsigned *__restrict__ weights,
                       const unsigned *cost, unsigned *new_cost, unsigned n)
{
    unsigned lane = lane_of_warp(), v = global_thread() - lane;
    unsigned last = v + WARP < n ? v + WARP : n;
    ROLLED
    for (; v < last; v++) {
        if (!mask[v])
            continue;
        unsigned first = nodes[v].first, end = first + nodes[v].count;
        ROLLED
        for (unsigned i = first + lane; i < end; i += WARP) {
            unsigned id = edges[i], w = weights[i];
            atomicMin(&new_cost[id], cost[v] + w);
        }
    }
}

/* Who was in the frontier is not any more, unless it has improved: the relaxation leaves the flags. */
KERNEL sssp_commit_warp(unsigned char *mask, unsigned *cost, unsigned *new_cost, unsigned *again,
                        unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    bool improved = cost[v] > new_cost[v];
    mask[v] = improved;
    if (improved) {
        cost[v] = new_cost[v];
        *again = 1;
    }
    new_cost[v] = cost[v];
}

KERNEL sssp_relax_data(const unsigned *__restrict__ frontier, unsigned n_frontier,
                       const struct node *__restrict__ nodes, const unsigned *__restrict__ edges,
                       const unsigned *__restrict__ weights, const unsigned *cost,
                       unsigned *new_cost)
{
    unsigned t = global_thread();
    if (t >= n_frontier)
        return;
    unsigned v = frontier[t];
    unsigned first = nodes[v].first, end = first + nodes[v].count;
    ROLLED
    for (unsigned i = first; i < end; i++) {
        unsigned id = edges[i], w = weights[i];
        atomicMin(&new_cost[id], cost[v] + w);
    }
}

/* The vertices that have improved are the next frontier. */
KERNEL sssp_commit_data(unsigned *cost, const unsigned *__restrict__ new_cost, unsigned *next,
                        unsigned *n_next, unsigned n)
{
    queue_open();
    unsigned v = global_thread();
    if (v < n && cost[v] > new_cost[v]) {
        cost[v] = new_cost[v];
        queue_push(v, next, n_next);
    }
    queue_close(next, n_next);
}
