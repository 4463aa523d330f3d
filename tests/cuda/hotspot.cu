// hotspot.cu - heat on a chip: explicit steps on a padded grid through pitched memory (as in Rodinia).
#include "common.h"

enum { N = 50, STEPS = 6 };

__host__ __device__ static float step(float c, float n, float s, float e, float w, float power)
{
    return c + 0.125f * (power + (n + s - 2 * c) + (e + w - 2 * c));
}

__global__ void heat(const char *from, char *to, size_t pitch, const float *power)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= N || y >= N)
        return;
    auto at = [=](int yy, int xx) {
        yy = min(max(yy, 0), N - 1);
        xx = min(max(xx, 0), N - 1);
        return ((const float *)(from + yy * pitch))[xx];
    };
    float v = step(at(y, x), at(y - 1, x), at(y + 1, x), at(y, x + 1), at(y, x - 1), power[y * N + x]);
    ((float *)(to + y * pitch))[x] = v;
}

int main()
{
    static float t[N][N], next[N][N], power[N][N], got[N][N];
    char *d[2];
    float *dp;
    size_t pitch[2];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = 300 + (x * y) % 17;
            power[y][x] = (x > 10 && x < 20 && y > 30) ? 4 : 0;
        }
    for (int k = 0; k < 2; k++)
        CALL(cudaMallocPitch(&d[k], &pitch[k], N * sizeof(float), N));
    EXPECT(pitch[0] == pitch[1] && pitch[0] >= N * sizeof(float) && pitch[0] % 32 == 0);
    CALL(cudaMalloc(&dp, sizeof power));
    CALL(cudaMemcpy(dp, power, sizeof power, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(d[0], pitch[0], t, sizeof t[0], sizeof t[0], N, cudaMemcpyHostToDevice));
    for (int s = 0; s < STEPS; s++) {
        heat<<<dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>(d[s % 2], d[1 - s % 2], pitch[0], dp);
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                next[y][x] = step(t[y][x], t[y ? y - 1 : 0][x], t[y < N - 1 ? y + 1 : y][x],
                                  t[y][x < N - 1 ? x + 1 : x], t[y][x ? x - 1 : 0], power[y][x]);
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                t[y][x] = next[y][x];
    }
    CALL(cudaMemcpy2D(got, sizeof got[0], d[STEPS % 2], pitch[0], sizeof got[0], N, cudaMemcpyDeviceToHost));
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            EXPECT(fabsf(got[y][x] - t[y][x]) < 1e-2f);
    return passed();
}
