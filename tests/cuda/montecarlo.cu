// montecarlo.cu - points in a circle by a generator of its own in each thread, 64-bit atomics (HeCBench).
#include "common.h"

__host__ __device__ static unsigned next(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    unsigned v = (unsigned)((*state >> 18 ^ *state) >> 27), turn = (unsigned)(*state >> 59);
    return v >> turn | v << (32 - turn) % 32;
}

__host__ __device__ static unsigned hits(unsigned thread, int n)
{
    unsigned long long state = thread * 0x9e3779b97f4a7c15ull;
    unsigned inside = 0;
    for (int i = 0; i < n; i++) {
        unsigned long long x = next(&state) >> 1, y = next(&state) >> 1;
        inside += x * x + y * y < 1ull << 62;
    }
    return inside;
}

__device__ static unsigned of_warp(unsigned v)
{
    for (int n = 16; n; n /= 2)
        v += __shfl_xor_sync(~0u, v, n);
    return v;
}

__global__ void throwing(unsigned long long *total, int n)
{
    unsigned mine = hits(blockIdx.x * blockDim.x + threadIdx.x, n);
    mine = of_warp(mine);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, (unsigned long long)mine);
}

int main()
{
    enum { THREADS = 512, EACH = 20 };
    unsigned long long *d, got, want = 0;
    for (unsigned t = 0; t < THREADS; t++)
        want += hits(t, EACH);
    CALL(cudaMalloc(&d, sizeof got));
    CALL(cudaMemset(d, 0, sizeof got));
    throwing<<<THREADS / 64, 64>>>(d, EACH);
    CALL(cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got == want);
    EXPECT(fabs(4.0 * got / (THREADS * EACH) - 3.14159) < 0.1);
    return passed();
}
