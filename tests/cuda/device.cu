// device.cu - what a program asks of the device before it starts: properties, attributes, limits, occupancy,
// memory left (samples' deviceQuery and occupancy calculator).
#include "common.h"

__global__ void plain(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void heavy(int *p)
{
    __shared__ int sh[4096];
    sh[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = sh[blockDim.x - 1 - threadIdx.x];
}

int main()
{
    int n, value, blocks, least, block, runtime, driver;
    size_t left, total, limit;
    cudaDeviceProp p;
    cudaFuncAttributes a;
    CALL(cudaGetDeviceCount(&n));
    EXPECT(n == 1);
    CALL(cudaGetDeviceProperties(&p, 0));
    printf("%s: %d SMs, %zu bytes\n", p.name, p.multiProcessorCount, p.totalGlobalMem);
    EXPECT(p.warpSize == 32 && p.major * 10 + p.minor >= 75 && p.managedMemory && p.unifiedAddressing);
    EXPECT(p.maxThreadsPerBlock == 1024 && p.maxGridSize[0] == 2147483647 && p.totalConstMem == 65536);
    // What programs ask for before they use streams or pools, and end early without.
    EXPECT(p.asyncEngineCount == 1 && p.memoryPoolsSupported == 1 && p.concurrentKernels == 1);
    for (cudaDeviceAttr has : {cudaDevAttrGpuOverlap, cudaDevAttrAsyncEngineCount, cudaDevAttrMemoryPoolsSupported}) {
        CALL(cudaDeviceGetAttribute(&value, has, 0));
        EXPECT(value == 1);
    }
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(value == p.multiProcessorCount);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT((size_t)value == p.sharedMemPerBlockOptin);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
    EXPECT(value > 0);
    EXPECT(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)5000, 0) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CALL(cudaMemGetInfo(&left, &total));
    int *d;
    CALL(cudaMalloc(&d, 1 << 20));
    size_t after;
    CALL(cudaMemGetInfo(&after, &total));
    EXPECT(total == p.totalGlobalMem && left - after == 1 << 20);
    CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 22));
    CALL(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    EXPECT(limit == 1 << 22);
    CALL(cudaRuntimeGetVersion(&runtime));
    CALL(cudaDriverGetVersion(&driver));
    EXPECT(runtime == driver && runtime == CUDART_VERSION);
    CALL(cudaFuncGetAttributes(&a, heavy));
    EXPECT(a.sharedSizeBytes == 16384 && a.maxThreadsPerBlock >= 256 && a.numRegs > 0);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavy, 256, 0));
    EXPECT(blocks == (int)(p.sharedMemPerMultiprocessor / 16384));
    CALL(cudaOccupancyMaxPotentialBlockSize(&least, &block, plain, 0, 0));
    EXPECT(block >= 32 && block <= 1024 && least > 0);
    heavy<<<least, 256>>>(d);
    cudaLaunchConfig_t config = {dim3(2), dim3(64), 0, 0, nullptr, 0};
    CALL(cudaLaunchKernelEx(&config, plain, d));
    CALL(cudaMemcpy(&value, d + 63, 4, cudaMemcpyDeviceToHost));
    EXPECT(value == 63);
    CALL(cudaDeviceReset());
    return passed();
}
