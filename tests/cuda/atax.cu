// atax.cu - y = A^T (A x) in double precision, two kernels, events around them (in the style of PolyBench).
#include "common.h"

enum { NX = 96, NY = 80 };

__global__ void ax(const double *a, const double *x, double *t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < NX) {
        double s = 0;
        for (int j = 0; j < NY; j++)
            s += a[i * NY + j] * x[j];
        t[i] = s;
    }
}

__global__ void aty(const double *a, const double *t, double *y)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < NY) {
        double s = 0;
        for (int i = 0; i < NX; i++)
            s += a[i * NY + j] * t[i];
        y[j] = s;
    }
}

int main()
{
    static double a[NX * NY], x[NY], t[NX], y[NY];
    double *da, *dx, *dt, *dy;
    cudaEvent_t from, to;
    float ms = 0;
    for (int i = 0; i < NX * NY; i++)
        a[i] = (i % 37) / 37.0;
    for (int j = 0; j < NY; j++)
        x[j] = 1 + j / 7.0;
    CALL(cudaMalloc(&da, sizeof a));
    CALL(cudaMalloc(&dx, sizeof x));
    CALL(cudaMalloc(&dt, sizeof t));
    CALL(cudaMalloc(&dy, sizeof y));
    CALL(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CALL(cudaEventCreate(&from));
    CALL(cudaEventCreate(&to));
    CALL(cudaEventRecord(from));
    ax<<<(NX + 31) / 32, 32>>>(da, dx, dt);
    aty<<<(NY + 31) / 32, 32>>>(da, dt, dy);
    CALL(cudaEventRecord(to));
    CALL(cudaEventSynchronize(to));
    CALL(cudaEventElapsedTime(&ms, from, to));
    EXPECT(ms > 0);
    CALL(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            t[i] += a[i * NY + j] * x[j];
    for (int j = 0; j < NY; j++) {
        double s = 0;
        for (int i = 0; i < NX; i++)
            s += a[i * NY + j] * t[i];
        EXPECT(fabs(s - y[j]) <= 1e-12 * fabs(s));
    }
    return passed();
}
