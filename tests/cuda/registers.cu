// registers.cu - says how many registers a thread of its kernel has: with machine code beside the PTX those
// of ptxas, and so many blocks of it an SM holds.
#include "common.h"

__global__ void __launch_bounds__(64) sums(float *data)
{
    float a[20], sum = 0;
    for (int i = 0; i < 20; i++) a[i] = data[i * threadIdx.x];
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < 20; i++) sum += a[i] * a[i * k % 20];
    data[threadIdx.x] = sum;
}

int main()
{
    cudaFuncAttributes attributes;
    cudaDeviceProp properties;
    int blocks;
    CALL(cudaFuncGetAttributes(&attributes, sums));
    CALL(cudaGetDeviceProperties(&properties, 0));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sums, 64, 0));
    int fit = properties.regsPerMultiprocessor / (attributes.numRegs * 64), most = properties.maxThreadsPerMultiProcessor / 64;
    EXPECT(blocks <= fit && blocks <= most && blocks >= 1);
    printf("%d registers\n", attributes.numRegs);
    return passed();
}
