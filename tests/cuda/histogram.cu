// histogram.cu - counts by atomics in shared and global memory, votes and shuffles (samples, HeCBench).
#include <vector>

#include "common.h"

__global__ void count(const unsigned char *data, int n, unsigned *bins)
{
    __shared__ unsigned mine[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

// Keeps the even values, in any order: one atomic a warp.
__global__ void keep_even(const unsigned char *data, int n, unsigned *kept, unsigned char *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < n && data[i] % 2 == 0;
    unsigned votes = __ballot_sync(~0u, keep), first = 0;
    if (lane == 0 && votes) first = atomicAdd(kept, __popc(votes));
    first = __shfl_sync(~0u, first, 0);
    if (keep) out[first + __popc(votes & ((1u << lane) - 1))] = data[i];
}

int main()
{
    const int n = 20000;
    std::vector<unsigned char> data(n), even(n);
    unsigned want[256] = {0}, got[256], state = 7, kept;
    for (auto &d : data) want[d = (unsigned char)(random_word(&state) % 251)]++;
    unsigned char *d, *out;
    unsigned *bins, *n_kept;
    CALL(cudaMalloc(&d, n));
    CALL(cudaMalloc(&out, n));
    CALL(cudaMalloc(&bins, sizeof got));
    CALL(cudaMalloc(&n_kept, sizeof kept));
    CALL(cudaMemcpy(d, data.data(), n, cudaMemcpyHostToDevice));
    CALL(cudaMemset(bins, 0, sizeof got));
    CALL(cudaMemset(n_kept, 0, sizeof kept));
    count<<<20, 128>>>(d, n, bins);
    keep_even<<<(n + 255) / 256, 256>>>(d, n, n_kept, out);
    CALL(cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(&kept, n_kept, sizeof kept, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(even.data(), out, n, cudaMemcpyDeviceToHost));
    unsigned evens = 0, of_them[256] = {0};
    for (int i = 0; i < 256; i++) {
        EXPECT(got[i] == want[i]);
        evens += i % 2 == 0 ? want[i] : 0;
    }
    EXPECT(kept == evens);
    for (unsigned i = 0; i < kept; i++) of_them[even[i]]++;
    for (int i = 0; i < 256; i++) EXPECT(of_them[i] == (i % 2 == 0 ? want[i] : 0));
    return passed();
}
