/* transpose.cu - out = in^T, straight and through a tile of shared memory.
 * `in` has `rows` rows of `cols` columns. */
#include "cuda.h"

#define TILE 32

/* The warp runs along a column of `in`: a strided load and a coalesced store. */
KERNEL transpose_naive(const float *in, float *out, unsigned rows, unsigned cols)
{
    unsigned row = blockIdx.x * TILE + threadIdx.x;
    unsigned col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}

/* Both sides coalesced; the padding column keeps the tile free of bank conflicts. */
KERNEL transpose_tiled(const float *in, float *out, unsigned rows, unsigned cols)
{
    __shared__ float tile[TILE][TILE + 1];
    unsigned col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    ROLLED
    for (unsigned y = 0; y < TILE; y += blockDim.y)
        if (row + y < rows && col < cols)
            tile[threadIdx.y + y][threadIdx.x] = in[(row + y) * cols + col];
    __syncthreads();
    col = blockIdx.x * TILE + threadIdx.y;
    row = blockIdx.y * TILE + threadIdx.x;
    ROLLED
    for (unsigned y = 0; y < TILE; y += blockDim.y)
        if (row < rows && col + y < cols)
            out[(col + y) * rows + row] = tile[threadIdx.x][threadIdx.y + y];
}
