// blackscholes.cu - option prices by the closed form, structs by value and fast and exact functions (samples).
#include "common.h"

struct market {
    float rate, volatility;
    int steps;
    struct {
        double scale;
        char kind;
    } inner;
};

__host__ __device__ static double normal(double d) { return 0.5 * erfc(-d / 1.4142135623730951); }

template <bool FAST> __global__ void price(market m, const float *s, const float *k, const float *t, double *call, double *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double root = sqrt((double)t[i]);
    double ratio = FAST ? (double)__logf(s[i] / k[i]) : log((double)s[i] / k[i]);
    double d1 = (ratio + (m.rate + 0.5 * m.volatility * m.volatility) * t[i]) / (m.volatility * root);
    double d2 = d1 - m.volatility * root, discount = exp(-(double)m.rate * t[i]);
    call[i] = m.inner.scale * (s[i] * normal(d1) - k[i] * discount * normal(d2));
    put[i] = m.inner.scale * (k[i] * discount * normal(-d2) - s[i] * normal(-d1));
}

int main()
{
    enum { N = 150 };
    static float s[N], k[N], t[N];
    static double call[N], put[N];
    float *ds, *dk, *dt;
    double *dc, *dp;
    market m = {0.02f, 0.3f, 7, {2.0, 'x'}};
    for (int i = 0; i < N; i++) {
        s[i] = 5 + i % 30;
        k[i] = 1 + i;
        t[i] = 0.25f + i % 10;
    }
    CALL(cudaMalloc(&ds, sizeof s));
    CALL(cudaMalloc(&dk, sizeof k));
    CALL(cudaMalloc(&dt, sizeof t));
    CALL(cudaMalloc(&dc, sizeof call));
    CALL(cudaMalloc(&dp, sizeof put));
    CALL(cudaMemcpy(ds, s, sizeof s, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dk, k, sizeof k, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dt, t, sizeof t, cudaMemcpyHostToDevice));
    for (int fast = 0; fast < 2; fast++) {
        if (fast)
            price<true><<<(N + 63) / 64, 64>>>(m, ds, dk, dt, dc, dp, N);
        else
            price<false><<<(N + 63) / 64, 64>>>(m, ds, dk, dt, dc, dp, N);
        CALL(cudaMemcpy(call, dc, sizeof call, cudaMemcpyDeviceToHost));
        CALL(cudaMemcpy(put, dp, sizeof put, cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++) {
            double v = m.volatility, d1 = (log((double)s[i] / k[i]) + (m.rate + 0.5 * v * v) * t[i]) / (v * sqrt((double)t[i]));
            double want = 2 * (s[i] * normal(d1) - k[i] * exp(-(double)m.rate * t[i]) * normal(d1 - v * sqrt((double)t[i])));
            EXPECT(fabs(call[i] - want) < (fast ? 1e-3 : 1e-5) * (1 + want));
            // put and call differ by what the share and the discounted price differ by
            EXPECT(fabs(call[i] - put[i] - 2 * (s[i] - k[i] * exp(-(double)m.rate * t[i]))) < (fast ? 1e-2 : 1e-4));
        }
    }
    return passed();
}
