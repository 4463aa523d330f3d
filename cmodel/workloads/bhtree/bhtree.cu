/* bhtree.cu - the tree of Barnes-Hut: built with a lock for each cell, summed bottom-up
 * with ready flags, then read by every body (BH of Tabbakh 2018 section 6.2). */
#include "cuda.h"

#define EMPTY 0u
#define TAKEN 0xffffffffu

/* The child of `node` in `quarter`, made if there is none: whoever takes the empty place
 * makes it.  0: somebody else is making it, come again. */
static __device__ unsigned child_of(unsigned *child, unsigned *nodes, unsigned node,
                                    unsigned quarter)
{
    unsigned *place = &child[4 * node + quarter];
    unsigned found = *(volatile unsigned *)place;
    if (found == EMPTY && atomicCAS((int *)place, (int)EMPTY, (int)TAKEN) == (int)EMPTY) {
        found = atomicAdd(nodes, 1u);
        __threadfence();
        *(volatile unsigned *)place = found;
    }
    return found == TAKEN ? EMPTY : found;
}

/* A body goes down `depth` levels by two bits of its key each and adds its mass there. */
KERNEL bhtree_build(const unsigned *key, const unsigned *mass, unsigned *child, unsigned *nodes,
                    unsigned *sum, unsigned depth, unsigned n)
{
    const unsigned body = blockIdx.x * blockDim.x + threadIdx.x;
    if (body >= n)
        return;
    unsigned node = 0, level = 0;
    ROLLED
    while (level < depth) {
        const unsigned next = child_of(child, nodes, node, key[body] >> (2 * level) & 3);
        if (next != EMPTY) {
            node = next;
            level++;
        }
    }
    atomicAdd(&sum[node], mass[body]);
}

/* Is the sum of the subtree there? */
static __device__ bool ready(const unsigned *flag, unsigned node)
{
    return *(const volatile unsigned *)&flag[node] != 0;
}

/* Store the sum of an inner node if its children have theirs. */
static __device__ bool sum_node(const unsigned *child, unsigned *sum, unsigned *flag, int node)
{
    unsigned total = 0;
    for (int q = 0; q < 4; q++)
        if (child[4 * node + q] != EMPTY && !ready(flag, child[4 * node + q]))
            return false;
    __threadfence();
    for (int q = 0; q < 4; q++)
        if (child[4 * node + q] != EMPTY)
            total += sum[child[4 * node + q]];
    sum[node] = total;
    __threadfence();
    *(volatile unsigned *)&flag[node] = 1;
    return true;
}

/* Inner nodes wait for their children, youngest nodes first; then every body adds up the
 * nodes on its way down.  A node without children is ready from the start. */
KERNEL bhtree_sum(const unsigned *key, const unsigned *child, unsigned *sum, unsigned *flag,
                  unsigned *force, unsigned nodes, unsigned depth, unsigned n)
{
    const unsigned all = gridDim.x * blockDim.x;
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    int node = (int)(nodes - 1 - thread);
    ROLLED
    while (node >= 0) {
        if (ready(flag, (unsigned)node) || sum_node(child, sum, flag, node))
            node -= (int)all;
    }
    while (!ready(flag, 0)) {
    }
    __threadfence();
    for (unsigned body = thread; body < n; body += all) {
        unsigned at = 0, felt = sum[0];
        for (unsigned level = 0; level < depth; level++) {
            at = child[4 * at + (key[body] >> (2 * level) & 3)];
            felt = felt * 31 + sum[at];
        }
        force[body] = felt;
    }
}
