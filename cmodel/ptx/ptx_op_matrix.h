/* ptx_op_matrix.h - what the instructions on matrices share when lowered and executed.  Private. */
#ifndef WARPLOCK_PTX_OP_MATRIX_H
#define WARPLOCK_PTX_OP_MATRIX_H

#include "ptx/ptx_lower.h"
#include "ptx/ptx_mem.h"
#include "ptx/ptx_op_memory.h"

/* A register's part of wmma.load or wmma.store: where lanes find it. */
struct ptx_fragment {
    uint8_t part, element; /* enum ptx_tile_part, enum ptx_element */
    bool by_columns;       /* elements of a column lie together */
    bool has_stride;       /* it is source PTX_STRIDE_SRC; else the rows or columns are packed */
    uint8_t reg, e;        /* the first element that moves */
    uint16_t rows, cols;
};
enum { PTX_STRIDE_SRC = 5 };

/* All lanes take part; else the warp is at fault. */
bool ptx_whole_warp(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask);
void ptx_bind_whole_warp(struct ptx_lower *lw, struct ptx_op *op);

/* The shape and the next element type among the modifiers. */
bool ptx_take_matrix_shape(struct ptx_lower *lw, struct ptx_matrix *m);
enum ptx_element ptx_take_element(struct ptx_lower *lw); /* PTX_ELEMENT_NONE: none */
/* Operand `index`, {n registers} or one; fails when there are others. */
const struct ptx_operand *ptx_vector_registers(struct ptx_lower *lw, uint32_t index, uint32_t n);
void ptx_lower_fragment(struct ptx_lower *lw); /* wmma.load, wmma.store */
void ptx_lower_movmatrix(struct ptx_lower *lw);
void ptx_lower_ldmatrix(struct ptx_lower *lw);
void ptx_lower_stmatrix(struct ptx_lower *lw);

#endif
