/* ptx_matrix.h - matrices in the registers of a warp: which element lies where, and their product
 * (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
 *
 * Knows numbers and places only: nothing of statements, slots or warps.
 *
 * The manual gives the places of mma and ldmatrix.  It leaves those of wmma open: here they are those
 * of mma, block by block of 8 rows and 8 columns, and registers beyond the last block repeat the first
 * ones.  It leaves open, too, how sums are rounded.  Here an element of D starts as that of C and
 * takes the products in order of k; each product is exact, each sum is rounded to nearest even, in
 * .f32 (.f64: a fused multiply-add); an .f16 result is rounded once more, at the end.  Subnormals are
 * kept; of .tf32 the low 13 bits are ignored; a NaN is 0x7fffffff, 0x7fff or 0xfff8000000000000.
 */
#ifndef WARPLOCK_PTX_MATRIX_H
#define WARPLOCK_PTX_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum ptx_element {
    PTX_ELEMENT_NONE,
    PTX_ELEMENT_F16,
    PTX_ELEMENT_BF16,
    PTX_ELEMENT_TF32,
    PTX_ELEMENT_F32,
    PTX_ELEMENT_F64,
    PTX_ELEMENT_S8,
    PTX_ELEMENT_U8,
    PTX_ELEMENT_S4,
    PTX_ELEMENT_U4,
    PTX_ELEMENT_B1,
    PTX_ELEMENT_S32,
    PTX_ELEMENT_COUNT
};

/* The element type written as `name` (".bf16"), or PTX_ELEMENT_NONE. */
enum ptx_element ptx_element_named(const char *name);
uint32_t ptx_element_bits(enum ptx_element element);
/* Elements in one register, which is 32 bits wide or, of .f64, 64. */
uint32_t ptx_element_count(enum ptx_element element);

/* What a warp multiplies.  m, n: 8 or 16. */
struct ptx_matrix {
    uint16_t m, n, k;
    uint8_t a, b, c, d; /* enum ptx_element */
    bool quads;         /* four products of m8n8k4, each by eight lanes */
    bool a_col, b_col;  /* of quads: columns of A, of B lie together */
    bool saturates;     /* .satfinite */
    bool ands;          /* of .b1: and; else exclusive or */
};

enum ptx_tile_part { PTX_TILE_A, PTX_TILE_B, PTX_TILE_C };

struct ptx_element_place {
    uint32_t row, col;
};

/* Where element `e` of register `reg` of `lane` lies in part `part` of `rows` x `cols`. */
struct ptx_element_place ptx_matrix_place(enum ptx_tile_part part, enum ptx_element element,
                                          uint32_t rows, uint32_t cols, uint32_t reg, uint32_t lane,
                                          uint32_t e);

/* The registers that `rows` x `cols` elements take in each lane when none is repeated. */
uint32_t ptx_matrix_registers(enum ptx_element element, uint32_t rows, uint32_t cols);

/* The four registers of m8n8k4 with .f16: place, and which product of the four it is for. */
struct ptx_element_place ptx_quad_place(const struct ptx_matrix *m, enum ptx_tile_part part,
                                        enum ptx_element element, uint32_t reg, uint32_t lane,
                                        uint32_t e);

/* The product.  Register r of a part is at [r], its lane's bits at [r][lane]; d may be c. */
void ptx_matrix_multiply(const struct ptx_matrix *m, const uint64_t (*a)[32],
                         const uint64_t (*b)[32], const uint64_t (*c)[32], uint64_t (*d)[32]);

#endif
