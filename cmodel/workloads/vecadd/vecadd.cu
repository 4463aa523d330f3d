/* vecadd.cu - c = a + b, one element per thread. */
#include "cuda.h"

KERNEL vecadd(const float *a, const float *b, float *c, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
