// convolution.cu - a separable filter: taps in constant memory, rows and columns by templates (samples).
#include "common.h"

enum { W = 64, H = 48, R = 4 };

__constant__ float taps[2 * R + 1];

template <bool ROWS> __global__ void filter(const float *in, float *out)
{
    __shared__ float line[(ROWS ? W : H) + 2 * R];
    const int n = ROWS ? W : H, stride = ROWS ? 1 : W, base = ROWS ? blockIdx.x * W : blockIdx.x;
    for (int k = threadIdx.x; k < n + 2 * R; k += blockDim.x) {
        int at = k - R;
        line[k] = at >= 0 && at < n ? in[base + at * stride] : 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        float s = 0;
#pragma unroll
        for (int j = 0; j <= 2 * R; j++)
            s += taps[j] * line[k + j];
        out[base + k * stride] = s;
    }
}

int main()
{
    static float in[H][W], out[H][W];
    const float host[2 * R + 1] = {1, -2, 3, 4, 5, 4, 3, -2, 1};
    float *a, *b;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            in[y][x] = (x * 7 + y * 13) % 32;
    CALL(cudaMemcpyToSymbol(taps, host, 5 * sizeof(float)));
    CALL(cudaMemcpyToSymbol(taps, host + 5, 4 * sizeof(float), 5 * sizeof(float)));
    CALL(cudaMalloc(&a, sizeof in));
    CALL(cudaMalloc(&b, sizeof in));
    CALL(cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice));
    filter<true><<<H, 32>>>(a, b);
    filter<false><<<W, 32>>>(b, a);
    CALL(cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float s = 0; // whole numbers: exact
            for (int j = -R; j <= R; j++)
                for (int i = -R; i <= R; i++)
                    if (y + j >= 0 && y + j < H && x + i >= 0 && x + i < W)
                        s += host[j + R] * host[i + R] * in[y + j][x + i];
            EXPECT(out[y][x] == s);
        }
    return passed();
}
