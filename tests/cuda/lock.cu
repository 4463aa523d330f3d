// lock.cu - a lock that all threads of a warp take, one after the other: it ends only where each thread
// goes on by itself (compute capability 7.0 and up).
#include "common.h"

__device__ int lock;

__global__ void add(volatile int *sum)
{
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence();
    *sum = *sum + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

// Thread i waits for thread i + 1 of its warp.
__global__ void chain(volatile int *flag)
{
    int i = threadIdx.x;
    if (i < 31) {
        while (flag[i + 1] == 0) {}
    }
    flag[i] = 1;
    __syncwarp();
    __syncthreads();
}

int main()
{
    int *p, host[32];
    CALL(cudaMalloc(&p, sizeof host));
    CALL(cudaMemset(p, 0, sizeof host));
    add<<<3, 64>>>(p);
    CALL(cudaMemcpy(host, p, 4, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 192);
    CALL(cudaMemset(p, 0, sizeof host));
    chain<<<1, 32>>>(p);
    CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) EXPECT(host[i] == 1);
    return passed();
}
