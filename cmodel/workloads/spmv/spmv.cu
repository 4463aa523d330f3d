/* spmv.cu - sparse matrix by vector, CSR, one thread per row (SHOC's scalar kernel). */
#include "graph_kernel.h"

KERNEL spmv(const float *val, const unsigned *col, const unsigned *row, const float *x, float *y,
            unsigned n)
{
    unsigned r = global_thread();
    if (r >= n)
        return;
    unsigned end = row[r + 1];
    float sum = 0;
    ROLLED
    for (unsigned i = row[r]; i < end; i++)
        sum += val[i] * x[col[i]];
    y[r] = sum;
}
