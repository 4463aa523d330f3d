/* bfs_dd.cu - data-driven breadth-first search: one thread per frontier entry, new
 * vertices through a CTA's queue (Lakshminarayana 2014 section 3.7). */
/* clang: -mllvm -disable-block-placement */
#include "graph_queue.h"

enum { UNSEEN = -1 };

KERNEL bfs_dd(const unsigned *__restrict__ frontier, unsigned n_frontier,
              const unsigned *__restrict__ row, const unsigned *__restrict__ edges, int *depth,
              int level, unsigned *next, unsigned *n_next)
{
    queue_open();
    unsigned t = global_thread();
    if (t < n_frontier) {
        unsigned v = frontier[t];
        unsigned end = row[v + 1];
        ROLLED
        for (unsigned i = row[v]; i < end; i++) {
            unsigned id = edges[i];
            if (depth[id] == UNSEEN && atomicCAS(&depth[id], UNSEEN, level) == UNSEEN)
                queue_push(id, next, n_next);
        }
    }
    queue_close(next, n_next);
}
