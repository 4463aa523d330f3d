/* bfs_dd.cu - data-driven breadth-first search: one thread per frontier entry, new
 * vertices through a CTA's queue in shared memory, overflow straight to the global
 * queue (Lakshminarayana 2014 section 3.7). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

/* Without it clang joins the stores of both branches into one, whose lanes would address
 * shared and global memory at once. */
#define SEPARATE asm volatile("" ::: "memory")

enum { LOCAL_QUEUE = 256, UNSEEN = -1 };

KERNEL bfs_dd(const unsigned *__restrict__ frontier, unsigned n_frontier, const unsigned *__restrict__ row,
              const unsigned *__restrict__ edges, int *depth, int level, unsigned *next, unsigned *n_next)
{
    __shared__ unsigned local[LOCAL_QUEUE];
    __shared__ unsigned n_local, base;
    if (threadIdx.x == 0)
        n_local = 0;
    __syncthreads();

    unsigned t = global_thread();
    if (t < n_frontier) {
        unsigned v = frontier[t];
        unsigned end = row[v + 1];
        ROLLED
        for (unsigned i = row[v]; i < end; i++) {
            unsigned id = edges[i];
            if (depth[id] == UNSEEN && atomicCAS(&depth[id], UNSEEN, level) == UNSEEN) {
                unsigned slot = atomicAdd(&n_local, 1u);
                if (slot < LOCAL_QUEUE) {
                    local[slot] = id;
                    SEPARATE;
                } else {
                    next[atomicAdd(n_next, 1u)] = id;
                }
            }
        }
    }
    __syncthreads();

    unsigned count = n_local < LOCAL_QUEUE ? n_local : LOCAL_QUEUE;
    if (threadIdx.x == 0)
        base = atomicAdd(n_next, count);
    __syncthreads();
    ROLLED
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        next[base + i] = local[i];
}
