/* pathfinder.cu - cheapest way down a grid of costs, several rows per launch (Rodinia). */
#include "cuda.h"

enum { BLOCK = 256 };

static __device__ inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Advances `costs` by `steps` rows of the wall.  CTAs overlap by `steps` columns on each
 * side: what a border thread misses from its neighbours never reaches the columns written. */
KERNEL pathfinder(const int *wall, const int *costs, int *result, int cols, int first_row,
                  int steps)
{
    __shared__ int previous[BLOCK];
    int t = threadIdx.x;
    int col = (int)blockIdx.x * (BLOCK - 2 * steps) - steps + t;
    bool inside = col >= 0 && col < cols;
    int cost = inside ? costs[col] : 0x7fffffff;

    ROLLED
    for (int step = 0; step < steps; step++) {
        previous[t] = cost;
        __syncthreads();
        if (inside) {
            int left = previous[t > 0 ? t - 1 : 0];
            int right = previous[t < BLOCK - 1 ? t + 1 : BLOCK - 1];
            cost = smaller(cost, smaller(left, right)) + wall[cols * (first_row + step) + col];
        }
        __syncthreads();
    }
    if (inside && t >= steps && t < BLOCK - steps)
        result[col] = cost;
}
