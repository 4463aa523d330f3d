/* bfs_wc.cu - breadth-first search, warp-centric: a warp owns 32 vertices and all its lanes
 * share the neighbours of one of them at a time (Hong et al.; BFS-WC of Lakshminarayana 2014
 * sections 3.7 and 6.5). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

enum { UNSEEN = -1 };

/* A vertex is active when its depth is `level`.  Several lanes may reach one neighbour: all
 * write the same values. */
KERNEL bfs_wc(const unsigned *__restrict__ row, const unsigned *__restrict__ edges, int *depth, int level, unsigned *again,
              unsigned n)
{
    unsigned lane = lane_of_warp(), first = global_thread() - lane;
    unsigned last = first + WARP < n ? first + WARP : n;
    ROLLED
    for (unsigned v = first; v < last; v++) {
        if (depth[v] != level)
            continue;
        unsigned end = row[v + 1];
        ROLLED
        for (unsigned i = row[v] + lane; i < end; i += WARP) {
            unsigned id = edges[i];
            if (depth[id] == UNSEEN) {
                depth[id] = level + 1;
                *again = 1;
            }
        }
    }
}
