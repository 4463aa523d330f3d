/* cutcp.cu - Coulombic potential of a lattice from the atoms within a cutoff (Parboil).
 *
 * cutcp: four bins at a time.  cutcp_parboil: the suite's, 32 bins at a time and a plane of regions
 * per launch. */
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

enum { ROUND = 32, HALF_WARP = 16, HALVES = 8, BIN_WORDS = DEPTH * 4, REGION_WORDS = 512 };
static_assert(ROUND == 4 * HALVES, "each half warp fetches four bins");
#define BINS_PER_LENGTH 0.25f

__constant__ int near_length;

static __device__ inline int bin_of(unsigned region, float spacing)
{
    const int middle = (int)(region * REGION + REGION / 2);
    return (int)__nvvm_floor_f((float)middle * spacing * BINS_PER_LENGTH);
}

/* A half warp's four bins of a round: two words a lane for each, half a line at a time, and each
 * word goes to shared memory before the next is loaded.  Where the region lies is in shared memory
 * too. */
static __device__ inline int fetch(float *cache, const float *bins, int bins_x, int bins_y,
                                   const struct offset *own, int listed, unsigned t)
{
    const unsigned lane = t % HALF_WARP, half = t / HALF_WARP;
    ROLLED
    for (unsigned n = 0; n < ROUND / HALVES && listed < near_length; n++, listed += HALVES) {
        const int i = own->x + near[listed].x, j = own->y + near[listed].y;
        const int k = own->z + near[listed].z;
        const float *bin = bins + ((__nvvm_mul24_i(k, bins_y) + j) * bins_x + i) * BIN_WORDS;
        float *to = cache + (n * HALVES + half) * BIN_WORDS;
        to[lane] = bin[lane];
        to[lane + HALF_WARP] = bin[lane + HALF_WARP];
    }
    return listed;
}

/* All atoms of a bin to a thread's four points, two rows apart. */
static __device__ inline void add_bin(const float *bin, float x, float y, float z, float spacing,
                                      float cutoff2, float per_cutoff2, float *sum)
{
    ROLLED
    for (int a = 0; a < BIN_WORDS; a += 4) {
        const float charge = bin[a + 3];
        if (charge == 0)
            break; /* the bin has no more */
        const float dx = bin[a] - x, dz = bin[a + 2] - z, dxz2 = dx * dx + dz * dz;
        float dy = bin[a + 1] - y;
        UNROLLED
        for (int p = 0; p < POINTS; p++, dy -= ROWS * spacing) {
            const float r2 = dy * dy + dxz2;
            if (r2 < cutoff2) {
                const float s = 1.0f - r2 * per_cutoff2;
                sum[p] += charge * __nvvm_rsqrt_approx_f(r2) * s * s;
            }
        }
    }
}

/* `bins` is the bin of region (0, 0, 0); a region's 512 points lie together in `energy`. */
KERNEL cutcp_parboil(int bins_x, int bins_y, const float *bins, float spacing, float cutoff2,
                     float per_cutoff2, float *energy, int plane)
{
    __shared__ float cache[ROUND * BIN_WORDS];
    __shared__ float *region;
    __shared__ struct offset own;
    const unsigned t = (threadIdx.z * ROWS + threadIdx.y) * REGION + threadIdx.x;
    const float x = (float)(blockIdx.x * REGION + threadIdx.x) * spacing;
    const float y = (float)(blockIdx.y * REGION + threadIdx.y) * spacing;
    const float z = (float)((unsigned)plane * REGION + threadIdx.z) * spacing;
    int listed = (int)(t / HALF_WARP);
    float sum[POINTS] = {0};

    region = energy + (((unsigned)plane * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) *
                          REGION_WORDS;
    own.x = bin_of(blockIdx.x, spacing);
    own.y = bin_of(blockIdx.y, spacing);
    own.z = bin_of((unsigned)plane, spacing);
    int n = ROUND;
    ROLLED
    for (int first = 0; first < near_length; first += n) {
        listed = fetch(cache, bins, bins_x, bins_y, &own, listed, t);
        __syncthreads();
        if (first + ROUND > near_length)
            n = near_length - first;
        ROLLED
        for (int bin = 0; bin < n * BIN_WORDS; bin += BIN_WORDS)
            add_bin(cache + bin, x, y, z, spacing, cutoff2, per_cutoff2, sum);
        __syncthreads();
    }
    UNROLLED
    for (unsigned p = 0; p < POINTS; p++)
        region[t / HALF_WARP * 64 + t % HALF_WARP + p * HALF_WARP] = sum[p];
}
