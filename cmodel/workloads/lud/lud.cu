/* lud.cu - LU decomposition in place without pivoting, by 16 x 16 blocks (Rodinia). */
#include "cuda.h"

enum { BLOCK = 16 };

/* The block on the diagonal at `offset`; 16 threads. */
KERNEL lud_diagonal(float *m, int dim, int offset)
{
    __shared__ float block[BLOCK][BLOCK];
    int t = threadIdx.x;
    ROLLED
    for (int i = 0; i < BLOCK; i++)
        block[i][t] = m[(offset + i) * dim + offset + t];
    __syncthreads();

    ROLLED
    for (int k = 0; k < BLOCK - 1; k++) {
        if (t > k) { /* column k of L: each thread a row */
            ROLLED
            for (int j = 0; j < k; j++)
                block[t][k] -= block[t][j] * block[j][k];
            block[t][k] /= block[k][k];
        }
        __syncthreads();
        if (t > k) { /* row k + 1 of U: each thread a column */
            ROLLED
            for (int j = 0; j <= k; j++)
                block[k + 1][t] -= block[k + 1][j] * block[j][t];
        }
        __syncthreads();
    }

    ROLLED
    for (int i = 1; i < BLOCK; i++)
        m[(offset + i) * dim + offset + t] = block[i][t];
}

/* One block of the row panel (threads 0 to 15) and one of the column panel (16 to 31). */
KERNEL lud_perimeter(float *m, int dim, int offset)
{
    __shared__ float diagonal[BLOCK][BLOCK], row[BLOCK][BLOCK], col[BLOCK][BLOCK];
    int t = threadIdx.x % BLOCK;
    bool upper = threadIdx.x < BLOCK;
    int far = offset + ((int)blockIdx.x + 1) * BLOCK;

    ROLLED
    for (int i = 0; i < BLOCK; i++) {
        if (upper) {
            diagonal[i][t] = m[(offset + i) * dim + offset + t];
            row[i][t] = m[(offset + i) * dim + far + t];
        } else {
            col[i][t] = m[(far + i) * dim + offset + t];
        }
    }
    __syncthreads();

    if (upper) { /* column t of U: forward substitution with L */
        ROLLED
        for (int i = 1; i < BLOCK; i++)
            ROLLED
            for (int j = 0; j < i; j++)
                row[i][t] -= diagonal[i][j] * row[j][t];
    } else { /* row t of L: forward substitution with U */
        ROLLED
        for (int i = 0; i < BLOCK; i++) {
            ROLLED
            for (int j = 0; j < i; j++)
                col[t][i] -= col[t][j] * diagonal[j][i];
            col[t][i] /= diagonal[i][i];
        }
    }
    __syncthreads();

    ROLLED
    for (int i = 0; i < BLOCK; i++) {
        if (upper)
            m[(offset + i) * dim + far + t] = row[i][t];
        else
            m[(far + i) * dim + offset + t] = col[i][t];
    }
}

/* Subtracts column panel times row panel from one inner block; 16 x 16 threads. */
KERNEL lud_internal(float *m, int dim, int offset)
{
    __shared__ float row[BLOCK][BLOCK], col[BLOCK][BLOCK];
    int tx = threadIdx.x, ty = threadIdx.y;
    int global_row_id = offset + ((int)blockIdx.y + 1) * BLOCK;
    int global_col_id = offset + ((int)blockIdx.x + 1) * BLOCK;

    row[ty][tx] = m[(offset + ty) * dim + global_col_id + tx];
    col[ty][tx] = m[(global_row_id + ty) * dim + offset + tx];
    __syncthreads();

    float sum = 0;
    ROLLED
    for (int i = 0; i < BLOCK; i++)
        sum += col[ty][i] * row[i][tx];
    m[(global_row_id + ty) * dim + global_col_id + tx] -= sum;
}
