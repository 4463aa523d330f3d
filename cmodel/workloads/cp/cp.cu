/* cp.cu - Coulombic potential on a plane, atoms in constant memory (ISPASS-2009). */
#include "cuda.h"

enum { MAX_ATOMS = 4000, POINTS = 8 };

/* Position, squared distance from the plane, charge. */
struct atom {
    float x, y, z2, charge;
};

__constant__ struct atom atoms[MAX_ATOMS];

/* Each thread adds to eight points of a row, one CTA width apart: every store and load
 * is coalesced. */
KERNEL cp(float *energy, unsigned width, unsigned n_atoms, float spacing)
{
    unsigned x = blockIdx.x * blockDim.x * POINTS + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    float at_x = spacing * (float)x, at_y = spacing * (float)y;
    float step = spacing * (float)blockDim.x;
    float sum[POINTS] = {0};

    ROLLED
    for (unsigned a = 0; a < n_atoms; a++) {
        float dy = at_y - atoms[a].y;
        float dyz2 = dy * dy + atoms[a].z2;
        float dx = at_x - atoms[a].x;
        UNROLLED
        for (int k = 0; k < POINTS; k++) {
            sum[k] += atoms[a].charge * __nvvm_rsqrt_approx_f(dx * dx + dyz2);
            dx += step;
        }
    }
    float *point = energy + (y * width + x);
    UNROLLED
    for (int k = 0; k < POINTS; k++)
        point[k * blockDim.x] += sum[k];
}
