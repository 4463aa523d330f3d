/* hotspot.cu - two time steps of a chip's temperature per launch, lean and as Rodinia has it.
 *
 * A CTA of 16 x 16 threads loads a tile with a halo of two cells, steps twice in
 * shared memory and stores the inner 12 x 12.  Coordinates beside the grid are
 * clamped on load; a border cell takes itself for the missing neighbour. */
#include "cuda.h"

#define BLOCK 16
#define STEPS 2
#define INNER (BLOCK - 2 * STEPS)

static __device__ int clamp(int v, int most) { return v < 0 ? 0 : v > most ? most : v; }

KERNEL hotspot(const float *temperature, const float *power, float *out, int width, float cap,
               float rx, float ry, float rz, float ambient)
{
    __shared__ float tile[BLOCK][BLOCK];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int x = (int)blockIdx.x * INNER - STEPS + tx, y = (int)blockIdx.y * INNER - STEPS + ty;
    const int at = clamp(y, width - 1) * width + clamp(x, width - 1);
    const bool inside = x >= 0 && x < width && y >= 0 && y < width;
    const int north = y > 0 ? ty - 1 : ty, south = y < width - 1 ? ty + 1 : ty;
    const int west = x > 0 ? tx - 1 : tx, east = x < width - 1 ? tx + 1 : tx;
    float centre = temperature[at];
    const float heat = power[at];
    tile[ty][tx] = centre;
    __syncthreads();
    ROLLED
    for (int step = 1; step <= STEPS; step++) {
        const bool valid = inside && tx >= step && tx < BLOCK - step && ty >= step &&
                           ty < BLOCK - step;
        if (valid)
            centre += cap * (heat + (tile[south][tx] + tile[north][tx] - 2 * centre) * ry +
                             (tile[ty][east] + tile[ty][west] - 2 * centre) * rx +
                             (ambient - centre) * rz);
        __syncthreads();
        if (valid)
            tile[ty][tx] = centre;
        __syncthreads();
    }
    if (inside && tx >= STEPS && tx < BLOCK - STEPS && ty >= STEPS && ty < BLOCK - STEPS)
        out[y * width + x] = centre;
}

/* Rodinia's: power too lies in shared memory, each thread divides for its coefficients, and the
 * constant 2.0 makes the arithmetic of a step double. */
KERNEL hotspot_rodinia(const float *temperature, const float *power, float *out, int width,
                       float step_seconds, float capacity, float resistance_x, float resistance_y,
                       float resistance_z, float ambient)
{
    __shared__ float tile[BLOCK][BLOCK], heat[BLOCK][BLOCK], next[BLOCK][BLOCK];
    const float cap = step_seconds / capacity;
    const float rx = 1 / resistance_x, ry = 1 / resistance_y, rz = 1 / resistance_z;
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int x = (int)blockIdx.x * INNER - STEPS + tx, y = (int)blockIdx.y * INNER - STEPS + ty;
    const bool inside = x >= 0 && x < width && y >= 0 && y < width;
    const int north = y > 0 ? ty - 1 : ty, south = y < width - 1 ? ty + 1 : ty;
    const int west = x > 0 ? tx - 1 : tx, east = x < width - 1 ? tx + 1 : tx;
    if (inside) {
        tile[ty][tx] = temperature[y * width + x];
        heat[ty][tx] = power[y * width + x];
    }
    __syncthreads();
    ROLLED
    for (int step = 1; step <= STEPS; step++) {
        const bool valid = inside && tx >= step && tx < BLOCK - step && ty >= step &&
                           ty < BLOCK - step;
        if (valid)
            next[ty][tx] = (float)(tile[ty][tx] +
                                   cap * (heat[ty][tx] +
                                          (tile[south][tx] + tile[north][tx] -
                                           2.0 * tile[ty][tx]) * ry +
                                          (tile[ty][east] + tile[ty][west] -
                                           2.0 * tile[ty][tx]) * rx +
                                          (ambient - tile[ty][tx]) * rz));
        __syncthreads();
        if (valid)
            tile[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (inside && tx >= STEPS && tx < BLOCK - STEPS && ty >= STEPS && ty < BLOCK - STEPS)
        out[y * width + x] = next[ty][tx];
}
