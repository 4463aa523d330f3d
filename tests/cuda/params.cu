// params.cu - all kinds of parameters in one kernel that writes them back: scalars, vectors, structs by
// value, more than 64 of them, templates.
#include <cuda_fp16.h>

#include "common.h"

struct mixed {
    char c;
    double d;
    short s[3];
    float *p;
};
struct nothing {};

__global__ void write(mixed m, bool b, char c, short s, int i, long long l, float f, double d, float4 v, dim3 g,
                      __half h, nothing, unsigned char u, double *out)
{
    int n = 0;
    out[n++] = m.c, out[n++] = m.d, out[n++] = m.s[0] + 10 * m.s[2], out[n++] = *m.p;
    out[n++] = b, out[n++] = c, out[n++] = s, out[n++] = i, out[n++] = (double)l, out[n++] = f, out[n++] = d;
    out[n++] = v.x + 10 * v.w, out[n++] = g.x + 10 * g.y + 100 * g.z, out[n++] = __half2float(h), out[n++] = u;
}

template <int N> struct many {
    int value[N];
};

template <typename T, int N> __global__ void sum(many<N> m, T a, T b, T *out)
{
    T total = a + b;
    for (int i = 0; i < N; i++) total += m.value[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

#define P8(n) int n##0, int n##1, int n##2, int n##3, int n##4, int n##5, int n##6, int n##7
#define S8(n) n##0 + n##1 + n##2 + n##3 + n##4 + n##5 + n##6 + n##7
__global__ void seventy(P8(a), P8(b), P8(c), P8(d), P8(e), P8(f), P8(g), P8(h), P8(i), int *out)
{
    *out = S8(a) + S8(b) + S8(c) + S8(d) + S8(e) + S8(f) + S8(g) + S8(h) + 1000 * (S8(i));
}

int main()
{
    double *out, got[15];
    float *p, seven = 7.5f;
    CALL(cudaMalloc(&out, sizeof got));
    CALL(cudaMalloc(&p, 4));
    CALL(cudaMemcpy(p, &seven, 4, cudaMemcpyDefault));
    mixed m = {'a', 2.25, {1, 2, 3}, p};
    write<<<1, 1>>>(m, true, -5, -300, 1 << 30, 1ll << 40, 0.5f, 1e100, make_float4(1, 2, 3, 4), dim3(1, 2, 3),
                    __float2half(1.5f), nothing(), 200, out);
    CALL(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    const double want[15] = {'a', 2.25, 31, 7.5, 1, -5, -300, 1 << 30, 1099511627776.0, 0.5, 1e100, 41, 321, 1.5, 200};
    for (int i = 0; i < 15; i++) {
        if (got[i] != want[i]) {
            printf("parameter %d: %g, not %g\n", i, got[i], want[i]);
            return 1;
        }
    }
    many<1000> big;
    for (int i = 0; i < 1000; i++) big.value[i] = i;
    long long *sums, host[64];
    CALL(cudaMalloc(&sums, sizeof host));
    sum<<<2, 32>>>(big, 1000000000000ll, 5ll, sums);
    CALL(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) EXPECT(host[i] == 1000000000005ll + 499500);
    int *total, result;
    CALL(cudaMalloc(&total, 4));
#define V8 1, 2, 3, 4, 5, 6, 7, 8
    seventy<<<1, 1>>>(V8, V8, V8, V8, V8, V8, V8, V8, V8, total);
    CALL(cudaMemcpy(&result, total, 4, cudaMemcpyDeviceToHost));
    EXPECT(result == 8 * 36 + 36000);
    return passed();
}
