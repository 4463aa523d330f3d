/* matrix.h - dense row-major matrices whose elements are a function of their place.
 *
 * The documents' matrices are large and their kernels are cut to a short trip
 * count ([D-WL-1] of Wang 2015), so only a few rows or columns are ever touched.
 * An element is computed from (seed, row, column) when somebody needs it: the
 * host writes just the touched block to the device and keeps no copy.
 */
#ifndef WARPLOCK_WORKLOADS_MATRIX_H
#define WARPLOCK_WORKLOADS_MATRIX_H

#include "workloads/run.h"

struct matrix {
    uint64_t seed;
    uint32_t pitch; /* row stride, floats */
    gpu_ptr base;   /* device address, 0 before matrix_alloc */
};

/* Uniform in [-1, 1), a multiple of 2^-23. */
static inline float matrix_at(const struct matrix *matrix, uint32_t row, uint32_t col)
{
    struct rng rng = rng_seeded(matrix->seed ^ ((uint64_t)row << 32 | col));
    return rng_f32_signed(&rng);
}

/* Device memory of rows * pitch floats, zeroed. */
void matrix_alloc(struct run *run, struct matrix *matrix, const char *name, uint32_t rows);

/* Write the elements of rows 0 … rows-1 and columns 0 … cols-1 to the device. */
void matrix_write(struct run *run, const struct matrix *matrix, uint32_t rows, uint32_t cols);

/* Write columns col … col+cols-1 of one row to the device; `line` has room for them. */
void matrix_write_row(struct run *run, const struct matrix *matrix, uint32_t row, uint32_t col,
                      uint32_t cols, float *line);

#endif
