/* sad.cu - sums of absolute differences of a frame's blocks, plain and as Parboil has them
 * (there by a texture of the reference, here by plain loads at the same addresses). */
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

/* Parboil's: 33 x 33 positions, 18 in a row for each thread, three at a time; a block's sums in one
 * row of shared memory, and rows of sums padded to 16 bytes. */
enum {
    RANGE = 16,
    SIDE = 2 * RANGE + 1,
    POSITIONS = SIDE * SIDE,
    PADDED = 1096,
    OF_THREAD = 18,
    AT_ONCE = 3,
    THREADS = (POSITIONS + OF_THREAD - 1) / OF_THREAD,
    WARP = 32
};

/* The sums of three positions in a row: a pixel of the reference is loaded once for all of them. */
static __device__ inline void three_sums(unsigned short sum[AT_ONCE], const unsigned short *block,
                                         const unsigned short *reference, int x0, int y0, int width,
                                         int height)
{
    UNROLLED
    for (int y = 0; y < BLOCK; y++) {
        const int row = clamped(y0 + y, height - 1) * width;
        UNROLLED
        for (int x = 0; x < BLOCK + AT_ONCE - 1; x++) {
            const int pixel = (int)reference[row + clamped(x0 + x, width - 1)];
            UNROLLED
            for (int i = 0; i < AT_ONCE; i++) {
                if (x < i || x >= i + BLOCK)
                    continue;
                const int difference = pixel - (int)block[y * BLOCK + x - i];
                sum[i] += (unsigned short)(difference < 0 ? -difference : difference);
            }
        }
    }
}

/* The positions of a thread, into the block's row of sums. */
static __device__ inline void search(unsigned short *staged, const unsigned short *block,
                                     const unsigned short *reference, int x0, int y0, int width,
                                     int height)
{
    const int first = (int)(threadIdx.x % THREADS) * OF_THREAD;
    const int last = first + OF_THREAD > POSITIONS ? POSITIONS : first + OF_THREAD;
    int dx = first % SIDE, dy = first / SIDE;
    ROLLED
    for (int p = first; p < last; p += AT_ONCE) {
        unsigned short sum[AT_ONCE] = {};
        IN_ORDER; /* the block's pixels are loaded each time */
        three_sums(sum, block, reference, x0 - RANGE + dx, y0 - RANGE + dy, width, height);
        UNROLLED
        for (int i = 0; i < AT_ONCE; i++)
            staged[p + i] = sum[i];
        dx += AT_ONCE;
        if (dx >= SIDE) {
            dx -= SIDE;
            dy++;
        }
    }
}

/* One CTA of 61 threads for each block of 4 x 4 pixels; `across` and `down` count macroblocks.  The
 * suite's tile of blocks is one block, its place in the tile still a division. */
KERNEL sad_4x4_parboil(unsigned short *sums, const unsigned short *frame,
                       const unsigned short *reference, unsigned across, unsigned down)
{
    __shared__ unsigned short block[BLOCK * BLOCK];
    __shared__ union {
        unsigned short one[PADDED];
        unsigned long long four[PADDED / 4];
    } staged;
    const unsigned width = across * MACROBLOCK, height = down * MACROBLOCK;
    const unsigned bx = blockIdx.x, by = blockIdx.y, lane = threadIdx.x;
    const unsigned in_tile = lane / THREADS;
    const bool in_frame = bx / ACROSS < across && by / ACROSS < down;
    if (lane / (BLOCK * BLOCK) == 0 && in_frame)
        block[lane] = frame[(by * BLOCK + lane / BLOCK) * width + bx * BLOCK + lane % BLOCK];
    __syncthreads();
    if (bx / ACROSS < across && (by + in_tile) / ACROSS < down)
        search(staged.one + in_tile * PADDED, block + in_tile * BLOCK * BLOCK, reference,
               (int)(bx * BLOCK), (int)((by + in_tile) * BLOCK), (int)width, (int)height);
    __syncthreads();
    if (lane / WARP == 0 && in_frame) {
        const unsigned macroblock = by / ACROSS * across + bx / ACROSS;
        const unsigned k = by % ACROSS * ACROSS + bx % ACROSS;
        unsigned short *row = sums + (across * down * 25 + macroblock * 16 + k) * PADDED;
        ROLLED
        for (unsigned i = lane; i < PADDED / 4; i += WARP)
            ((unsigned long long *)row)[i] = staged.four[i];
    }
}

/* As join, two sums in a word; their halves never overflow.  `below` and `apart`: rows of sums
 * between a square's rows of blocks, and between its two rows joined. */
static __device__ inline void join_pairs(const unsigned *from, unsigned below, unsigned *columns,
                                         unsigned *rows, unsigned apart, unsigned *whole)
{
    const unsigned pairs = PADDED / 2;
    ROLLED
    for (unsigned p = threadIdx.x; p < (POSITIONS + 1) / 2; p += WARP) {
        const unsigned a = from[p], b = from[pairs + p];
        const unsigned c = from[below * pairs + p], d = from[(below + 1) * pairs + p];
        columns[p] = a + c;
        columns[pairs + p] = b + d;
        rows[p] = a + b;
        rows[apart * pairs + p] = c + d;
        whole[p] = (a + b) + (c + d);
    }
}

static __device__ inline unsigned *row_of(unsigned short *sums, unsigned row)
{
    return (unsigned *)(sums + row * PADDED);
}

/* One CTA for each macroblock, a warp for each of its squares. */
KERNEL sad_8x8_parboil(unsigned short *sums, unsigned across, unsigned down)
{
    const unsigned tx = threadIdx.y % 2, ty = threadIdx.y / 2, n = across * down;
    const unsigned macroblock = blockIdx.y * across + blockIdx.x;
    const unsigned eighth = macroblock * 8 + ty * 4;
    join_pairs(row_of(sums, n * 25 + macroblock * 16 + ty * 8 + tx * 2), 4,
               row_of(sums, n * 17 + eighth + tx * 2), row_of(sums, n * 9 + eighth + tx), 2,
               row_of(sums, n * 5 + macroblock * 4 + ty * 2 + tx));
}

/* One warp for each macroblock. */
KERNEL sad_16x16_parboil(unsigned short *sums, unsigned across, unsigned down)
{
    const unsigned n = across * down, macroblock = blockIdx.y * across + blockIdx.x;
    join_pairs(row_of(sums, n * 5 + macroblock * 4), 2, row_of(sums, n * 3 + macroblock * 2),
               row_of(sums, n + macroblock * 2), 1, row_of(sums, macroblock));
}
