// errors.cu - calls in wrong order and with wrong values give the runtime's error codes, and leave the
// rest working.
#include "common.h"

__global__ void store(int *p) { *p = 1; }
__global__ void __launch_bounds__(64) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void dynamic(int *p)
{
    extern __shared__ int sh[];
    sh[threadIdx.x] = p[0];
}

#define GIVES(call, code) do { cudaError_t e_ = (call); if (e_ != (code)) { \
    printf("line %d: %s gives %d (%s), not %d\n", __LINE__, #call, e_, cudaGetErrorName(e_), code); return 1; } \
    cudaGetLastError(); } while (0)

int main()
{
    int *p, host = 0, device;
    void *q;
    CALL(cudaMalloc(&p, 1024));
    CALL(cudaFree(0));
    GIVES(cudaSetDevice(1), cudaErrorInvalidDevice);
    GIVES(cudaMemcpy(p, &host, 2000, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(p + 255, &host, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GIVES(cudaMemcpy(&host, p, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    GIVES(cudaFree(p + 1), cudaErrorInvalidValue);
    GIVES(cudaFree(&host), cudaErrorInvalidValue);
    GIVES(cudaMalloc(&q, (size_t)1 << 50), cudaErrorMemoryAllocation);
    GIVES(cudaMemcpyToSymbol("name", &host, 4), cudaErrorInvalidSymbol);
    GIVES(cudaStreamSynchronize((cudaStream_t)0x1234560), cudaErrorInvalidResourceHandle);
    GIVES(cudaEventRecord((cudaEvent_t)0x1234560), cudaErrorInvalidResourceHandle);
    GIVES(cudaMemset(&host, 0, 4), cudaErrorInvalidValue);
    GIVES(cudaMemcpy2D(p, 4, &host, 4, 8, 2, cudaMemcpyDefault), cudaErrorInvalidPitchValue);
    GIVES(cudaMallocManaged(&p, 0), cudaErrorInvalidValue);
    GIVES(cudaFuncSetAttribute((const void *)main, cudaFuncAttributeMaxDynamicSharedMemorySize, 1), cudaErrorInvalidDeviceFunction);
    CALL(cudaMalloc(&p, 1024));

    store<<<0, 1>>>(p);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
    store<<<1, 2048>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    store<<<dim3(1, 70000), 1>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    store<<<1, dim3(1, 1, 65)>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    bounded<<<1, 128>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    dynamic<<<1, 1, 60000>>>(p);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    dynamic<<<1, 1, 60000>>>(p);
    CALL(cudaGetLastError());
    CALL(cudaGetDevice(&device));

    cudaEvent_t a, b;
    float ms;
    CALL(cudaEventCreate(&a));
    CALL(cudaEventCreateWithFlags(&b, cudaEventDisableTiming));
    GIVES(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
    CALL(cudaEventRecord(a));
    CALL(cudaEventRecord(b));
    GIVES(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
    CALL(cudaEventDestroy(a));
    GIVES(cudaEventDestroy(a), cudaErrorInvalidResourceHandle);
    cudaMipmappedArray_t mipmaps;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    GIVES(cudaMallocMipmappedArray(&mipmaps, &format, make_cudaExtent(8, 8, 0), 2), cudaErrorNotSupported);
    EXPECT(cudaMallocHost(&q, 100) == cudaSuccess && cudaFree(q) == cudaErrorInvalidValue);
    cudaGetLastError();
    CALL(cudaFreeHost(q));
    CALL(cudaFree(p));
    GIVES(cudaFree(p), cudaErrorInvalidValue);
    return passed();
}
