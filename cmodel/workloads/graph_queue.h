/* graph_queue.h - a frontier of vertices that the threads of a grid build: through a queue of the CTA in
 * shared memory, and straight into the global one when that is full (Lakshminarayana 2014 section 3.7);
 * included by .cu files only. */
#ifndef WARPLOCK_WORKLOADS_GRAPH_QUEUE_H
#define WARPLOCK_WORKLOADS_GRAPH_QUEUE_H

#include "graph_kernel.h"

enum { LOCAL_QUEUE = 256 };

struct block_queue {
    unsigned n, base, vertex[LOCAL_QUEUE];
};

/* Without it clang joins the stores of both branches into one, whose lanes would address
 * shared and global memory at once. */
#define SEPARATE asm volatile("" ::: "memory")

static __device__ inline struct block_queue *block_queue(void)
{
    __shared__ struct block_queue queue;
    return &queue;
}

/* All threads of the CTA, before the first push. */
static __device__ inline void queue_open(void)
{
    if (threadIdx.x == 0) {
        block_queue()->n = 0;
    }
    __syncthreads();
}

static __device__ inline void queue_push(unsigned vertex, unsigned *next, unsigned *n_next)
{
    unsigned slot = atomicAdd(&block_queue()->n, 1u);
    if (slot < LOCAL_QUEUE) {
        block_queue()->vertex[slot] = vertex;
        SEPARATE;
    } else {
        next[atomicAdd(n_next, 1u)] = vertex;
    }
}

/* All threads of the CTA, after the last push: one of them reserves what the others fill. */
static __device__ inline void queue_close(unsigned *next, unsigned *n_next)
{
    struct block_queue *queue = block_queue();
    __syncthreads();
    unsigned count = queue->n < LOCAL_QUEUE ? queue->n : LOCAL_QUEUE;
    if (threadIdx.x == 0) {
        queue->base = atomicAdd(n_next, count);
    }
    __syncthreads();
    ROLLED
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
        next[queue->base + i] = queue->vertex[i];
    }
}

#endif
