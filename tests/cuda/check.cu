// check.cu - one planted fault of each kind that --check finds, and none: the argument says which.
// The program itself sees nothing of it.
#include <cstring>

#include "common.h"

enum { N = 256 };

__global__ void clean(const int *in, int *out)
{
    __shared__ int tile[N];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}

__global__ void past_global(int *out)
{
    out[threadIdx.x + 1] = 1; // the last thread writes past the end
}

__global__ void past_shared(int *out, int n)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + n]; // one block's worth too far
}

__global__ void misaligned(char *out)
{
    *(int *)(out + threadIdx.x * 4 + 2 * (threadIdx.x == 7)) = 1;
}

__global__ void race_warps(int *out)
{
    __shared__ int tile[N];
    tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[(threadIdx.x + 32) % N]; // no barrier before
}

__global__ void race_lanes(int *out)
{
    __shared__ int tile[32];
    if (threadIdx.x < 32) {
        tile[threadIdx.x] = threadIdx.x;
        out[threadIdx.x] = tile[31 - threadIdx.x]; // nothing orders lanes of a warp
    }
}

__global__ void race_reads_first(int *out)
{
    __shared__ int tile[N];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int other = tile[N - 1 - threadIdx.x];
    tile[threadIdx.x] = other; // others may still read it
    out[threadIdx.x] = other;
}

__global__ void race_one_store(int *out)
{
    __shared__ int cell;
    cell = threadIdx.x; // whose?
    __syncthreads();
    out[threadIdx.x] = cell;
}

__global__ void init_shared(int *out)
{
    __shared__ int tile[N];
    if (threadIdx.x != 100)
        tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void race_lock(int *out)
{
    __shared__ int lock, count;
    if (threadIdx.x == 0)
        lock = count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        *(int *)&count += 1;
        atomicExch(&lock, 0); // no fence before
    }
    __syncthreads();
    out[threadIdx.x] = count;
}

__global__ void race_blocks(int *out)
{
    if (threadIdx.x == 0)
        out[0] = blockIdx.x; // whose?
}

int main(int, char **argv)
{
    const char *what = argv[1];
    int host[N], *in, *out;
    for (int i = 0; i < N; i++)
        host[i] = i;
    CALL(cudaMalloc(&in, sizeof host));
    CALL(cudaMalloc(&out, sizeof host));
    if (strcmp(what, "init_global") != 0)
        CALL(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    if (!strcmp(what, "clean") || !strcmp(what, "init_global"))
        clean<<<1, N>>>(in, out);
    if (!strcmp(what, "past_global"))
        past_global<<<1, N>>>(out);
    if (!strcmp(what, "past_shared"))
        past_shared<<<1, N, N * sizeof(int)>>>(out, N);
    if (!strcmp(what, "misaligned"))
        misaligned<<<1, N>>>((char *)out);
    if (!strcmp(what, "race_warps"))
        race_warps<<<1, N>>>(out);
    if (!strcmp(what, "race_lanes"))
        race_lanes<<<1, N>>>(out);
    if (!strcmp(what, "race_reads_first"))
        race_reads_first<<<1, N>>>(out);
    if (!strcmp(what, "race_one_store"))
        race_one_store<<<1, N>>>(out);
    if (!strcmp(what, "race_lock"))
        race_lock<<<1, N>>>(out);
    if (!strcmp(what, "race_blocks"))
        race_blocks<<<4, N>>>(out);
    if (!strcmp(what, "init_shared"))
        init_shared<<<1, N>>>(out);
    return passed();
}
