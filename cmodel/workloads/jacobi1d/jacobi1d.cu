/* jacobi1d.cu - one step of the three-point average, one element per thread, with two buffers and
 * as PolyBench/GPU has it. */
#include "cuda.h"

/* `a` has one element before its first and one after its last, which stay fixed; n is a multiple of
 * the CTA size. */
KERNEL jacobi1d(const float *a, float *b)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}

/* PolyBench/GPU's: the average goes to b, times a constant of double precision, and back to a by a
 * kernel of its own.  Elements 0, 1 and n - 1 stay fixed. */
KERNEL jacobi1d_polybench(const float *a, float *b, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > 1 && i < n - 1)
        b[i] = (float)(0.33333 * (a[i - 1] + a[i] + a[i + 1]));
}

KERNEL jacobi1d_polybench_copy(float *a, const float *b, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > 1 && i < n - 1)
        a[i] = b[i];
}
