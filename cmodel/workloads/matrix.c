/* matrix.c - see matrix.h. */
#include "workloads/matrix.h"

void matrix_alloc(struct run *run, struct matrix *matrix, const char *name, uint32_t rows)
{
    matrix->base = run_alloc(run, name, (size_t)rows * matrix->pitch * sizeof(float));
}

void matrix_write_row(struct run *run, const struct matrix *matrix, uint32_t row, uint32_t col,
                      uint32_t cols, float *line)
{
    for (uint32_t i = 0; i < cols; i++) {
        line[i] = matrix_at(matrix, row, col + i);
    }
    const uint64_t place = (uint64_t)row * matrix->pitch + col;
    host_write(run->host, matrix->base + place * sizeof(float), line, cols * sizeof(float));
}

void matrix_write(struct run *run, const struct matrix *matrix, uint32_t rows, uint32_t cols)
{
    float *line = RUN_ARRAY(run, float, cols);
    for (uint32_t row = 0; line && row < rows; row++) {
        matrix_write_row(run, matrix, row, 0, cols, line);
    }
}
