// reduction.cu - one template for sum, smallest and largest of several types, by shuffles and shared memory
// (in the style of SHOC and the samples); the last block finishes, found by an atomic counter.
#include <climits>

#include "common.h"

struct add {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct least {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? a : b; }
};
struct most {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

__device__ unsigned finished;

template <class T, class F, int BLOCK> __device__ T of_block(T v, F f)
{
    __shared__ T part[BLOCK / 32];
    for (int n = 16; n; n /= 2)
        v = f(v, __shfl_down_sync(~0u, v, n));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k < BLOCK / 32; k++)
            v = f(v, part[k]);
    return v;
}

template <class T, class F, int BLOCK> __global__ void reduce(const T *in, int n, T neutral, volatile T *part, T *out)
{
    F f;
    __shared__ bool last;
    T v = neutral;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        v = f(v, in[i]);
    v = of_block<T, F, BLOCK>(v, f);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    v = threadIdx.x < gridDim.x ? part[threadIdx.x] : neutral;
    v = of_block<T, F, BLOCK>(v, f);
    if (threadIdx.x == 0)
        *out = v;
}

template <class T, class F> static void check(T neutral)
{
    enum { N = 3001, BLOCKS = 6 };
    static T in[N];
    T *din, *part, *out, got, want = neutral;
    for (int i = 0; i < N; i++)
        want = F()(want, in[i] = (T)((i * 7919) % 1009 - 500));
    CALL(cudaMalloc(&din, sizeof in));
    CALL(cudaMalloc(&part, BLOCKS * sizeof(T)));
    CALL(cudaMalloc(&out, sizeof(T)));
    CALL(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
    reduce<T, F, 128><<<BLOCKS, 128>>>(din, N, neutral, part, out);
    CALL(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got == want);
    CALL(cudaFree(din));
}

int main()
{
    check<int, add>(0);
    check<int, least>(INT_MAX);
    check<long long, add>(0);
    check<double, most>(-1e300);
    check<float, add>(0); // whole numbers: exact in any order
    return passed();
}
