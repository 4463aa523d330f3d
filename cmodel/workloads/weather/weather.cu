/* weather.cu - the rain of a column of air: every thread one column, its temporaries in global
 * memory, as weather prediction keeps them (after WP of ISPASS-2009). */
#include "cuda.h"

/* A field's value on a level: columns lie side by side. */
static __device__ inline unsigned at(unsigned level, unsigned columns, unsigned column)
{
    return level * columns + column;
}

static __device__ inline float above_zero(float x)
{
    return x > 0 ? x : 0;
}

/* x ^ power, x > 0. */
static __device__ inline float power_of(float x, float power)
{
    return exp2_approx(power * log2_approx(x));
}

/* How fast the rain of each level falls, in levels of 500 m, and what of it leaves the level in this
 * step. */
static __device__ inline void fall(const float *density, const float *rain, float *flux,
                                   unsigned column, unsigned columns, unsigned levels, float step)
{
    ROLLED
    for (unsigned k = 0; k < levels; k++) {
        const float rho = density[at(k, columns, column)];
        const float water = rho * rain[at(k, columns, column)] + 1e-6f;
        const float speed = 0.02868f * power_of(water, 0.1346f) * (1.0f / sqrt_rn(rho));
        flux[at(k, columns, column)] = step * speed * rho * rain[at(k, columns, column)];
    }
}

/* Kessler's warm rain: rain comes from above and falls on, clouds turn to rain by themselves and by
 * what falls through them, vapour above saturation condenses and warms the air. */
KERNEL weather(const float *density, float *heat, float *vapour, float *cloud, float *rain,
               float *flux, float *made, float *ground, unsigned columns, unsigned levels,
               unsigned steps, float step)
{
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    ROLLED
    for (unsigned s = 0; s < steps; s++) {
        fall(density, rain, flux, column, columns, levels, step);
        ROLLED
        for (unsigned k = 0; k < levels; k++) {
            const unsigned here = at(k, columns, column);
            const float from_above = k + 1 < levels ? flux[at(k + 1, columns, column)] : 0;
            const float moved = (from_above - flux[here]) / density[here];
            const float collected = 2.2f * cloud[here] * power_of(rain[here] + 1e-6f, 0.875f);
            made[here] = step * (0.001f * above_zero(cloud[here] - 0.001f) + collected);
            rain[here] = above_zero(rain[here] + moved) + made[here];
        }
        ground[column] += flux[column];
        ROLLED
        for (unsigned k = 0; k < levels; k++) {
            const unsigned here = at(k, columns, column);
            const float warm = heat[here] - 273.15f;
            const float most = 0.0038f / density[here] * exp2_approx(0.0975f * warm);
            const float excess = 0.5f * (vapour[here] - most);
            const float left = above_zero(cloud[here] - made[here]);
            const float condensed = excess > -left ? excess : -left;
            vapour[here] -= condensed;
            cloud[here] = left + condensed;
            heat[here] += 2490.0f * condensed;
        }
    }
}
