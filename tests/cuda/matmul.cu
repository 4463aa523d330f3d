// matmul.cu - tiled product of matrices in shared memory, templates over the tile (samples, PolyBench).
#include <vector>

#include "common.h"

template <int TILE> __global__ void product(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

template <int TILE> static void check(int n)
{
    std::vector<float> a(n * n), b(n * n), c(n * n);
    unsigned state = TILE;
    for (int i = 0; i < n * n; i++) a[i] = (float)(random_word(&state) % 16), b[i] = (float)(random_word(&state) % 16);
    float *da, *db, *dc;
    CALL(cudaMalloc(&da, n * n * sizeof(float)));
    CALL(cudaMalloc(&db, n * n * sizeof(float)));
    CALL(cudaMalloc(&dc, n * n * sizeof(float)));
    CALL(cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    product<TILE><<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
    CALL(cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float want = 0;
            for (int k = 0; k < n; k++) want += a[i * n + k] * b[k * n + j];
            EXPECT(c[i * n + j] == want);
        }
    }
    CALL(cudaFree(da));
    CALL(cudaFree(db));
    CALL(cudaFree(dc));
}

int main()
{
    check<8>(48);
    check<16>(64);
    check<32>(64);
    return passed();
}
