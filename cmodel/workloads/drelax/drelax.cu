/* drelax.cu - relaxation without a frontier: every thread starts at its own vertex and
 * follows what it improves through a short queue (LonestarGPU's drelax; LS-BFS and LS-SSSP of
 * Lakshminarayana 2014 sections 3.7 and 6.5). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

#define NO_PATH 0xffffffffu

/* distance[node] is loaded again for every edge: it may alias what the atomic changes.
 * Without weights it counts edges. */
static __device__ inline void relax_from(unsigned v, const unsigned *__restrict__ row,
                                         const unsigned *__restrict__ edges, bool weighted,
                                         const unsigned *__restrict__ weights,
                                         unsigned *distance, unsigned *again)
{
    __shared__ unsigned queue[LOCAL_LIMIT][LOCAL_BLOCK];
    unsigned head = 0, tail = 1;
    queue[0][threadIdx.x] = v;
    ROLLED
    while (head < tail) {
        unsigned node = queue[head++][threadIdx.x];
        if (distance[node] == NO_PATH)
            continue;
        unsigned end = row[node + 1];
        ROLLED
        for (unsigned i = row[node]; i < end; i++) {
            unsigned id = edges[i];
            IN_ORDER;
            unsigned through = distance[node] + (weighted ? weights[i] : 1);
            if (atomicMin(&distance[id], through) > through) {
                *again = 1;
                if (tail < LOCAL_LIMIT)
                    queue[tail++][threadIdx.x] = id;
            }
        }
    }
}

KERNEL drelax_bfs(const unsigned *__restrict__ row, const unsigned *__restrict__ edges,
                  unsigned *distance, unsigned *again, unsigned n)
{
    unsigned v = global_thread();
    if (v < n)
        relax_from(v, row, edges, false, 0, distance, again);
}

KERNEL drelax_sssp(const unsigned *__restrict__ row, const unsigned *__restrict__ edges,
                   const unsigned *__restrict__ weights, unsigned *distance, unsigned *again,
                   unsigned n)
{
    unsigned v = global_thread();
    if (v < n)
        relax_from(v, row, edges, true, weights, distance, again);
}
