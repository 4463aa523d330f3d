// scan.cu - exclusive prefix sums over blocks: dynamic shared memory, three kernels (SHOC, samples).
#include <vector>

#include "common.h"

__global__ void scan_block(const int *in, int *out, int *sums, int n)
{
    extern __shared__ int sh[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    sh[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int by = 1; by < (int)blockDim.x; by *= 2) {
        int add = t >= by ? sh[t - by] : 0;
        __syncthreads();
        sh[t] += add;
        __syncthreads();
    }
    if (i < n) out[i] = t ? sh[t - 1] : 0;
    if (sums && t == (int)blockDim.x - 1) sums[blockIdx.x] = sh[t];
}

__global__ void add(int *out, const int *before, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += before[blockIdx.x];
}

int main()
{
    const int n = 30001, threads = 256, blocks = (n + threads - 1) / threads;
    std::vector<int> in(n), got(n);
    unsigned state = 3;
    for (auto &v : in) v = (int)(random_word(&state) % 100) - 20;
    int *a, *b, *sums, *before;
    CALL(cudaMalloc(&a, n * sizeof(int)));
    CALL(cudaMalloc(&b, n * sizeof(int)));
    CALL(cudaMalloc(&sums, blocks * sizeof(int)));
    CALL(cudaMalloc(&before, blocks * sizeof(int)));
    CALL(cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    scan_block<<<blocks, threads, threads * sizeof(int)>>>(a, b, sums, n);
    scan_block<<<1, threads, threads * sizeof(int)>>>(sums, before, nullptr, blocks);
    add<<<blocks, threads>>>(b, before, n);
    CALL(cudaMemcpy(got.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0, want = 0; i < n; want += in[i++]) EXPECT(got[i] == want);
    return passed();
}
