/* lib.cu - LIBOR market model by Monte Carlo: forward rates of a path, then a portfolio of
 * swaptions (LIB of ISPASS-2009), lean and as the suite has it. */
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

/* As ISPASS-2009 has it: sizes and the time between rates are in constant memory too, 64 CTAs of 64
 * take any number of paths, every path has the same samples, and constants make sums double. */
enum { MOST_STEPS = 40, MOST_BONDS = 40 };
__constant__ int n_rates, n_steps, n_options;
__constant__ float period;

/* A conversion that the compiler cannot undo, as it does where the result is a float again. */
static __device__ inline double widened(float x)
{
    double wide;
    asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(x));
    return wide;
}

static __device__ inline float divide_approx(float a, float b)
{
    return __nvvm_div_approx_f(a, b);
}

static __device__ inline double growth(float rate)
{
    return 1.0 + widened(period * rate);
}

/* A rate a step later; v: the drift so far. */
static __device__ inline float moved(float rate, float lam, float move, float *v)
{
    const float con = period * lam;
    *v += divide_approx(con * rate, (float)growth(rate));
    const float power = (float)(widened(con * *v) +
                                widened(lam) * (widened(move) - 0.5 * widened(con)));
    return rate * exp2_approx(LOG2_E * power);
}

/* The rates of a path; `past`, where wanted, has those after each step, the first ones before. */
static __device__ inline void follow_ispass(float *rates, const float *z, float *past)
{
    if (past) {
        ROLLED
        for (int i = 0; i < n_rates; i++) {
            past[i] = rates[i];
            IN_ORDER; /* else a copy byte by byte is made of it */
        }
    }
    ROLLED
    for (int step = 0; step < n_steps; step++) {
        const float move = sqrt_rn(period) * z[step];
        float v = 0;
        ROLLED
        for (int i = step + 1; i < n_rates; i++) {
            const float rate = moved(rates[i], lambda[i - step - 1], move, &v);
            rates[i] = rate;
            if (past)
                past[(step + 1) * n_rates + i] = rate;
        }
    }
}

static __device__ inline float discount(const float *rates)
{
    float b = 1;
    ROLLED
    for (int i = 0; i < n_steps; i++)
        b = (float)(widened(b) / growth(rates[i]));
    return b;
}

static __device__ inline float value_ispass(const float *rates)
{
    float bond[MOST_BONDS], swap[MOST_BONDS];
    float b = 1, s = 0, v = 0;
    ROLLED
    for (int i = n_steps; i < n_rates; i++) {
        b = (float)(widened(b) / growth(rates[i]));
        s += period * b;
        bond[i - n_steps] = b;
        swap[i - n_steps] = s;
    }
    ROLLED
    for (int i = 0; i < n_options; i++) {
        const int m = maturities[i] - 1;
        const float worth = (float)(widened(bond[m] + swap_rates[i] * swap[m]) - 1.0);
        if (worth < 0)
            v = (float)(widened(v) + -100.0 * widened(worth));
    }
    return discount(rates) * v;
}

/* The bonds' prices and the swaps', and no sensitivity yet. */
static __device__ inline void price(const float *rates, float *bond, float *swap, float *by_bond,
                                    float *by_swap)
{
    float b = 1, s = 0;
    ROLLED
    for (int m = 0; m < n_rates - n_steps; m++) {
        b = divide_approx(b, (float)growth(rates[m + n_steps]));
        s += period * b;
        bond[m] = b;
        swap[m] = s;
    }
    ROLLED
    for (int m = 0; m < n_rates - n_steps; m++) {
        by_bond[m] = 0;
        by_swap[m] = 0;
        IN_ORDER; /* else zeros are stored byte by byte */
    }
}

/* The value, and in place of each rate how the value moves with it.  The suite's second division by
 * a rate's growth finds the rate overwritten; so it does here. */
static __device__ inline float value_and_greeks(float *rates)
{
    float bond[MOST_BONDS], swap[MOST_BONDS], by_bond[MOST_BONDS], by_swap[MOST_BONDS];
    float v = 0;
    price(rates, bond, swap, by_bond, by_swap);
    ROLLED
    for (int i = 0; i < n_options; i++) {
        const int m = maturities[i] - 1;
        const float worth = (float)(widened(bond[m] + swap_rates[i] * swap[m]) - 1.0);
        if (worth < 0) {
            v += -100 * worth;
            by_swap[m] += -100 * swap_rates[i];
            by_bond[m] += -100;
        }
    }
    ROLLED
    for (int m = n_rates - n_steps - 1; m >= 0; m--) {
        float *rate = &rates[m + n_steps];
        by_bond[m] += period * by_swap[m];
        *rate = -by_bond[m] * bond[m] * divide_approx(period, (float)growth(*rate));
        if (m > 0) {
            by_swap[m - 1] += by_swap[m];
            by_bond[m - 1] += divide_approx(by_bond[m], (float)growth(*rate));
        }
    }
    const float b = discount(rates);
    v = b * v;
    ROLLED
    for (int i = 0; i < n_steps; i++)
        rates[i] = (float)(widened(-v * period) / growth(rates[i]));
    ROLLED
    for (int i = n_steps; i < n_rates; i++)
        rates[i] = b * rates[i];
    return v;
}

/* Back along the path: from how the value moves with its last rates to how with its first. */
static __device__ inline void trace_back(float *greeks, const float *past)
{
    ROLLED
    for (int step = n_steps - 1; step >= 0; step--) {
        float v = 0;
        ROLLED
        for (int i = n_rates - 1; i > step; i--) {
            const float lam = lambda[i - step - 1];
            const float after = past[(step + 1) * n_rates + i], before = past[step * n_rates + i];
            v += lam * after * greeks[i];
            const float of_rate = divide_approx(period, (float)growth(before));
            greeks[i] = greeks[i] * divide_approx(after, before) + v * lam * of_rate * of_rate;
        }
    }
}

static __device__ inline void start(float *rates, float *z)
{
    ROLLED
    for (int i = 0; i < n_rates; i++) {
        z[i] = 0.3f;
        rates[i] = 0.05f;
    }
}

KERNEL lib_ispass(float *values, unsigned paths)
{
    float rates[MOST_RATES], z[MOST_RATES];
    ROLLED
    for (unsigned path = blockIdx.x * blockDim.x + threadIdx.x; path < paths;
         path += blockDim.x * gridDim.x) {
        start(rates, z);
        follow_ispass(rates, z, nullptr);
        values[path] = value_ispass(rates);
    }
}

/* The program's second kernel: 14 KB of local memory a thread, most of it the path so far. */
KERNEL lib_greeks_ispass(float *values, float *greeks, unsigned paths)
{
    float rates[MOST_RATES], past[MOST_RATES * (MOST_STEPS + 1)], z[MOST_RATES];
    ROLLED
    for (unsigned path = blockIdx.x * blockDim.x + threadIdx.x; path < paths;
         path += blockDim.x * gridDim.x) {
        start(rates, z);
        follow_ispass(rates, z, past);
        values[path] = value_and_greeks(rates);
        trace_back(rates, past);
        greeks[path] = rates[n_rates - 1];
    }
}
