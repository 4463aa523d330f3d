/* mm2.cu - one matrix product, C = A B, one element per thread, no tiles.
 * All matrices are `n` floats wide; only `trip` products are summed.  mm2_in_memory adds each of
 * them to C in memory, as PolyBench/GPU does: its pointers may name one matrix. */
#include "cuda.h"

KERNEL mm2(const float *a, const float *b, float *c, unsigned n, unsigned rows, unsigned trip)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= n)
        return;
    float sum = 0;
    ROLLED
    for (unsigned k = 0; k < trip; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

KERNEL mm2_in_memory(const float *a, const float *b, float *c, unsigned n, unsigned rows, unsigned trip)
{
    unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= n)
        return;
    ROLLED
    for (unsigned k = 0; k < trip; k++) {
        c[i * n + j] += a[i * n + k] * b[k * n + j];
        IN_ORDER;
    }
}
