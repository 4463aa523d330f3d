/* stencil3d.cu - seven-point stencil marching along z, one column of points per
 * thread.  `a` and `b` point at the second plane of nz + 2; points beside the
 * volume count as zero. */
#include "cuda.h"

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
