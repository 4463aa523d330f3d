/* graph_kernel.h - types that the graph kernels share; included by .cu files only. */
#ifndef WARPLOCK_WORKLOADS_GRAPH_KERNEL_H
#define WARPLOCK_WORKLOADS_GRAPH_KERNEL_H

#include "cuda.h"

/* A vertex as Harish and Narayanan lay it out: its edges are first … first + count - 1.
 * Aligned to 4 bytes, so that each member has its own load. */
struct node {
    unsigned first, count;
};

static __device__ inline unsigned global_thread(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Warp-centric kernels: a warp owns so many vertices, one after another. */
enum { WARP = 32 };

static __device__ inline unsigned lane_of_warp(void)
{
    return global_thread() % WARP;
}

/* Kernel-unrolled: each thread follows so many vertices at most, its own first, through a queue in shared
 * memory, for blocks of at most so many threads. */
enum { LOCAL_LIMIT = 8, LOCAL_BLOCK = 256 };

#endif
