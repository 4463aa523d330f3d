/* srad.cu - speckle-reducing anisotropic diffusion: one launch for the coefficients, one for the
 * image.  Lean kernels after Rodinia's first version, images stored column by column; and Rodinia's
 * second version as the suite has it, images stored row by row. */
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

#define TILE 16
#define LAST (TILE - 1)

/* What a pixel's neighbours have more than it. */
struct slopes {
    float north, south, west, east;
};

/* A path of its own for each place in the tile: the compiler is not to merge their loads. */
static __device__ inline struct slopes slopes_of(float here, float north, float south, float west,
                                                 float east)
{
    IN_ORDER;
    return (struct slopes){north - here, south - here, west - here, east - here};
}

/* Rodinia's second version: a tile of 16 x 16 pixels, and the four tiles beside it, in shared
 * memory: each thread loads five pixels, of which west and east are one of a row.  Nine paths by
 * the place in the tile.  The first loads of north and west run before the image's start, of
 * south and east behind its end; threads at an edge then load again.  Constants make much of it
 * double. */
KERNEL srad_coefficient_rodinia(float *d_east, float *d_west, float *d_north, float *d_south,
                                float *image, float *coefficient, int cols, int rows,
                                float q0_square)
{
    __shared__ float tile[TILE][TILE], limited[TILE][TILE];
    __shared__ float north[TILE][TILE], south[TILE][TILE], east[TILE][TILE], west[TILE][TILE];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int last_x = (int)gridDim.x - 1, last_y = (int)gridDim.y - 1;
    const int bx = (int)blockIdx.x, by = (int)blockIdx.y;
    const int corner = cols * TILE * by + TILE * bx, row = corner + cols * ty, at = row + tx;
    (void)rows;

    north[ty][tx] = image[corner + tx - cols];
    south[ty][tx] = image[corner + cols * TILE + tx];
    if (by == 0)
        north[ty][tx] = image[TILE * bx + tx];
    else if (by == last_y)
        south[ty][tx] = image[corner + cols * LAST + tx];
    __syncthreads();
    west[ty][tx] = image[row - 1];
    east[ty][tx] = image[row + TILE];
    if (bx == 0)
        west[ty][tx] = image[row];
    else if (bx == last_x)
        east[ty][tx] = image[row + LAST];
    __syncthreads();
    tile[ty][tx] = image[at];
    __syncthreads();

    const float here = tile[ty][tx];
    struct slopes d;
    if (ty == 0 && tx == 0)
        d = slopes_of(here, north[ty][tx], tile[ty + 1][tx], west[ty][tx], tile[ty][tx + 1]);
    else if (ty == 0 && tx == LAST)
        d = slopes_of(here, north[ty][tx], tile[ty + 1][tx], tile[ty][tx - 1], east[ty][tx]);
    else if (ty == LAST && tx == LAST)
        d = slopes_of(here, tile[ty - 1][tx], south[ty][tx], tile[ty][tx - 1], east[ty][tx]);
    else if (ty == LAST && tx == 0)
        d = slopes_of(here, tile[ty - 1][tx], south[ty][tx], west[ty][tx], tile[ty][tx + 1]);
    else if (ty == 0)
        d = slopes_of(here, north[ty][tx], tile[ty + 1][tx], tile[ty][tx - 1], tile[ty][tx + 1]);
    else if (tx == LAST)
        d = slopes_of(here, tile[ty - 1][tx], tile[ty + 1][tx], tile[ty][tx - 1], east[ty][tx]);
    else if (ty == LAST)
        d = slopes_of(here, tile[ty - 1][tx], south[ty][tx], tile[ty][tx - 1], tile[ty][tx + 1]);
    else if (tx == 0)
        d = slopes_of(here, tile[ty - 1][tx], tile[ty + 1][tx], west[ty][tx], tile[ty][tx + 1]);
    else
        d = slopes_of(here, tile[ty - 1][tx], tile[ty + 1][tx], tile[ty][tx - 1],
                      tile[ty][tx + 1]);

    const float gradient = (square(d.north) + square(d.south) + square(d.west) + square(d.east)) /
                           square(here);
    const float laplace = (d.north + d.south + d.west + d.east) / here;
    const float above = (float)(0.5 * gradient - 1.0 / 16.0 * square(laplace));
    const float below = (float)(1 + 0.25 * laplace);
    const float q_square = above / square(below);
    const float excess = (q_square - q0_square) / (q0_square * (1 + q0_square));
    const float c = (float)(1.0 / (1.0 + excess));
    if (c < 0)
        limited[ty][tx] = 0;
    else if (c > 1)
        limited[ty][tx] = 1;
    else
        limited[ty][tx] = c;
    __syncthreads();
    coefficient[at] = limited[ty][tx];
    d_east[at] = d.east;
    d_west[at] = d.west;
    d_south[at] = d.south;
    d_north[at] = d.north;
}

/* Its second kernel: the coefficients of a tile and of those south and east of it, in shared memory
 * as the image is before and after; four paths. */
KERNEL srad_update_rodinia(float *d_east, float *d_west, float *d_north, float *d_south,
                           float *image, float *coefficient, int cols, int rows, float lambda,
                           float q0_square)
{
    __shared__ float south[TILE][TILE], east[TILE][TILE];
    __shared__ float tile[TILE][TILE], result[TILE][TILE], before[TILE][TILE];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int corner = cols * TILE * (int)blockIdx.y + TILE * (int)blockIdx.x;
    const int row = corner + cols * ty, at = row + tx;
    (void)rows;
    (void)q0_square;

    before[ty][tx] = image[at];
    __syncthreads();
    south[ty][tx] = coefficient[corner + cols * TILE + tx];
    if (blockIdx.y == gridDim.y - 1)
        south[ty][tx] = coefficient[corner + cols * LAST + tx];
    __syncthreads();
    east[ty][tx] = coefficient[row + TILE];
    if (blockIdx.x == gridDim.x - 1)
        east[ty][tx] = coefficient[row + LAST];
    __syncthreads();
    tile[ty][tx] = coefficient[at];
    __syncthreads();

    const float here = tile[ty][tx];
    float below, right;
    if (ty == LAST && tx == LAST) {
        below = south[ty][tx], right = east[ty][tx];
        IN_ORDER;
    } else if (tx == LAST) {
        below = tile[ty + 1][tx], right = east[ty][tx];
        IN_ORDER;
    } else if (ty == LAST) {
        below = south[ty][tx], right = tile[ty][tx + 1];
        IN_ORDER;
    } else {
        below = tile[ty + 1][tx], right = tile[ty][tx + 1];
        IN_ORDER;
    }
    const float divergence = here * d_north[at] + below * d_south[at] + here * d_west[at] +
                             right * d_east[at];
    result[ty][tx] = (float)(before[ty][tx] + 0.25 * lambda * divergence);
    __syncthreads();
    image[at] = result[ty][tx];
}
