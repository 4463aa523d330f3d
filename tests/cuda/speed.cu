// speed.cu - what the library itself costs, in processor time: the first use of the device, which loads
// the module and makes the machine, and copies, beside memcpy in the same run.
#include <cstring>
#include <ctime>

#include "common.h"

__global__ void first(int *a) { a[threadIdx.x] = threadIdx.x; }

static double seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

template <class F> static double least(F what)
{
    double best = 1e9;
    for (int i = 0; i < 4; i++) {
        double from = seconds();
        what();
        best = fmin(best, seconds() - from);
    }
    return best;
}

int main()
{
    const size_t n = 64 << 20;
    char *a = (char *)malloc(n), *b = (char *)malloc(n), *d;
    int *small;
    memset(a, 1, n), memset(b, 2, n);
    double from = seconds();
    CALL(cudaMalloc(&small, 256));
    first<<<1, 64>>>(small);
    CALL(cudaDeviceSynchronize());
    double start = seconds() - from;
    CALL(cudaMalloc(&d, n));
    double to = least([&] { CALL(cudaMemcpy(d, a, n, cudaMemcpyHostToDevice)); });
    double back = least([&] { CALL(cudaMemcpy(b, d, n, cudaMemcpyDeviceToHost)); });
    EXPECT(memcmp(a, b, n) == 0);
    double plain = least([&] { memcpy(b, a, n); });
    printf("first use %.1f ms, copies of %zu MB: there %.1f ms, back %.1f ms, memcpy %.1f ms\n", 1e3 * start, n >> 20,
           1e3 * to, 1e3 * back, 1e3 * plain);
    EXPECT(start < 0.05);
    EXPECT(to < 5 * plain && back < 5 * plain);
    return passed();
}
