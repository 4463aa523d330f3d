/* laplace3d.cu - one Jacobi step of Laplace's equation on an n^3 volume, marching
 * along z with the current plane in shared memory, lean and as ISPASS 2009 has it.
 * CTAs of 32 x 4 threads; the volume's faces are copied. */
#include "cuda.h"

#define BX 32
#define BY 4

/* The halo cell that thread t loads: two rows of 32, then the six cells of each
 * side column, corners included.  Signed, may lie outside the volume. */
static __device__ void halo_cell(int t, int *x, int *y)
{
    if (t < 2 * BX) {
        *x = t % BX;
        *y = t < BX ? -1 : BY;
    } else {
        *x = t % 2 ? BX : -1;
        *y = t / 2 - 33;
    }
}

KERNEL laplace3d(const float *u, float *out, int n)
{
    __shared__ float tile[BY + 2][BX + 2];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y, t = ty * BX + tx;
    const int x0 = (int)blockIdx.x * BX, y0 = (int)blockIdx.y * BY;
    const int x = x0 + tx, y = y0 + ty, plane = n * n;
    int hx, hy;
    halo_cell(t, &hx, &hy);
    const bool inside = x < n && y < n;
    const bool halo = t < 2 * BX + 12 && x0 + hx >= 0 && x0 + hx < n && y0 + hy >= 0 &&
                      y0 + hy < n;
    const bool interior = inside && x > 0 && x < n - 1 && y > 0 && y < n - 1;
    const float *centre_at = u + y * n + x, *halo_at = u + (y0 + hy) * n + x0 + hx;
    float *out_at = out + y * n + x;

    float below = 0, centre = 0, above = 0, halo_now = 0, halo_next = 0;
    if (inside)
        centre = *centre_at;
    if (halo)
        halo_now = *halo_at;
    ROLLED
    for (int k = 0; k < n - 1; k++) {
        centre_at += plane;
        halo_at += plane;
        if (inside)
            above = *centre_at;
        if (halo)
            halo_next = *halo_at;
        tile[ty + 1][tx + 1] = centre;
        if (t < 2 * BX + 12)
            tile[hy + 1][hx + 1] = halo_now;
        __syncthreads();
        if (inside)
            *out_at = interior && k > 0
                          ? (1.0f / 6.0f) * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] +
                                             tile[ty][tx + 1] + tile[ty + 2][tx + 1] + below +
                                             above)
                          : centre;
        __syncthreads();
        below = centre;
        centre = above;
        halo_now = halo_next;
        out_at += plane;
    }
    if (inside)
        *out_at = centre;
}

#define ROW (BX + 2)
#define PLANE (ROW * (BY + 2)) /* a plane of the tile, with its halo */

/* Moves a cell's three planes down by one and loads the next, if there is one, into the last. */
static __device__ void shift(float *cell, const float *next, bool is_more)
{
    cell[-PLANE] = cell[0];
    cell[0] = cell[PLANE];
    if (is_more)
        cell[PLANE] = *next;
}

/* ISPASS 2009's: three planes are in shared memory and each moves down there.  A load goes straight
 * to shared memory, so that a warp waits for its own points before it asks for the halo's. */
KERNEL laplace3d_ispass(const float *u, float *out, int n)
{
    __shared__ float tile[3 * PLANE];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y, t = ty * BX + tx;
    const int x0 = (int)blockIdx.x * BX, y0 = (int)blockIdx.y * BY;
    const int x = x0 + tx, y = y0 + ty, plane = n * n;
    int hx, hy;
    halo_cell(t, &hx, &hy);
    const bool active = x < n && y < n;
    const bool halo = t < 2 * BX + 12 && x0 + hx >= 0 && x0 + hx < n && y0 + hy >= 0 &&
                      y0 + hy < n;
    float *cell = &tile[PLANE + (ty + 1) * ROW + tx + 1];
    float *halo_at = &tile[PLANE + (hy + 1) * ROW + hx + 1];
    int from = y * n + x, halo_from = (y0 + hy) * n + x0 + hx;

    if (active)
        cell[PLANE] = u[from];
    if (halo)
        halo_at[PLANE] = u[halo_from];
    ROLLED
    for (int k = 0; k < n; k++) {
        from += plane;
        halo_from += plane;
        if (active)
            shift(cell, u + from, k < n - 1);
        if (halo)
            shift(halo_at, u + halo_from, k < n - 1);
        __syncthreads();
        if (active) {
            float value;
            if (x == 0 || x == n - 1 || y == 0 || y == n - 1 || k == 0 || k == n - 1)
                value = cell[0];
            else
                value = (cell[-1] + cell[1] + cell[-ROW] + cell[ROW] + cell[-PLANE] +
                         cell[PLANE]) * (1.0f / 6.0f);
            out[from - plane] = value;
        }
        __syncthreads();
    }
}
