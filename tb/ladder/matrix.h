/* matrix.h - which unit has passed which level of verification, unit by unit. */
#ifndef WARPLOCK_TB_LADDER_MATRIX_H
#define WARPLOCK_TB_LADDER_MATRIX_H

#include <stdbool.h>
#include <stdio.h>

#include "tb/backend.h"

enum matrix_column {
    MATRIX_VECTORS,  /* L1 */
    MATRIX_RANDOM,   /* L2 */
    MATRIX_COVERAGE, /* L2 */
    MATRIX_SYSTEM,   /* L3 */
    MATRIX_FUZZ,     /* L4 */
    MATRIX_GATES,    /* L5 */
    MATRIX_MUTANTS,  /* L6 */
    MATRIX_PROOF,    /* L7 */
    MATRIX_COLUMNS
};
enum matrix_state {
    MATRIX_BLANK, /* nobody has tried, or there is nothing to try */
    MATRIX_GOOD,
    MATRIX_OPEN, /* run, and not all of it reached */
    MATRIX_BAD   /* a difference */
};

struct matrix_cell {
    enum matrix_state state;
    bool stale;    /* something that the result depends on has changed since (inputs.h) */
    bool reduced;  /* no result is at the standard parameters */
    char text[48]; /* as it is printed */
};
struct matrix_row {
    char unit[64];
    struct matrix_cell cells[MATRIX_COLUMNS];
};
struct matrix {
    struct matrix_row *rows;
    size_t n;
};

/* Reads what the levels left below build/, for `units` (NULL-terminated; none: all).  False
 * when memory is out. */
bool matrix_read(struct matrix *matrix, struct library *library, char *const *units);
void matrix_free(struct matrix *matrix);

extern const char *const matrix_titles[MATRIX_COLUMNS];  /* "L1 vectors" */
void matrix_text(const struct matrix *matrix, FILE *to); /* fits 100 columns */
bool matrix_json(const struct matrix *matrix, const char *path);
bool matrix_html(const struct matrix *matrix, const char *path);

#endif
