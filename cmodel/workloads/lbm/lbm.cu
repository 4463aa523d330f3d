/* lbm.cu - one step of the lattice Boltzmann method, D3Q19, one cell per thread.
 *
 * Pull scheme on a periodic box whose sides are powers of two: gather 19 densities
 * from the neighbours, relax them, store 19.  Direction q of cell c is at
 * q * cells + c. */
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
