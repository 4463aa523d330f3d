// stencil.cu - steps of a heat equation on a pitched grid: constant coefficients, 2D and 3D copies, swapped
// buffers (Rodinia, PolyBench).
#include <algorithm>
#include <vector>

#include "common.h"

__constant__ float weight[5];

__global__ void step(const char *in, char *out, size_t pitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    auto at = [=](int i, int j) { return ((const float *)(in + (size_t)min(max(j, 0), h - 1) * pitch))[min(max(i, 0), w - 1)]; };
    ((float *)(out + y * pitch))[x] = weight[0] * at(x, y) + weight[1] * at(x - 1, y) + weight[2] * at(x + 1, y) +
                                      weight[3] * at(x, y - 1) + weight[4] * at(x, y + 1);
}

int main()
{
    const int w = 75, h = 41, steps = 4;
    const float k[5] = {0.5f, 0.125f, 0.125f, 0.125f, 0.125f};
    std::vector<float> a(w * h), b(w * h), got(w * h);
    char *in, *out;
    size_t pitch, other;
    for (int i = 0; i < w * h; i++) a[i] = (float)(i * 37 % 64);
    CALL(cudaMemcpyToSymbol(weight, k, sizeof k));
    CALL(cudaMallocPitch(&in, &pitch, w * sizeof(float), h));
    CALL(cudaMallocPitch(&out, &other, w * sizeof(float), h));
    EXPECT(pitch == other && pitch >= w * sizeof(float) && pitch % 32 == 0);
    CALL(cudaMemset2D(out, pitch, 0, w * sizeof(float), h));
    CALL(cudaMemcpy2D(in, pitch, a.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    for (int s = 0; s < steps; s++) {
        step<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(in, out, pitch, w, h);
        std::swap(in, out);
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                auto at = [&](int i, int j) { return a[std::min(std::max(j, 0), h - 1) * w + std::min(std::max(i, 0), w - 1)]; };
                b[y * w + x] = k[0] * at(x, y) + k[1] * at(x - 1, y) + k[2] * at(x + 1, y) + k[3] * at(x, y - 1) + k[4] * at(x, y + 1);
            }
        }
        std::swap(a, b);
    }
    cudaMemcpy3DParms p = {0};
    p.srcPtr = make_cudaPitchedPtr(in, pitch, w * sizeof(float), h);
    p.dstPtr = make_cudaPitchedPtr(got.data(), w * sizeof(float), w * sizeof(float), h);
    p.extent = make_cudaExtent(w * sizeof(float), h, 1);
    p.kind = cudaMemcpyDefault;
    CALL(cudaMemcpy3D(&p));
    for (int i = 0; i < w * h; i++) EXPECT(fabsf(got[i] - a[i]) <= 1e-4f * fabsf(a[i]));
    return passed();
}
