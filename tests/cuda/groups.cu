// groups.cu - cooperative groups: tiles of a block, of a warp, of lanes that took a branch; reductions in each.
#include <cooperative_groups.h>

#include "common.h"

namespace cg = cooperative_groups;

template <class G> __device__ int sum(G g, int v)
{
    for (int n = g.size() / 2; n; n /= 2)
        v += g.shfl_down(v, n);
    return g.shfl(v, 0);
}

__global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(warp);
    int t = block.thread_rank();
    out[t] = sum(four, t);
    out[128 + t] = sum(warp, t);
    out[256 + t] = four.any(t % 8 == 3) + 2 * four.all(t % 8 < 4) + 4 * (four.ballot(t % 3 == 0) != 0);
}

__global__ void branches(int *count, int *leaders)
{
    int t = threadIdx.x;
    if (t % 3 == 0) { // one atomic for all lanes that are here
        cg::coalesced_group here = cg::coalesced_threads();
        if (here.thread_rank() == 0) {
            atomicAdd(count, here.size());
            atomicAdd(leaders, 1);
        }
    }
}

int main()
{
    static int out[384];
    int *d, *n, hn[2];
    CALL(cudaMalloc(&d, sizeof out));
    CALL(cudaMalloc(&n, sizeof hn));
    CALL(cudaMemset(n, 0, sizeof hn));
    tiles<<<1, 128>>>(d);
    branches<<<1, 100>>>(n, n + 1);
    CALL(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(hn, n, sizeof hn, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 128; t++) {
        int four = t / 4 * 4, warp = t / 32 * 32, third = 0;
        for (int k = four; k < four + 4; k++)
            third |= k % 3 == 0;
        EXPECT(out[t] == 4 * four + 6);
        EXPECT(out[128 + t] == 32 * warp + 496);
        EXPECT(out[256 + t] == (four % 8 == 0 ? 3 : 0) + 4 * third);
    }
    EXPECT(hn[0] == 34 && hn[1] == 4);
    return passed();
}
