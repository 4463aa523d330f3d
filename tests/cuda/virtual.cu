// virtual.cu - functions behind addresses: virtual functions, a table of function pointers, recursion.
#include "common.h"

struct shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~shape() {}
};
struct square : shape {
    float a;
    __device__ square(float a_) : a(a_) {}
    __device__ float area() const override { return a * a; }
};
struct circle : shape {
    float r;
    __device__ circle(float r_) : r(r_) {}
    __device__ float area() const override { return 3.0f * r * r; }
};

typedef int (*binary)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ binary operations[] = {plus, minus, times};
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

__global__ void areas(float *out)
{
    int i = threadIdx.x;
    shape *s = i % 2 ? (shape *)new circle((float)i) : (shape *)new square((float)i);
    out[i] = s->area();
    delete s;
}

__global__ void table(int *out)
{
    int i = threadIdx.x;
    out[i] = operations[i % 3](i, 2) + 1000 * fib(i % 8);
}

int main()
{
    float *a, ha[32];
    int *t, ht[64], fibs[] = {0, 1, 1, 2, 3, 5, 8, 13};
    CALL(cudaMalloc(&a, sizeof ha));
    CALL(cudaMalloc(&t, sizeof ht));
    areas<<<1, 32>>>(a);
    CALL(cudaMemcpy(ha, a, sizeof ha, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) EXPECT(ha[i] == (i % 2 ? 3.0f : 1.0f) * i * i);
    table<<<1, 64>>>(t);
    CALL(cudaMemcpy(ht, t, sizeof ht, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++) {
        int want = i % 3 == 0 ? i + 2 : i % 3 == 1 ? i - 2 : i * 2;
        EXPECT(ht[i] == want + 1000 * fibs[i % 8]);
    }
    return passed();
}
