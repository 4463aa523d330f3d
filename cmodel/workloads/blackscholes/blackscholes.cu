/* blackscholes.cu - European option prices by the Black-Scholes formula.
 *
 * A grid-stride loop: three loads, some sixty operations, two stores. */
#include "cuda.h"

#define LOG2_E 1.44269504f
#define LN_2 0.69314718f
#define ONE_BY_ROOT_2PI 0.39894228f

/* Cumulative normal distribution (Abramowitz and Stegun 26.2.17). */
static __device__ inline float normal(float d)
{
    const float x = d < 0 ? -d : d;
    const float k = 1.0f / (1.0f + 0.2316419f * x);
    const float poly =
        k * (0.31938153f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = ONE_BY_ROOT_2PI * exp2_approx(-0.5f * LOG2_E * x * x) * poly;
    return d < 0 ? tail : 1.0f - tail;
}

KERNEL blackscholes(const float *price, const float *strike, const float *years, float *call,
                    float *put, float rate, float volatility, unsigned n)
{
    const unsigned step = gridDim.x * blockDim.x;
    ROLLED
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        const float s = price[i], x = strike[i], t = years[i];
        const float spread = volatility * sqrt_rn(t);
        const float d1 =
            (LN_2 * log2_approx(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
        const float n1 = normal(d1), n2 = normal(d1 - spread);
        const float discounted = x * exp2_approx(-LOG2_E * rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
