/* gemm.cu - C = A B, A of m rows and k columns, B of k rows and n columns, whole tiles only: in
 * 16 x 16 tiles of shared memory, one element per thread, or in columns of registers. */
#include "cuda.h"

#define TILE 16

KERNEL gemm(const float *a, const float *b, float *c, unsigned k, unsigned n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    ROLLED
    for (unsigned it = 0; it < k / TILE; it++) {
        tile_a[ty][tx] = a[row * k + it * TILE + tx];
        tile_b[ty][tx] = b[(it * TILE + ty) * n + col];
        __syncthreads();
        UNROLLED
        for (unsigned i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

#define WIDE 16    /* columns of C that a thread has in registers */
#define DEEP 8     /* rows of B in shared memory */
#define TALL 128   /* threads, and rows of C, of a CTA of 16 x 8 */

/* Parboil's: A and C lie column by column and B row by row; a thread has 16 elements of a row of C. */
KERNEL gemm_parboil(const float *a, const float *b, float *c, unsigned m, unsigned k, unsigned n,
                    float alpha, float beta)
{
    __shared__ float tile_b[DEEP][WIDE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.x * TALL + ty * WIDE + tx, col = blockIdx.y * WIDE;
    float sum[WIDE] = {};
    ROLLED
    for (unsigned it = 0; it < k; it += DEEP) {
        tile_b[ty][tx] = b[(it + ty) * n + col + tx];
        __syncthreads();
        ROLLED
        for (unsigned j = 0; j < DEEP; j++) {
            const float of_a = a[(it + j) * m + row];
            UNROLLED
            for (unsigned i = 0; i < WIDE; i++)
                sum[i] += of_a * tile_b[j][i];
        }
        __syncthreads();
    }
    UNROLLED
    for (unsigned i = 0; i < WIDE; i++)
        c[(col + i) * m + row] = c[(col + i) * m + row] * beta + alpha * sum[i];
}
