/* conv3d.cu - 3 x 3 x 3 convolution, one launch per plane, one point per thread. */
#include "cuda.h"

extern "C" {
__constant__ float conv3d_weights[27];
}

KERNEL conv3d(const float *a, float *b, unsigned plane, unsigned rows, unsigned cols)
{
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
    if (j < 1 || k < 1 || j + 1 >= rows || k + 1 >= cols)
        return;
    float sum = 0;
    UNROLLED
    for (int di = -1; di <= 1; di++)
        UNROLLED
        for (int dj = -1; dj <= 1; dj++)
            UNROLLED
            for (int dk = -1; dk <= 1; dk++)
                sum += conv3d_weights[9 * (di + 1) + 3 * (dj + 1) + dk + 1] *
                       a[((plane + di) * rows + j + dj) * cols + k + dk];
    b[(plane * rows + j) * cols + k] = sum;
}
