/* lbm.cu - one step of the lattice Boltzmann method, D3Q19, one cell per thread.
 *
 * lbm: pull scheme on a periodic box whose sides are powers of two: gather 19 densities
 * from the neighbours, relax them, store 19.  Direction q of cell c is at
 * q * cells + c.
 * lbm_parboil: the suite's.  A cell is 20 words, its densities and then its flags; it relaxes its
 * own densities, or turns them round if it is an obstacle, and stores each in the neighbour that it
 * moves to.  The box's pitches, constants there, are arguments. */
#include "cuda.h"

#define DIRECTIONS 19

struct direction { signed char x, y, z; float weight; };

#define REST 1.0f / 3
#define NEAR 1.0f / 18
#define FAR 1.0f / 36
static __constant__ const direction lattice[DIRECTIONS] = {
    {0, 0, 0, REST},   {1, 0, 0, NEAR},   {-1, 0, 0, NEAR},  {0, 1, 0, NEAR},   {0, -1, 0, NEAR},
    {0, 0, 1, NEAR},   {0, 0, -1, NEAR},  {1, 1, 0, FAR},    {-1, 1, 0, FAR},   {1, -1, 0, FAR},
    {-1, -1, 0, FAR},  {1, 0, 1, FAR},    {-1, 0, 1, FAR},   {1, 0, -1, FAR},   {-1, 0, -1, FAR},
    {0, 1, 1, FAR},    {0, -1, 1, FAR},   {0, 1, -1, FAR},   {0, -1, -1, FAR},
};

KERNEL lbm(const float *in, float *out, unsigned nx, unsigned ny, unsigned nz, float omega)
{
    const unsigned x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    const unsigned cells = nx * ny * nz, cell = (z * ny + y) * nx + x;
    float f[DIRECTIONS], density = 0, ux = 0, uy = 0, uz = 0;
    UNROLLED
    for (int q = 0; q < DIRECTIONS; q++) {
        const direction d = lattice[q];
        const unsigned from_x = (x - d.x) & (nx - 1), from_y = (y - d.y) & (ny - 1);
        const unsigned from_z = (z - d.z) & (nz - 1);
        f[q] = in[q * cells + (from_z * ny + from_y) * nx + from_x];
        density += f[q];
        ux += d.x * f[q];
        uy += d.y * f[q];
        uz += d.z * f[q];
    }
    ux /= density;
    uy /= density;
    uz /= density;
    const float speed2 = 1.5f * (ux * ux + uy * uy + uz * uz);
    UNROLLED
    for (int q = 0; q < DIRECTIONS; q++) {
        const direction d = lattice[q];
        const float along = 3 * (d.x * ux + d.y * uy + d.z * uz);
        const float rest = d.weight * density * (1 + along + 0.5f * along * along - speed2);
        out[q * cells + cell] = f[q] + omega * (rest - f[q]);
    }
}

#define CELL_WORDS (DIRECTIONS + 1)
#define OBSTACLE 1u
#define DRIVEN 2u
#define OMEGA 1.95f

/* Parboil's order, and the direction that leads back. */
struct step { signed char x, y, z, back; float weight; };
static __constant__ const step steps[DIRECTIONS] = {
    {0, 0, 0, 0, REST},    {0, 1, 0, 2, NEAR},    {0, -1, 0, 1, NEAR},  {1, 0, 0, 4, NEAR},
    {-1, 0, 0, 3, NEAR},   {0, 0, 1, 6, NEAR},    {0, 0, -1, 5, NEAR},  {1, 1, 0, 10, FAR},
    {-1, 1, 0, 9, FAR},    {1, -1, 0, 8, FAR},    {-1, -1, 0, 7, FAR},  {0, 1, 1, 14, FAR},
    {0, 1, -1, 13, FAR},   {0, -1, 1, 12, FAR},   {0, -1, -1, 11, FAR}, {1, 0, 1, 18, FAR},
    {1, 0, -1, 17, FAR},   {-1, 0, 1, 16, FAR},   {-1, 0, -1, 15, FAR},
};

/* What stays as it is when the first term is added to it. */
#define NOTHING -0.0f

static __device__ inline float plus(float sum, int sign, float a)
{
    return sign == 0 ? sum : sign > 0 ? sum + a : sum - a;
}

/* The equilibrium of a direction over its weight and the density. */
static __device__ inline float shape(step d, float ux, float uy, float uz, float speed2)
{
    const int moves = d.x * d.x + d.y * d.y + d.z * d.z;
    if (moves == 0)
        return -speed2;
    if (moves == 1) {
        const float u = d.x ? ux : d.y ? uy : uz;
        return u * (4.5f * u + 3 * (float)(d.x + d.y + d.z)) - speed2;
    }
    const float along = plus(plus(plus(NOTHING, d.x, ux), d.y, uy), d.z, uz);
    return along * (4.5f * along + 3) - speed2;
}

static __device__ inline void collide(float *f, bool is_driven)
{
    float density = NOTHING, ux = NOTHING, uy = NOTHING, uz = NOTHING;
    UNROLLED
    for (int q = 0; q < DIRECTIONS; q++) {
        density += f[q];
        ux = plus(ux, steps[q].x, f[q]);
        uy = plus(uy, steps[q].y, f[q]);
        uz = plus(uz, steps[q].z, f[q]);
    }
    ux /= density;
    uy /= density;
    uz /= density;
    if (is_driven) {
        ux = 0.005f;
        uy = 0.002f;
        uz = 0;
    }
    const float speed2 = 1.5f * (ux * ux + uy * uy + uz * uz) - 1;
    UNROLLED
    for (int q = 0; q < DIRECTIONS; q++)
        f[q] = (1 - OMEGA) * f[q] +
               steps[q].weight * (OMEGA * density) * shape(steps[q], ux, uy, uz, speed2);
}

static __device__ inline void turn_round(float *f)
{
    UNROLLED
    for (int q = 0; q < DIRECTIONS; q++) {
        const int back = steps[q].back;
        if (back > q) {
            const float kept = f[q];
            f[q] = f[back];
            f[back] = kept;
        }
    }
}

/* Pitches in words. */
KERNEL lbm_parboil(const float *in, float *out, long pitch_y, long pitch_z)
{
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    const long at = x * CELL_WORDS + y * pitch_y + z * pitch_z;
    float f[DIRECTIONS];
    UNROLLED
    for (int q = 0; q < DIRECTIONS; q++)
        f[q] = in[at + q];
    const unsigned flags = ((const unsigned *)in)[at + DIRECTIONS];
    if (flags & OBSTACLE)
        turn_round(f);
    else
        collide(f, flags & DRIVEN);
    UNROLLED
    for (int q = 0; q < DIRECTIONS; q++) {
        const step d = steps[q];
        float *const row = out + at + d.y * pitch_y + d.z * pitch_z;
        row[d.x * CELL_WORDS + q] = f[q];
    }
}
