/* conv2d.cu - 3 x 3 convolution of a row-major image, one pixel per thread. */
#include "cuda.h"

extern "C" {
__constant__ float conv2d_weights[9];
}

KERNEL conv2d(const float *a, float *b, unsigned rows, unsigned cols)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i + 1 >= rows || j + 1 >= cols)
        return;
    float sum = 0;
    UNROLLED
    for (int di = -1; di <= 1; di++)
        UNROLLED
        for (int dj = -1; dj <= 1; dj++)
            sum += conv2d_weights[3 * (di + 1) + dj + 1] * a[(i + di) * cols + j + dj];
    b[i * cols + j] = sum;
}
