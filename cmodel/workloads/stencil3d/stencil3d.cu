/* stencil3d.cu - seven-point stencil marching along z, plain and as Parboil has it. */
#include "cuda.h"

/* One column of points per thread.  `a` and `b` point at the second plane of nz + 2; points beside
 * the volume count as zero. */
KERNEL stencil3d(const float *a, float *b, unsigned nx, unsigned ny, unsigned nz, float c0,
                 float c1)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    const unsigned plane = nx * ny;
    const float *p = a + y * nx + x;
    float *out = b + y * nx + x;
    float below = p[-(int)plane], centre = p[0];
    ROLLED
    for (unsigned z = 0; z < nz; z++) {
        float above = p[plane];
        float sum = below + above;
        if (x + 1 < nx)
            sum += p[1];
        if (x > 0)
            sum += p[-1];
        if (y + 1 < ny)
            sum += p[nx];
        if (y > 0)
            sum += p[-(int)nx];
        *out = c1 * sum - c0 * centre;
        below = centre;
        centre = above;
        p += plane;
        out += plane;
    }
}

#define BX 32
#define BY 4
#define ROW (2 * BX) /* points of a CTA along x */

/* A neighbour, from global memory where it is beside the tile.  IN_ORDER keeps the two loads apart,
 * each of its memory space; else they would be one generic load of either address. */
static __device__ float neighbour(bool is_beside, const float *global, const float *tile)
{
    float value;
    if (is_beside) {
        value = *global;
        IN_ORDER;
    } else {
        value = *tile;
    }
    return value;
}

/* Parboil's: a thread has two columns, a warp's width apart.  The CTA's part of the current plane
 * is in shared memory; what lies beside it comes from global memory each time.  `a` and `b` point
 * at the first of nz planes; points of the outermost columns keep their values. */
KERNEL stencil3d_parboil(const float *a, float *b, int nx, int ny, int nz, float c0, float c1)
{
    __shared__ float tile[ROW * BY];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int x = (int)blockIdx.x * ROW + tx, x2 = x + BX, y = (int)blockIdx.y * BY + ty;
    const int t = ty * ROW + tx, t2 = t + BX, plane = nx * ny;
    int at = y * nx + x;
    tile[t] = 0;
    tile[t2] = 0;
    __syncthreads();
    const bool inside = x < nx && y < ny, inside2 = x2 < nx && y < ny;
    const bool within = y > 0 && y < ny - 1;
    const bool writes = within && x > 0 && x < nx - 1, writes2 = within && x2 < nx - 1;
    float below = 0, below2 = 0, above = 0, above2 = 0;
    if (inside) {
        below = a[at];
        tile[t] = a[at + plane];
    }
    if (inside2) {
        below2 = a[at + BX];
        tile[t2] = a[at + BX + plane];
    }
    __syncthreads();
    ROLLED
    for (int z = 1; z < nz - 1; z++) {
        at += plane;
        if (inside)
            above = a[at + plane];
        if (writes) {
            const float south = neighbour(ty == BY - 1, &a[at + nx], &tile[t + ROW]);
            const float north = neighbour(ty == 0, &a[at - nx], &tile[t - ROW]);
            const float west = neighbour(tx == 0, &a[at - 1], &tile[t - 1]);
            b[at] = (above + below + south + north + tile[t + 1] + west) * c1 - tile[t] * c0;
        }
        if (inside2)
            above2 = a[at + BX + plane];
        if (writes2) {
            const float south = neighbour(ty == BY - 1, &a[at + BX + nx], &tile[t2 + ROW]);
            const float north = neighbour(ty == 0, &a[at + BX - nx], &tile[t2 - ROW]);
            const float east = neighbour(tx == BX - 1, &a[at + BX + 1], &tile[t2 + 1]);
            b[at + BX] = (above2 + below2 + south + north + east + tile[t2 - 1]) * c1 -
                         tile[t2] * c0;
        }
        __syncthreads();
        below = tile[t];
        tile[t] = above;
        below2 = tile[t2];
        tile[t2] = above2;
        __syncthreads();
    }
}
