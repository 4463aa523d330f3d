/* srad.cu - speckle-reducing anisotropic diffusion (Rodinia, first version): one launch for
 * the coefficients, one for the image.  Images are stored column by column. */
#include "cuda.h"

static __device__ inline float square(float a)
{
    return a * a;
}

/* Differences to the four neighbours and the diffusion coefficient of every pixel.  north and
 * south hold each row's neighbour rows, west and east each column's neighbour columns. */
KERNEL srad_coefficient(const float *image, const unsigned *north, const unsigned *south,
                        const unsigned *west, const unsigned *east, float *d_north,
                        float *d_south, float *d_west, float *d_east, float *coefficient,
                        unsigned rows, unsigned n, float q0_square)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned row = i % rows, col = i / rows;
    float here = image[i];
    float dn = image[north[row] + rows * col] - here;
    float ds = image[south[row] + rows * col] - here;
    float dw = image[row + rows * west[col]] - here;
    float de = image[row + rows * east[col]] - here;

    float gradient = (square(dn) + square(ds) + square(dw) + square(de)) / square(here);
    float laplace = (dn + ds + dw + de) / here;
    float q_square = (0.5f * gradient - 0.0625f * square(laplace)) / square(1 + 0.25f * laplace);
    float excess = (q_square - q0_square) / (q0_square * (1 + q0_square));
    float c = 1 / (1 + excess);

    d_north[i] = dn;
    d_south[i] = ds;
    d_west[i] = dw;
    d_east[i] = de;
    coefficient[i] = c < 0 ? 0 : c > 1 ? 1 : c;
}

KERNEL srad_update(float *image, const unsigned *south, const unsigned *east,
                   const float *d_north, const float *d_south, const float *d_west,
                   const float *d_east, const float *coefficient, unsigned rows, unsigned n,
                   float lambda)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned row = i % rows, col = i / rows;
    float here = coefficient[i];
    float below = coefficient[south[row] + rows * col];
    float right = coefficient[row + rows * east[col]];
    float divergence = here * d_north[i] + below * d_south[i] + here * d_west[i]
                       + right * d_east[i];
    image[i] += 0.25f * lambda * divergence;
}
