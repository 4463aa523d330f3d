// fdtd.cu - two-dimensional finite differences in time, three kernels a step (in the style of PolyBench).
// The same arithmetic on the host, term by term, so that results are equal bit by bit.
#include "common.h"

enum { NX = 32, NY = 40, STEPS = 4 };

struct field {
    float ex[NX][NY + 1], ey[NX + 1][NY], hz[NX][NY];
};

__host__ __device__ static void step_ey(field *f, int i, int j, int t)
{
    f->ey[i][j] = i == 0 ? (float)t : __builtin_fmaf(-0.5f, f->hz[i][j] - f->hz[i - 1][j], f->ey[i][j]);
}
__host__ __device__ static void step_ex(field *f, int i, int j)
{
    f->ex[i][j] = __builtin_fmaf(-0.5f, f->hz[i][j] - f->hz[i][j - 1], f->ex[i][j]);
}
__host__ __device__ static void step_hz(field *f, int i, int j)
{
    float turn = (f->ex[i][j + 1] - f->ex[i][j]) + (f->ey[i + 1][j] - f->ey[i][j]);
    f->hz[i][j] = __builtin_fmaf(-0.7f, turn, f->hz[i][j]);
}

__global__ void ey(field *f, int t) { step_ey(f, blockIdx.x, threadIdx.x, t); }
__global__ void ex(field *f) { step_ex(f, blockIdx.x, threadIdx.x + 1); }
__global__ void hz(field *f) { step_hz(f, blockIdx.x, threadIdx.x); }

int main()
{
    static field f, g;
    field *d;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++) {
            f.ex[i][j] = i * (j + 1) / 64.0f;
            f.ey[i][j] = (i - 1) * (j + 2) / 32.0f;
            f.hz[i][j] = (i - 9) * (j + 4) / 128.0f;
        }
    CALL(cudaMalloc(&d, sizeof f));
    CALL(cudaMemcpy(d, &f, sizeof f, cudaMemcpyHostToDevice));
    for (int t = 0; t < STEPS; t++) {
        ey<<<NX, NY>>>(d, t);
        ex<<<NX, NY - 1>>>(d);
        hz<<<NX, NY>>>(d);
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++)
                step_ey(&f, i, j, t);
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY; j++)
                step_ex(&f, i, j);
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++)
                step_hz(&f, i, j);
    }
    CALL(cudaMemcpy(&g, d, sizeof g, cudaMemcpyDeviceToHost));
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            EXPECT(g.hz[i][j] == f.hz[i][j] && g.ex[i][j] == f.ex[i][j] && g.ey[i][j] == f.ey[i][j]);
    return passed();
}
