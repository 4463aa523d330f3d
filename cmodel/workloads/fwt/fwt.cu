/* fwt.cu - fast Walsh transform in place: far butterflies in global memory, one
 * launch per stride, then the near ones of 1024 points in shared memory. */
#include "cuda.h"

#define POINTS 1024
#define THREADS 256

/* One butterfly per thread: the pair (i, i + stride), stride a power of two. */
KERNEL fwt_far(float *data, unsigned stride)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned i = 2 * (t & ~(stride - 1)) + (t & (stride - 1));
    const float a = data[i], b = data[i + stride];
    data[i] = a + b;
    data[i + stride] = a - b;
}

KERNEL fwt_near(float *data)
{
    __shared__ float work[POINTS];
    const unsigned t = threadIdx.x;
    data += blockIdx.x * POINTS;
    ROLLED
    for (unsigned i = t; i < POINTS; i += THREADS)
        work[i] = data[i];
    ROLLED
    for (unsigned stride = POINTS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        ROLLED
        for (unsigned p = t; p < POINTS / 2; p += THREADS) {
            const unsigned i = 2 * (p & ~(stride - 1)) + (p & (stride - 1));
            const float a = work[i], b = work[i + stride];
            work[i] = a + b;
            work[i + stride] = a - b;
        }
    }
    __syncthreads();
    ROLLED
    for (unsigned i = t; i < POINTS; i += THREADS)
        data[i] = work[i];
}
