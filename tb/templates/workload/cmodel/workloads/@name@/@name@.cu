// @name@.cu - y = a x + y, one element per thread.  Compiled to @name@.ptx by
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib -O2 -S
#include "cuda.h"

KERNEL @name@(float a, const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
