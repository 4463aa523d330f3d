/* nqueens.cu - counts the placements of n queens below given first rows.
 *
 * Each thread continues one placement of the first `depth` rows by backtracking
 * with an explicit stack in local memory. */
#include "cuda.h"

#define MAX_N 16

/* Squares attacked in the next row: by column and along both diagonals. */
struct attacked { unsigned cols, left, right; };

KERNEL nqueens(const attacked *start, unsigned *solutions, unsigned threads, unsigned n,
               unsigned depth)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    const unsigned all = (1u << n) - 1;
    attacked stack[MAX_N];
    unsigned open[MAX_N]; /* squares still to try, per row */
    unsigned count = 0, rows_left = n - depth;
    int row = 0;
    attacked now = start[i];
    stack[0] = now;
    open[0] = all & ~(now.cols | now.left | now.right);
    while (row >= 0) {
        const unsigned free = open[row];
        if (free == 0) {
            row--;
            continue;
        }
        const unsigned square = free & -free;
        open[row] = free ^ square;
        if ((unsigned)row + 1 == rows_left) {
            count++;
            continue;
        }
        now = stack[row];
        now = attacked{now.cols | square, (now.left | square) << 1, (now.right | square) >> 1};
        row++;
        stack[row] = now;
        open[row] = all & ~(now.cols | now.left | now.right);
    }
    solutions[i] = count;
}
