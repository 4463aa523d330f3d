/* syrk.cu - C = alpha A A^T + beta C, one element of C per thread, j fastest.
 * A and C have `n` columns; only `trip` products are summed. */
#include "cuda.h"

KERNEL syrk(const float *a, float *c, float alpha, float beta, unsigned n, unsigned rows,
            unsigned trip)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= n)
        return;
    c[i * n + j] *= beta;
    ROLLED
    for (unsigned k = 0; k < trip; k++)
        c[i * n + j] += alpha * a[i * n + k] * a[j * n + k];
}
