/* cfd.cu - residual of a finite-volume scheme on an unstructured mesh.
 *
 * Every element has four faces.  Five conserved variables lie in separate arrays
 * of `n` elements each, as do the neighbours and weights of the four faces; a
 * face at the far field has neighbour -1 and meets the value `far`. */
#include "cuda.h"

#define FACES 4
#define VARIABLES 5

KERNEL cfd(const int *neighbours, const float *weights, const float *variables, const float *far,
           float *residual, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float own[VARIABLES], sum[VARIABLES];
    UNROLLED
    for (unsigned v = 0; v < VARIABLES; v++) {
        own[v] = variables[v * n + i];
        sum[v] = 0;
    }
    ROLLED
    for (unsigned f = 0; f < FACES; f++) {
        const int neighbour = neighbours[f * n + i];
        const float weight = weights[f * n + i];
        if (neighbour >= 0) {
            UNROLLED
            for (unsigned v = 0; v < VARIABLES; v++)
                sum[v] += weight * (variables[v * n + (unsigned)neighbour] - own[v]);
        } else {
            UNROLLED
            for (unsigned v = 0; v < VARIABLES; v++)
                sum[v] += weight * (far[v] - own[v]);
        }
    }
    UNROLLED
    for (unsigned v = 0; v < VARIABLES; v++)
        residual[v * n + i] = sum[v];
}
