/* bfs.cu - breadth-first search, one thread per vertex, frontier as byte flags
 * (Harish and Narayanan; H-BFS of Lakshminarayana 2014 section 6.5). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

/* Threads of the frontier visit their neighbours.  Several may write one neighbour:
 * all write the same values. */
KERNEL bfs_expand(unsigned char *mask, const struct node *__restrict__ nodes, const unsigned *__restrict__ edges,
                  const unsigned char *__restrict__ visited, unsigned *cost, unsigned char *updating,
                  unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || !mask[v])
        return;
    mask[v] = 0;
    unsigned first = nodes[v].first, end = first + nodes[v].count;
    ROLLED
    for (unsigned i = first; i < end; i++) {
        unsigned id = edges[i];
        if (!visited[id]) {
            cost[id] = cost[v] + 1;
            updating[id] = 1;
        }
    }
}

/* The touched vertices become the next frontier. */
KERNEL bfs_commit(unsigned char *mask, unsigned char *visited, unsigned char *updating,
                  unsigned *again, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || !updating[v])
        return;
    mask[v] = 1;
    visited[v] = 1;
    *again = 1;
    updating[v] = 0;
}
