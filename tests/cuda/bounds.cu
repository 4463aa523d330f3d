// bounds.cu - kernels that take all that a block may have: 48 KiB of static shared memory beside a
// reducing barrier, a block of 1024 threads with more values alive than registers; types of cuda::std.
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda/std/complex>

#include "common.h"

__global__ void all_shared(const int *in, int *out)
{
    __shared__ int all[12288];
    for (int i = threadIdx.x; i < 12288; i += blockDim.x) all[i] = in[i % 256] + i;
    int any = __syncthreads_or(in[threadIdx.x] == 77), n = __syncthreads_count(in[threadIdx.x] > 100);
    if (threadIdx.x == 0) out[0] = all[12287], out[1] = any, out[2] = n;
}

template <int N> __global__ void __launch_bounds__(1024) many_registers(const float *in, float *out)
{
    float a[N], sum = 0;
#pragma unroll
    for (int i = 0; i < N; i++) a[i] = in[(threadIdx.x + i) & 1023];
#pragma unroll
    for (int i = 0; i < N; i++) a[i] = a[i] * 0.5f + a[(i * 7 + 3) % N];
#pragma unroll
    for (int i = 0; i < N; i++) sum += a[i] * i;
    out[threadIdx.x] = sum;
}

__device__ cuda::atomic<int, cuda::thread_scope_device> tickets;
__device__ cuda::std::atomic<double> total;
__device__ cuda::binary_semaphore<cuda::thread_scope_device> one{1};
__device__ int guarded;

__global__ void types(int *out)
{
    tickets.fetch_add(2, cuda::memory_order_relaxed);
    double old = total.load();
    while (!total.compare_exchange_weak(old, old + 0.5)) {}
    cuda::atomic_ref<int, cuda::thread_scope_device> most(out[0]);
    most.fetch_max((int)threadIdx.x);
    one.acquire();
    guarded = guarded + 1;
    one.release();
    cuda::std::complex<float> z(1, 2);
    if (threadIdx.x == 0) out[1] = (int)(z * z).real();
}

int main()
{
    int *in, *out, blocks = 0, n;
    float *values, *sums;
    double half;
    CALL(cudaMallocManaged(&in, 256 * sizeof *in));
    CALL(cudaMallocManaged(&out, 16 * sizeof *out));
    CALL(cudaMallocManaged(&values, 1024 * sizeof *values));
    CALL(cudaMallocManaged(&sums, 1024 * sizeof *sums));
    for (int i = 0; i < 256; i++) in[i] = i;
    all_shared<<<2, 256>>>(in, out);
    CALL(cudaDeviceSynchronize());
    EXPECT(out[0] == 255 + 12287 && out[1] == 1 && out[2] == 155);
    in[77] = 0;
    all_shared<<<1, 256>>>(in, out);
    CALL(cudaDeviceSynchronize());
    EXPECT(out[1] == 0);
    for (int i = 0; i < 1024; i++) values[i] = i % 8;
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, many_registers<120>, 1024, 0));
    EXPECT(blocks == 1);
    many_registers<120><<<1, 1024>>>(values, sums);
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 1024; t += 111) {
        float a[120], sum = 0; // small whole numbers and halves: exact in any order
        for (int i = 0; i < 120; i++) a[i] = (t + i) % 8;
        for (int i = 0; i < 120; i++) a[i] = a[i] * 0.5f + a[(i * 7 + 3) % 120];
        for (int i = 0; i < 120; i++) sum += a[i] * i;
        EXPECT(fabsf(sums[t] - sum) <= 1e-5f * fabsf(sum));
    }
    out[0] = 0;
    types<<<2, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    CALL(cudaMemcpyFromSymbol(&n, guarded, sizeof n));
    EXPECT(n == 128 && out[0] == 63 && out[1] == -3);
    CALL(cudaMemcpyFromSymbol(&n, tickets, sizeof n));
    CALL(cudaMemcpyFromSymbol(&half, total, sizeof half));
    EXPECT(n == 256 && half == 64);
    return passed();
}
