/* nw.cu - Needleman-Wunsch alignment, one 16 x 16 tile per CTA, one launch per
 * anti-diagonal of tiles (Rodinia). */
#include "cuda.h"

enum { TILE = 16 };

static __device__ inline int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Score of one cell from its three older neighbours. */
static __device__ inline void fill_cell(int score[TILE + 1][TILE + 1],
                                        const int similar[TILE][TILE], int y, int x, int penalty)
{
    int diagonal = score[y - 1][x - 1] + similar[y - 1][x - 1];
    int gap = larger(score[y][x - 1], score[y - 1][x]) - penalty;
    score[y][x] = larger(diagonal, gap);
}

/* Tile (first_x + blockIdx.x, first_y - blockIdx.x) of a score matrix with `pitch` columns,
 * of which row and column 0 are given; 16 threads, one per column. */
KERNEL nw(const int *similarity, int *matrix, int pitch, int penalty, int first_x, int first_y)
{
    __shared__ int score[TILE + 1][TILE + 1];
    __shared__ int similar[TILE][TILE];
    int t = threadIdx.x;
    int corner = pitch * TILE * (first_y - (int)blockIdx.x) + TILE * (first_x + (int)blockIdx.x);
    int inner = corner + pitch + 1 + t;

    if (t == 0)
        score[0][0] = matrix[corner];
    ROLLED
    for (int y = 0; y < TILE; y++)
        similar[y][t] = similarity[inner + pitch * y];
    score[t + 1][0] = matrix[corner + pitch * (t + 1)];
    score[0][t + 1] = matrix[corner + t + 1];
    __syncthreads();

    ROLLED
    for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
        int y = diagonal - t;
        if (y >= 0 && y < TILE)
            fill_cell(score, similar, y + 1, t + 1, penalty);
        __syncthreads();
    }

    ROLLED
    for (int y = 0; y < TILE; y++)
        matrix[inner + pitch * y] = score[y + 1][t + 1];
}
