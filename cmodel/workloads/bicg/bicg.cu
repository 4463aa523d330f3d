/* bicg.cu - q = A p with one row per thread, s = A^T r with one column per thread.
 * `pitch` is the matrix width in floats; only `trip` products are summed, of a row from a column
 * that the warp and `skew` give. */
#include "cuda.h"
#include "first_column.h"

KERNEL bicg_rows(const float *a, const float *p, float *q, unsigned pitch, unsigned threads,
                 unsigned trip, unsigned skew)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    unsigned first = FIRST_COLUMN(i, pitch, trip, skew);
    ROLLED
    for (unsigned j = first; j < first + trip; j++)
        q[i] += a[i * pitch + j] * p[j];
}

KERNEL bicg_cols(const float *a, const float *r, float *s, unsigned pitch, unsigned threads,
                 unsigned trip)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= threads)
        return;
    ROLLED
    for (unsigned i = 0; i < trip; i++)
        s[j] += a[i * pitch + j] * r[i];
}
