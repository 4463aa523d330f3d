// gridsync.cu - a reduction over the whole grid with grid.sync() in a cooperative launch; groups and
// tiles of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "common.h"
namespace cg = cooperative_groups;

__global__ void reduce(const int *in, int *partial, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    __shared__ int sums[32];
    int mine = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) mine += in[i];
    mine = cg::reduce(tile, mine, cg::plus<int>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = mine;
    block.sync();
    if (block.thread_rank() == 0) {
        int total = 0;
        for (unsigned w = 0; w < tile.meta_group_size(); w++) total += sums[w];
        partial[blockIdx.x] = total;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        int total = 0;
        for (unsigned b = 0; b < gridDim.x; b++) total += partial[b];
        *out = total;
    }
}

int main()
{
    const int n = 5000, threads = 128;
    int host[n], *in, *partial, *out, result, want = 0, blocks = 0, cooperative = 0;
    cudaDeviceProp p;
    CALL(cudaGetDeviceProperties(&p, 0));
    CALL(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    EXPECT(p.cooperativeLaunch == 1 && cooperative == 1);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reduce, threads, 0));
    EXPECT(blocks >= 1);
    for (int i = 0; i < n; i++) want += host[i] = i % 17 - 3;
    CALL(cudaMalloc(&in, sizeof host));
    CALL(cudaMalloc(&partial, 4096));
    CALL(cudaMalloc(&out, 4));
    CALL(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    int size = n;
    void *args[] = {&in, &partial, &out, &size};
    CALL(cudaLaunchCooperativeKernel((void *)reduce, blocks * p.multiProcessorCount, threads, args, 0, 0));
    CALL(cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost));
    EXPECT(result == want);
    EXPECT(cudaLaunchCooperativeKernel((void *)reduce, blocks * p.multiProcessorCount + 1, threads, args, 0, 0) ==
           cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError();
    return passed();
}
