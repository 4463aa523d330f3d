/* gesummv.cu - y = alpha A x + beta B x, one row of both matrices per thread.
 * `pitch` is the matrix width in floats; only `trip` products are summed. */
#include "cuda.h"

KERNEL gesummv(const float *a, const float *b, const float *x, float *tmp, float *y, float alpha,
               float beta, unsigned pitch, unsigned threads, unsigned trip)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    ROLLED
    for (unsigned j = 0; j < trip; j++) {
        tmp[i] += a[i * pitch + j] * x[j];
        y[i] += b[i * pitch + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
}
