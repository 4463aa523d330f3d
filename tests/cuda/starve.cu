// The oldest warps of a full block ask in a loop for what the youngest has yet to say: none may keep the
// scheduler from it.
#include <cstdio>

__global__ void relay(int *out)
{
    __shared__ volatile int turn;
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    if (threadIdx.x == 0) {
        turn = warps - 1;
    }
    __syncthreads();
    while (turn != warp) {
    }
    if (threadIdx.x % 32 == 0) {
        out[warp] = warps - warp; // in turn from the last to the first
        __threadfence_block();
        turn = warp - 1;
    }
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    relay<<<1, 1024>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    for (int warp = 0; warp < 32; warp++) {
        if (out[warp] != 32 - warp) {
            printf("warp %d: %d\n", warp, out[warp]);
            return 1;
        }
    }
    puts("PASSED");
}
