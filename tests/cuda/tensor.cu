// tensor.cu - a tiled product on tensor cores through cp.async-style staging in shared memory, ldmatrix
// and mma.sync; wmma of bf16, tf32 and double.  For compute_80.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "common.h"
using namespace nvcuda;

// C (16 x 8 of a block) = A * B, A by rows, B by rows: B's fragments are turned round by ldmatrix.trans.
__global__ void tiles(const __half *a, const __half *b, float *c, int n)
{
    __shared__ __align__(16) __half sa[16][16], sb[16][8];
    int lane = threadIdx.x, row0 = blockIdx.y * 16, col0 = blockIdx.x * 8;
    float d[4] = {0, 0, 0, 0};
    for (int k = 0; k < n; k += 16) {
        for (int i = lane; i < 256; i += 32) sa[i / 16][i % 16] = a[(row0 + i / 16) * n + k + i % 16];
        for (int i = lane; i < 128; i += 32) sb[i / 8][i % 8] = b[(k + i / 8) * n + col0 + i % 8];
        __syncwarp();
        unsigned ra[4], rb[2];
        unsigned at = (unsigned)__cvta_generic_to_shared(&sa[lane % 16][lane / 16 * 8]);
        unsigned bt = (unsigned)__cvta_generic_to_shared(&sb[lane % 16][0]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(at));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                     : "=r"(rb[0]), "=r"(rb[1]) : "r"(bt));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; i++) c[(row0 + lane / 4 + i / 2 * 8) * n + col0 + lane % 4 * 2 + i % 2] = d[i];
}

template <typename In, typename Fragment, typename Out, int M, int N, int K>
__global__ void one(const In *a, const In *b, Out *c)
{
    wmma::fragment<wmma::matrix_a, M, N, K, Fragment, wmma::col_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, Fragment, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Out> fc;
    wmma::fill_fragment(fc, Out(1));
    wmma::load_matrix_sync(fa, a, M);
    wmma::load_matrix_sync(fb, b, N);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= Out(2);
    wmma::store_matrix_sync(c, fc, M, wmma::mem_col_major);
}

template <typename In, typename Fragment, typename Out, int M, int N, int K> void check()
{
    In *a, *b;
    Out *c;
    CALL(cudaMallocManaged(&a, M * K * sizeof(In)));
    CALL(cudaMallocManaged(&b, K * N * sizeof(In)));
    CALL(cudaMallocManaged(&c, M * N * sizeof(Out)));
    for (int i = 0; i < M * K; i++) a[i] = In(float(i % 11 - 5) * 0.5f);
    for (int i = 0; i < K * N; i++) b[i] = In(float(i % 7 - 3) * 0.25f);
    one<In, Fragment, Out, M, N, K><<<1, 32>>>(a, b, c);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            double want = 1;
            for (int k = 0; k < K; k++) want += double(float(a[k * M + i])) * double(float(b[k * N + j]));
            EXPECT(double(c[j * M + i]) == 2 * want);
        }
    }
    CALL(cudaFree(a));
    CALL(cudaFree(b));
    CALL(cudaFree(c));
}

int main()
{
    const int n = 32;
    __half *a, *b;
    float *c;
    CALL(cudaMallocManaged(&a, n * n * sizeof *a));
    CALL(cudaMallocManaged(&b, n * n * sizeof *b));
    CALL(cudaMallocManaged(&c, n * n * sizeof *c));
    for (int i = 0; i < n * n; i++) a[i] = __float2half(float(i % 9 - 4)), b[i] = __float2half(float(i % 13 - 6) * 0.5f);
    tiles<<<dim3(n / 8, n / 16), 32>>>(a, b, c, n);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float want = 0;
            for (int k = 0; k < n; k++) want += __half2float(a[i * n + k]) * __half2float(b[k * n + j]);
            EXPECT(c[i * n + j] == want);
        }
    }
    check<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>();
    check<__nv_bfloat16, __nv_bfloat16, float, 8, 32, 16>();
    check<float, wmma::precision::tf32, float, 16, 16, 8>();
    check<double, double, double, 8, 8, 4>();
    check<__half, __half, float, 32, 8, 16>();
    return passed();
}
