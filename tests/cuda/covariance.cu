// covariance.cu - column means, centred data, the symmetric product (in the style of PolyBench).
#include "common.h"

enum { N = 64, M = 24 };

__global__ void mean(const float *data, float *m)
{
    int j = threadIdx.x;
    float s = 0;
    for (int i = 0; i < N; i++)
        s += data[i * M + j];
    m[j] = s / N;
}

__global__ void centre(float *data, const float *m)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && j < M)
        data[i * M + j] -= m[j];
}

__global__ void product(const float *data, float *c)
{
    int j = blockIdx.x, k = threadIdx.x;
    if (k < j)
        return;
    float s = 0;
    for (int i = 0; i < N; i++)
        s += data[i * M + j] * data[i * M + k];
    c[j * M + k] = c[k * M + j] = s / (N - 1);
}

int main()
{
    static float data[N * M], c[M * M];
    float *dd, *dm, *dc;
    for (int i = 0; i < N * M; i++)
        data[i] = (float)((i * 7919) % 101) / 8;
    CALL(cudaMalloc(&dd, sizeof data));
    CALL(cudaMalloc(&dm, M * sizeof(float)));
    CALL(cudaMalloc(&dc, sizeof c));
    CALL(cudaMemcpy(dd, data, sizeof data, cudaMemcpyHostToDevice));
    mean<<<1, M>>>(dd, dm);
    centre<<<dim3((M + 15) / 16, (N + 7) / 8), dim3(16, 8)>>>(dd, dm);
    product<<<M, M>>>(dd, dc);
    CALL(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
    for (int j = 0; j < M; j++)
        for (int k = 0; k < M; k++) {
            double mj = 0, mk = 0, s = 0;
            for (int i = 0; i < N; i++) {
                mj += data[i * M + j] / (double)N;
                mk += data[i * M + k] / (double)N;
            }
            for (int i = 0; i < N; i++)
                s += (data[i * M + j] - mj) * (data[i * M + k] - mk) / (N - 1);
            EXPECT(fabs(s - c[j * M + k]) < 1e-3);
        }
    return passed();
}
