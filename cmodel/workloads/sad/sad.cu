/* sad.cu - sums of absolute differences of a frame's blocks (Parboil). */
#include "cuda.h"

enum { BLOCK = 4, MACROBLOCK = 16, ACROSS = MACROBLOCK / BLOCK };

/* Where the sums of the k-th block of a shape begin: a macroblock has `count` blocks of it, and
 * `before` blocks of larger shapes. */
static __device__ inline unsigned sums_of(unsigned macroblocks, unsigned macroblock,
                                          unsigned before, unsigned count, unsigned k,
                                          unsigned positions)
{
    return (macroblocks * before + macroblock * count + k) * positions;
}

static __device__ inline int clamped(int at, int most)
{
    return at < 0 ? 0 : at > most ? most : at;
}

/* One CTA for each block of 4 x 4 pixels; a thread takes every blockDim.x-th position of the
 * search. */
KERNEL sad_4x4(const unsigned short *frame, const unsigned short *reference, unsigned short *sums,
               int width, int height, int range)
{
    const int side = 2 * range + 1, positions = side * side;
    const int x0 = (int)blockIdx.x * BLOCK, y0 = (int)blockIdx.y * BLOCK;
    const unsigned macroblocks = gridDim.x * gridDim.y / (ACROSS * ACROSS);
    const unsigned macroblock = blockIdx.y / ACROSS * (gridDim.x / ACROSS) + blockIdx.x / ACROSS;
    const unsigned k = blockIdx.y % ACROSS * ACROSS + blockIdx.x % ACROSS;
    unsigned short *out = sums + sums_of(macroblocks, macroblock, 25, 16, k, (unsigned)positions);
    ROLLED
    for (int p = (int)threadIdx.x; p < positions; p += (int)blockDim.x) {
        const int dx = p % side - range, dy = p / side - range;
        int sum = 0;
        ROLLED
        for (int y = 0; y < BLOCK; y++) {
            const unsigned short *row = frame + ((y0 + y) * width + x0);
            const int ry = clamped(y0 + y + dy, height - 1) * width;
            UNROLLED
            for (int x = 0; x < BLOCK; x++) {
                const int rx = clamped(x0 + x + dx, width - 1);
                const int difference = (int)row[x] - (int)reference[ry + rx];
                sum += difference < 0 ? -difference : difference;
            }
        }
        out[p] = (unsigned short)sum;
    }
}

/* Four sums of a square of blocks become two of its rows, two of its columns, and one.  One CTA for
 * each square: gridDim.x of them in a macroblock, which is blockIdx.y.  `first` is the square's
 * first block, `across` what lies between its rows. */
static __device__ inline void join(unsigned short *sums, const unsigned before[4],
                                   const unsigned count[4], unsigned first, unsigned across,
                                   unsigned square, unsigned positions)
{
    const unsigned n = gridDim.y, m = blockIdx.y;
    const unsigned short *from = sums + sums_of(n, m, before[0], count[0], first, positions);
    unsigned short *rows = sums + sums_of(n, m, before[1], count[1], 2 * square, positions);
    unsigned short *columns = sums + sums_of(n, m, before[2], count[2], 2 * square, positions);
    unsigned short *whole = sums + sums_of(n, m, before[3], count[3], square, positions);
    ROLLED
    for (unsigned p = threadIdx.x; p < positions; p += blockDim.x) {
        const unsigned a = from[p], b = from[positions + p];
        const unsigned c = from[across * positions + p], d = from[(across + 1) * positions + p];
        rows[p] = (unsigned short)(a + b);
        rows[positions + p] = (unsigned short)(c + d);
        columns[p] = (unsigned short)(a + c);
        columns[positions + p] = (unsigned short)(b + d);
        whole[p] = (unsigned short)(a + b + c + d);
    }
}

/* 4 x 4 to 8 x 4, 4 x 8 and 8 x 8. */
KERNEL sad_8x8(unsigned short *sums, unsigned positions)
{
    const unsigned before[4] = {25, 9, 17, 5}, count[4] = {16, 8, 8, 4};
    const unsigned square = blockIdx.x, first = square / 2 * 8 + square % 2 * 2;
    join(sums, before, count, first, 4, square, positions);
}

/* 8 x 8 to 16 x 8, 8 x 16 and 16 x 16. */
KERNEL sad_16x16(unsigned short *sums, unsigned positions)
{
    const unsigned before[4] = {5, 1, 3, 0}, count[4] = {4, 2, 2, 1};
    join(sums, before, count, 0, 2, 0, positions);
}
