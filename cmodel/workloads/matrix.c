/* matrix.c - see matrix.h. */
#include "workloads/matrix.h"

void matrix_alloc(struct run *run, struct matrix *matrix, const char *name, uint32_t rows)
{
    matrix->base = run_alloc(run, name, (size_t)rows * matrix->pitch * sizeof(float));
}

void matrix_write(struct run *run, const struct matrix *matrix, uint32_t rows, uint32_t cols)
{
    float *line = RUN_ARRAY(run, float, cols);
    for (uint32_t row = 0; line && row < rows; row++) {
        for (uint32_t col = 0; col < cols; col++) {
            line[col] = matrix_at(matrix, row, col);
        }
        host_write(run->host, matrix->base + (uint64_t)row * matrix->pitch * sizeof(float), line,
                   cols * sizeof(float));
    }
}
