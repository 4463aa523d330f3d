/* montecarlo.cu - option prices by simulation, one CTA per option.
 *
 * All options share one table of normal samples; each thread sums the payoff of
 * every 256th path, then the CTA adds up in shared memory. */
#include "cuda.h"

#define THREADS 256

struct option { float price, strike, drift, spread; };

KERNEL montecarlo(const option *options, const float *samples, float *sums, unsigned paths)
{
    __shared__ float partial[THREADS];
    const unsigned t = threadIdx.x;
    const option o = options[blockIdx.x];
    float sum = 0;
    ROLLED
    for (unsigned i = t; i < paths; i += THREADS) {
        const float payoff = o.price * exp2_approx(o.drift + o.spread * samples[i]) - o.strike;
        sum += payoff > 0 ? payoff : 0;
    }
    partial[t] = sum;
    ROLLED
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            partial[t] += partial[t + half];
    }
    if (t == 0)
        sums[blockIdx.x] = partial[0];
}
