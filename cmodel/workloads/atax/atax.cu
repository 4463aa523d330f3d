/* atax.cu - y = A^T (A x): one row per thread, then one column per thread.
 * `pitch` is the matrix width in floats; only `trip` products are summed, of a row from a column
 * that the warp and `skew` give. */
#include "cuda.h"
#include "first_column.h"

KERNEL atax_rows(const float *a, const float *x, float *tmp, unsigned pitch, unsigned threads,
                 unsigned trip, unsigned skew)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    unsigned first = FIRST_COLUMN(i, pitch, trip, skew);
    ROLLED
    for (unsigned j = first; j < first + trip; j++)
        tmp[i] += a[i * pitch + j] * x[j];
}

KERNEL atax_cols(const float *a, const float *tmp, float *y, unsigned pitch, unsigned threads,
                 unsigned trip)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= threads)
        return;
    ROLLED
    for (unsigned i = 0; i < trip; i++)
        y[j] += a[i * pitch + j] * tmp[i];
}
