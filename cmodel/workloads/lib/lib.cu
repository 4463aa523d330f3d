/* lib.cu - LIBOR market model by Monte Carlo: forward rates of a path, then a portfolio of
 * swaptions (LIB of ISPASS-2009). */
#include "cuda.h"

enum { MOST_RATES = 80, MOST_OPTIONS = 15 };

/* Of all paths: volatility by time to maturity, and what the swaptions are. */
__constant__ float lambda[MOST_RATES];
__constant__ int maturities[MOST_OPTIONS];
__constant__ float swap_rates[MOST_OPTIONS];

#define LOG2_E 1.44269504f

/* The rates of a path, step after step; z: its normal samples. */
static __device__ inline void follow(float *rates, const float *z, int steps, int n, float delta,
                                     float root_delta)
{
    ROLLED
    for (int step = 0; step < steps; step++) {
        const float move = root_delta * z[step];
        float v = 0;
        ROLLED
        for (int i = step + 1; i < n; i++) {
            const float lam = lambda[i - step - 1];
            const float con = delta * lam;
            v += con * rates[i] / (1.0f + delta * rates[i]);
            rates[i] *= exp2_approx(LOG2_E * (con * v + lam * (move - 0.5f * con)));
        }
    }
}

/* What the portfolio is worth at the end of the path, discounted. */
static __device__ inline float value_of(const float *rates, int steps, int n, int options,
                                        float delta)
{
    float bond[MOST_RATES], swap[MOST_RATES];
    float b = 1, s = 0, v = 0;
    ROLLED
    for (int i = steps; i < n; i++) {
        b = b / (1.0f + delta * rates[i]);
        s += delta * b;
        bond[i - steps] = b;
        swap[i - steps] = s;
    }
    ROLLED
    for (int i = 0; i < options; i++) {
        const int m = maturities[i] - 1;
        const float worth = bond[m] + swap_rates[i] * swap[m] - 1.0f;
        v += worth < 0 ? -100.0f * worth : 0;
    }
    ROLLED
    for (int i = 0; i < steps; i++)
        v = v / (1.0f + delta * rates[i]);
    return v;
}

/* One thread for each path; its rates and samples are arrays in local memory. */
KERNEL lib(const float *samples, float *values, unsigned paths, int steps, int n, int options,
           float delta, float root_delta)
{
    const unsigned path = blockIdx.x * blockDim.x + threadIdx.x;
    float rates[MOST_RATES], z[MOST_RATES];
    if (path >= paths)
        return;
    ROLLED
    for (int i = 0; i < steps; i++)
        z[i] = samples[(unsigned)i * paths + path];
    ROLLED
    for (int i = 0; i < n; i++)
        rates[i] = 0.05f;
    follow(rates, z, steps, n, delta, root_delta);
    values[path] = value_of(rates, steps, n, options, delta);
}
