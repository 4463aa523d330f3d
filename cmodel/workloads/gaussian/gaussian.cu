/* gaussian.cu - one step of Gaussian elimination without pivoting (Rodinia's Fan1 and Fan2):
 * the multipliers of column t, then the rows below row t less their multiple of it. */
#include "cuda.h"

KERNEL fan1(float *m, const float *a, int size, int t)
{
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= size - 1 - t)
        return;
    m[size * (row + t + 1) + t] = a[size * (row + t + 1) + t] / a[size * t + t];
}

KERNEL fan2(const float *m, float *a, float *b, int size, int t)
{
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int col = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (row >= size - 1 - t)
        return;
    if (col >= size - t)
        return;
    a[size * (row + 1 + t) + col + t] -= m[size * (row + 1 + t) + t] * a[size * t + col + t];
    if (col == 0)
        b[row + 1 + t] -= m[size * (row + 1 + t) + t] * b[t];
}
