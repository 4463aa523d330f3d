/* convsep.cu - separable 17-tap convolution: along the rows, then along the columns.
 *
 * Each CTA first copies its part of the image with a halo to shared memory, ten
 * loads per thread, each stored before the next is issued.  Pixels beside the
 * image count as zero. */
#include "cuda.h"

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)
#define STEPS 8

extern "C" {
__constant__ float convsep_taps[TAPS];
}

/* 16 x 4 threads, 128 x 4 pixels; one block of 16 pixels of halo on each side. */
KERNEL convsep_rows(const float *in, float *out, int pitch)
{
    __shared__ float tile[4][16 * (STEPS + 2)];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int x = (int)blockIdx.x * 16 * STEPS - 16 + tx, y = (int)blockIdx.y * 4 + ty;
    UNROLLED
    for (int i = 0; i < STEPS + 2; i++) {
        const int col = x + 16 * i;
        float pixel = 0;
        if (col >= 0 && col < pitch)
            pixel = in[y * pitch + col];
        tile[ty][tx + 16 * i] = pixel;
        IN_ORDER; /* the next load stays behind this store */
    }
    __syncthreads();
    ROLLED
    for (int i = 1; i <= STEPS; i++) {
        float sum = 0;
        UNROLLED
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += convsep_taps[RADIUS - j] * tile[ty][tx + 16 * i + j];
        out[y * pitch + x + 16 * i] = sum;
    }
}

/* 16 x 8 threads, 16 x 64 pixels; 8 rows of halo on each side. */
KERNEL convsep_cols(const float *in, float *out, int pitch, int rows)
{
    __shared__ float tile[8 * (STEPS + 2)][16];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int x = (int)blockIdx.x * 16 + tx, y = (int)blockIdx.y * 8 * STEPS - 8 + ty;
    UNROLLED
    for (int i = 0; i < STEPS + 2; i++) {
        const int row = y + 8 * i;
        float pixel = 0;
        if (row >= 0 && row < rows)
            pixel = in[row * pitch + x];
        tile[ty + 8 * i][tx] = pixel;
        IN_ORDER; /* the next load stays behind this store */
    }
    __syncthreads();
    ROLLED
    for (int i = 1; i <= STEPS; i++) {
        float sum = 0;
        UNROLLED
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += convsep_taps[RADIUS - j] * tile[ty + 8 * i + j][tx];
        out[(y + 8 * i) * pitch + x] = sum;
    }
}
