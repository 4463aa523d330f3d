// wmma.cu - 16x16 products on tensor cores: f16 with f32 sums, and s8 with s32.
#include <cuda_fp16.h>
#include <mma.h>

#include "common.h"
using namespace nvcuda;

__global__ void halves(const __half *a, const __half *b, float *c, int n)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.5f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * n + k, n);
        wmma::load_matrix_sync(fb, b + blockIdx.x * 16 * n + k, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, wmma::mem_row_major);
}

__global__ void bytes(const signed char *a, const signed char *b, int *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, 0);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

int main()
{
    const int n = 32;
    __half ha[n * n], hb[n * n], *a, *b;
    float hc[n * n], *c;
    for (int i = 0; i < n * n; i++) ha[i] = __float2half((float)(i % 7 - 3)), hb[i] = __float2half((float)(i % 5) * 0.25f);
    CALL(cudaMalloc(&a, sizeof ha));
    CALL(cudaMalloc(&b, sizeof hb));
    CALL(cudaMalloc(&c, sizeof hc));
    CALL(cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice));
    halves<<<dim3(n / 16, n / 16), 32>>>(a, b, c, n);
    CALL(cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float want = 0.5f;
            for (int k = 0; k < n; k++) want += __half2float(ha[i * n + k]) * __half2float(hb[j * n + k]);
            EXPECT(hc[i * n + j] == want);
        }
    }
    signed char ba[256], bb[256], *da, *db;
    int bc[256], *dc;
    for (int i = 0; i < 256; i++) ba[i] = (signed char)(i * 7), bb[i] = (signed char)(i * 13 + 5);
    CALL(cudaMalloc(&da, 256));
    CALL(cudaMalloc(&db, 256));
    CALL(cudaMalloc(&dc, sizeof bc));
    CALL(cudaMemcpy(da, ba, 256, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(db, bb, 256, cudaMemcpyHostToDevice));
    bytes<<<1, 32>>>(da, db, dc);
    CALL(cudaMemcpy(bc, dc, sizeof bc, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++) {
        for (int j = 0; j < 16; j++) {
            int want = 0;
            for (int k = 0; k < 16; k++) want += ba[i * 16 + k] * bb[j * 16 + k];
            EXPECT(bc[i * 16 + j] == want);
        }
    }
    return passed();
}
