/* scan.cu - exclusive prefix sum modulo 2^32: CTA by CTA, then the CTAs' totals.
 * Every CTA of 256 threads takes 1024 words, four words per thread.
 * Below, SHOC's three kernels: inclusive, of floats, a region of the array for each CTA. */
#include "cuda.h"

#define THREADS 256

typedef unsigned vec4 __attribute__((ext_vector_type(4)));

/* Inclusive scan of one value per thread (Hillis and Steele), double buffered. */
static __device__ unsigned scan_cta(unsigned value, unsigned (*shared)[THREADS])
{
    unsigned t = threadIdx.x, side = 0;
    shared[0][t] = value;
    __syncthreads();
    ROLLED
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        if (t >= distance)
            value += shared[side][t - distance];
        side ^= 1;
        shared[side][t] = value;
        __syncthreads();
    }
    return value;
}

/* out = scan within each CTA; totals[CTA] = the CTA's sum. */
KERNEL scan_blocks(const vec4 *in, vec4 *out, unsigned *totals)
{
    __shared__ unsigned shared[2][THREADS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    vec4 v = in[i];
    unsigned sum = v.x + v.y + v.z + v.w;
    unsigned upto = scan_cta(sum, shared);
    unsigned before = upto - sum;
    out[i] = (vec4){before, before + v.x, before + v.x + v.y, before + v.x + v.y + v.z};
    if (t == THREADS - 1)
        totals[blockIdx.x] = upto;
}

/* out += the scanned total of all CTAs before this one. */
KERNEL scan_add(vec4 *out, const unsigned *before)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    vec4 v = out[i];
    unsigned b = before[blockIdx.x];
    out[i] = (vec4){v.x + b, v.y + b, v.z + b, v.w + b};
}

/* SHOC's first: sums[CTA] = the sum of its region, where lanes lie side by side.  The last CTA
 * takes what is left over.  The last warp goes on without barriers, in step, hence volatile. */
KERNEL scan_shoc_reduce(const float *in, float *sums, unsigned n)
{
    __shared__ volatile float part[THREADS];
    const unsigned t = threadIdx.x, region = n / 4 / gridDim.x * 4, start = blockIdx.x * region;
    const unsigned stop = blockIdx.x == gridDim.x - 1 ? n : start + region;
    float sum = 0;
    ROLLED
    for (unsigned i = start + t; i < stop; i += THREADS)
        sum += in[i];
    part[t] = sum;
    __syncthreads();
    UNROLLED
    for (unsigned half = THREADS / 2; half > 32; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t < 32) {
        UNROLLED
        for (unsigned half = 32; half > 0; half /= 2)
            part[t] += part[t + half];
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

/* The sum of the values of the threads before this one (Kogge and Stone).  Zeros lie below the
 * values, so that no lane sits out; two barriers for each distance. */
static __device__ inline float scan_shoc_cta(float value, volatile float *shared)
{
    const unsigned t = threadIdx.x, at = t + THREADS;
    shared[t] = 0;
    shared[at] = value;
    __syncthreads();
    UNROLLED
    for (unsigned distance = 1; distance < THREADS; distance *= 2) {
        const float before = shared[at - distance];
        __syncthreads();
        shared[at] += before;
        __syncthreads();
    }
    return shared[at - 1];
}

/* SHOC's second, one CTA: sums[CTA] = the sum of the regions before. */
KERNEL scan_shoc_sums(float *sums, unsigned n)
{
    __shared__ volatile float shared[2 * THREADS];
    const unsigned t = threadIdx.x;
    const float before = scan_shoc_cta(t < n ? sums[t] : 0, shared);
    if (t < n)
        sums[t] = before;
}

typedef float float4 __attribute__((ext_vector_type(4)));

/* SHOC's third: each CTA scans its region, 1024 floats at a time, on from what lies before it. */
KERNEL scan_shoc_add(const float4 *in, float4 *out, const float *sums, unsigned n)
{
    __shared__ volatile float shared[2 * THREADS];
    __shared__ float carry;
    const unsigned t = threadIdx.x, region = n / 4 / gridDim.x, start = blockIdx.x * region;
    const unsigned stop = blockIdx.x == gridDim.x - 1 ? n / 4 : start + region;
    if (t == 0)
        carry = sums[blockIdx.x];
    ROLLED
    for (unsigned window = start; window < stop; window += THREADS) {
        const unsigned i = window + t;
        float4 v = {0, 0, 0, 0};
        if (i < stop)
            v = in[i];
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        const float before = scan_shoc_cta(v.w, shared) + carry;
        v += before;
        if (i < stop)
            out[i] = v;
        /* SHOC's own has no barrier here: a warp that runs ahead would change what others read. */
        __syncthreads();
        if (t == THREADS - 1)
            carry = v.w;
    }
}
