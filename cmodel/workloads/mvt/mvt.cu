/* mvt.cu - x1 += A y1 with one row per thread, x2 += A^T y2 with one column per thread.
 * `pitch` is the matrix width in floats; only `trip` products are summed, of a row from a column
 * that the warp and `skew` give. */
#include "cuda.h"
#include "first_column.h"

KERNEL mvt_rows(const float *a, const float *y1, float *x1, unsigned pitch, unsigned threads,
                 unsigned trip, unsigned skew)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    unsigned first = FIRST_COLUMN(i, pitch, trip, skew);
    ROLLED
    for (unsigned j = first; j < first + trip; j++)
        x1[i] += a[i * pitch + j] * y1[j];
}

KERNEL mvt_cols(const float *a, const float *y2, float *x2, unsigned pitch, unsigned threads,
                 unsigned trip)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= threads)
        return;
    ROLLED
    for (unsigned i = 0; i < trip; i++)
        x2[j] += a[i * pitch + j] * y2[i];
}
