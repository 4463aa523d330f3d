/* histogram.cu - 256 bins of byte values: per CTA in shared memory, then added up.
 * Every thread reads `trip` words of four bytes, a grid's width apart. */
#include "cuda.h"

#define BINS 256

KERNEL histogram(const unsigned *data, unsigned *bins, unsigned trip)
{
    __shared__ unsigned local[BINS];
    unsigned t = threadIdx.x;
    ROLLED
    for (unsigned bin = t; bin < BINS; bin += blockDim.x)
        local[bin] = 0;
    __syncthreads();
    ROLLED
    for (unsigned i = 0; i < trip; i++) {
        unsigned word = data[blockIdx.x * blockDim.x + t + i * gridDim.x * blockDim.x];
        UNROLLED
        for (unsigned byte = 0; byte < 4; byte++)
            atomicAdd(&local[word >> 8 * byte & 255], 1u);
    }
    __syncthreads();
    ROLLED
    for (unsigned bin = t; bin < BINS; bin += blockDim.x)
        atomicAdd(&bins[bin], local[bin]);
}
