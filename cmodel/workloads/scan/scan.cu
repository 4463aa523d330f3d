/* scan.cu - exclusive prefix sum modulo 2^32: CTA by CTA, then the CTAs' totals.
 * Every CTA of 256 threads takes 1024 words, four words per thread. */
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
