/* kmeans.cu - nearest of k centres for every point, and the points' transpose.
 * Points are stored point by point, `features` floats each. */
#include "cuda.h"

#define MOST_CENTRES 16384 /* floats in 64 KB of constant memory */
__constant__ float kmeans_centres[MOST_CENTRES];

KERNEL kmeans_swap(const float *in, float *out, unsigned points, unsigned features)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    ROLLED
    for (unsigned f = 0; f < features; f++)
        out[i + points * f] = in[i * features + f];
}

KERNEL kmeans_assign(const float *in, const float *centres, int *membership, unsigned points,
                     unsigned features, unsigned clusters)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    float best = __builtin_inff();
    int nearest = 0;
    ROLLED
    for (unsigned k = 0; k < clusters; k++) {
        float distance = 0;
        ROLLED
        for (unsigned f = 0; f < features; f++) {
            float d = in[i * features + f] - centres[k * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            nearest = (int)k;
        }
    }
    membership[i] = nearest;
}

/* Rodinia's: features of the transpose, lanes side by side, and centres in constant memory. */
KERNEL kmeans_rodinia(const float *swapped, int *membership, unsigned points, unsigned features,
                      unsigned clusters)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points)
        return;
    float best = __builtin_inff();
    int nearest = 0;
    ROLLED
    for (unsigned k = 0; k < clusters; k++) {
        float distance = 0;
        ROLLED
        for (unsigned f = 0; f < features; f++) {
            float d = swapped[i + points * f] - kmeans_centres[k * features + f];
            distance += d * d;
        }
        if (distance < best) {
            best = distance;
            nearest = (int)k;
        }
    }
    membership[i] = nearest;
}
