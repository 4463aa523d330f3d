/* sssp.cu - single-source shortest paths by rounds of relaxation from a frontier of
 * byte flags (Harish and Narayanan; H-SSSP of Lakshminarayana 2014 section 6.5). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

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
