/* cutcp.cu - Coulombic potential of a lattice from the atoms within a cutoff (Parboil). */
#include "cuda.h"

enum { REGION = 8, ROWS = 2, POINTS = REGION / ROWS, DEPTH = 8, AT_ONCE = 4, MOST_BINS = 343 };

/* Four words of a bin's 32. */
struct atom {
    float x, y, z, charge;
};
struct offset {
    int x, y, z;
};

/* The bins that can have an atom within the cutoff, from a region's own. */
__constant__ struct offset near[MOST_BINS];

/* A word of the bins' next four: those behind the last one are empty. */
static __device__ inline float word_of(const float *bins, unsigned bin, int bins_x, int bins_y,
                                       int margin, unsigned n_near, unsigned word)
{
    int at;
    if (bin >= n_near)
        return 0;
    at = (((int)blockIdx.z + margin + near[bin].z) * bins_y + (int)blockIdx.y + margin +
          near[bin].y) * bins_x + (int)blockIdx.x + margin + near[bin].x;
    return bins[(unsigned)at * (DEPTH * 4) + word];
}

/* One CTA of 8 x 2 x 8 threads for each region of 8 x 8 x 8 points: four points per thread, two
 * rows apart.  Regions have the size of a bin. */
KERNEL cutcp(const float *bins, float *energy, int bins_x, int bins_y, int margin, unsigned n_near,
             float spacing, float cutoff2, float per_cutoff2)
{
    __shared__ struct atom atoms[AT_ONCE * DEPTH];
    const unsigned t = (threadIdx.z * ROWS + threadIdx.y) * REGION + threadIdx.x;
    const unsigned i = blockIdx.x * REGION + threadIdx.x, j = blockIdx.y * REGION + threadIdx.y;
    const unsigned k = blockIdx.z * REGION + threadIdx.z;
    const float x = spacing * (float)i, z = spacing * (float)k;
    float sum[POINTS] = {0};

    ROLLED
    for (unsigned first = 0; first < n_near; first += AT_ONCE) {
        __syncthreads();
        ((float *)atoms)[t] = word_of(bins, first + t / (DEPTH * 4), bins_x, bins_y, margin, n_near,
                                      t % (DEPTH * 4));
        __syncthreads();
        ROLLED
        for (int bin = 0; bin < AT_ONCE; bin++) {
            ROLLED
            for (int a = bin * DEPTH; a < (bin + 1) * DEPTH; a++) {
                const float charge = atoms[a].charge;
                if (charge == 0)
                    break; /* the bin has no more */
                const float dx = atoms[a].x - x, dz = atoms[a].z - z;
                const float dxz2 = dx * dx + dz * dz;
                UNROLLED
                for (int p = 0; p < POINTS; p++) {
                    const float dy = atoms[a].y - spacing * (float)(j + (unsigned)(p * ROWS));
                    const float r2 = dy * dy + dxz2;
                    if (r2 < cutoff2) {
                        const float s = 1.0f - r2 * per_cutoff2;
                        sum[p] += charge * __nvvm_rsqrt_approx_f(r2) * s * s;
                    }
                }
            }
        }
    }
    UNROLLED
    for (unsigned p = 0; p < POINTS; p++)
        energy[(k * gridDim.y * REGION + j + p * ROWS) * (gridDim.x * REGION) + i] = sum[p];
}
