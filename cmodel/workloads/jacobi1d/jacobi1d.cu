/* jacobi1d.cu - one step of the three-point average, one element per thread.
 * `a` has one element before its first and one after its last, which stay fixed;
 * n is a multiple of the CTA size. */
#include "cuda.h"

KERNEL jacobi1d(const float *a, float *b)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}
