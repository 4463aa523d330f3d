/* gesummv.cu - y = alpha A x + beta B x, one row of both matrices per thread.
 * `pitch` is the matrix width in floats; only `trip` products are summed, of a row from a column
 * that the warp and `skew` give. */
#include "cuda.h"
#include "first_column.h"

KERNEL gesummv(const float *a, const float *b, const float *x, float *tmp, float *y, float alpha,
               float beta, unsigned pitch, unsigned threads, unsigned trip, unsigned skew)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    unsigned first = FIRST_COLUMN(i, pitch, trip, skew);
    ROLLED
    for (unsigned j = first; j < first + trip; j++) {
        tmp[i] += a[i * pitch + j] * x[j];
        y[i] += b[i * pitch + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
}
