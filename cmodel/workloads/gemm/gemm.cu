/* gemm.cu - C = A B in 16 x 16 tiles of shared memory, one element per thread.
 * Sizes are multiples of 16: A has m rows and k columns, B k rows and n columns. */
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
