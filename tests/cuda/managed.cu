// managed.cu - memory that host and device share: managed variables used by both, by kernels only, by
// copies; cudaMallocManaged; pinned and registered memory.
#include "common.h"

__managed__ int counter = 5;
__managed__ float table[100];
__device__ int plain = 3;
__constant__ int scale = 2;

__global__ void touch(int *more, int n)
{
    int i = threadIdx.x;
    if (i == 0) counter += plain;
    if (i < 100) table[i] = (float)(i * scale);
    if (i < n) more[i] += i;
}

int main()
{
    int *shared, *pinned, *mapped, *view, host[64];
    EXPECT(counter == 5);
    CALL(cudaMallocManaged(&shared, 64 * sizeof(int)));
    for (int i = 0; i < 64; i++) shared[i] = 100;
    touch<<<1, 128>>>(shared, 64);
    CALL(cudaDeviceSynchronize());
    EXPECT(counter == 8);
    for (int i = 0; i < 64; i++) EXPECT(shared[i] == 100 + i);
    for (int i = 0; i < 100; i++) EXPECT(table[i] == 2.0f * i);
    counter = 50;
    int ten = 10, three = 3;
    CALL(cudaMemcpyToSymbol(scale, &three, sizeof three));
    CALL(cudaMemcpyToSymbol(plain, &ten, sizeof ten));
    touch<<<1, 128>>>(shared, 64);
    CALL(cudaDeviceSynchronize());
    EXPECT(counter == 60 && shared[3] == 106 && table[9] == 27.0f);
    CALL(cudaMemcpyToSymbol(counter, &ten, sizeof ten));
    EXPECT(counter == 10);
    CALL(cudaMemcpyFromSymbol(&ten, plain, sizeof ten));
    EXPECT(ten == 10);
    void *address;
    size_t bytes;
    CALL(cudaGetSymbolAddress(&address, plain));
    CALL(cudaGetSymbolSize(&bytes, table));
    EXPECT(bytes == 400);
    CALL(cudaMemset(address, 1, 4));
    CALL(cudaMemcpyFromSymbol(&ten, plain, sizeof ten));
    EXPECT(ten == 0x01010101);

    CALL(cudaHostAlloc(&pinned, 256, cudaHostAllocMapped));
    for (int i = 0; i < 64; i++) pinned[i] = i;
    touch<<<1, 64>>>(pinned, 64);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) EXPECT(pinned[i] == 2 * i);
    mapped = (int *)malloc(4096);
    for (int i = 0; i < 64; i++) mapped[i] = 7;
    CALL(cudaHostRegister(mapped, 4096, cudaHostRegisterMapped));
    CALL(cudaHostGetDevicePointer(&view, mapped, 0));
    touch<<<1, 64>>>(view, 64);
    CALL(cudaMemcpy(host, view, sizeof host, cudaMemcpyDefault));
    for (int i = 0; i < 64; i++) EXPECT(mapped[i] == 7 + i && host[i] == 7 + i);
    CALL(cudaHostUnregister(mapped));
    EXPECT(cudaHostUnregister(mapped) == cudaErrorHostMemoryNotRegistered);
    cudaGetLastError();
    cudaPointerAttributes a;
    CALL(cudaPointerGetAttributes(&a, shared));
    EXPECT(a.type == cudaMemoryTypeManaged);
    CALL(cudaPointerGetAttributes(&a, pinned + 3));
    EXPECT(a.type == cudaMemoryTypeHost && a.devicePointer == pinned + 3);
    CALL(cudaPointerGetAttributes(&a, host));
    EXPECT(a.type == cudaMemoryTypeUnregistered);
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    CALL(cudaMemPrefetchAsync(shared, 256, here, 0));
    CALL(cudaMemAdvise(shared, 256, cudaMemAdviseSetReadMostly, here));
    CALL(cudaFree(shared));
    CALL(cudaFreeHost(pinned));
    free(mapped);
    return passed();
}
