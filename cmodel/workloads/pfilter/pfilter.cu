/* pfilter.cu - resampling step of a particle filter.
 *
 * Each thread searches the cumulative weights from the start for the first entry
 * not below its own draw, and takes that particle's position. */
#include "cuda.h"

KERNEL pfilter(const float *cumulative, const float *draws, const float *x_in, const float *y_in,
               float *x_out, float *y_out, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float draw = draws[i];
    unsigned index = n - 1;
    ROLLED
    for (unsigned j = 0; j < n; j++) {
        if (cumulative[j] >= draw) {
            index = j;
            break;
        }
    }
    x_out[i] = x_in[index];
    y_out[i] = y_in[index];
}
