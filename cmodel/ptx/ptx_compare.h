/* ptx_compare.h - comparisons of two slots, shared by setp, set and the half types.  Private. */
#ifndef WARPLOCK_PTX_COMPARE_H
#define WARPLOCK_PTX_COMPARE_H

#include "ptx/ptx_lower.h"

enum ptx_comparison {
    PTX_EQ,
    PTX_NE,
    PTX_LT,
    PTX_LE,
    PTX_GT,
    PTX_GE,
    PTX_LO,
    PTX_LS,
    PTX_HI,
    PTX_HS,
    PTX_EQU,
    PTX_NEU,
    PTX_LTU,
    PTX_LEU,
    PTX_GTU,
    PTX_GEU,
    PTX_NUM,
    PTX_NAN,
    PTX_COMPARISONS
};

/* From 32 lanes of a and b to the mask of lanes where the comparison holds. */
typedef uint32_t ptx_compare_fn(const void *a, const void *b);

/* NULL when the type has no such comparison. */
ptx_compare_fn *ptx_comparison_of(enum ptx_comparison comparison, enum ptx_type type);
int ptx_take_comparison_word(struct ptx_lower *lw); /* enum ptx_comparison or -1 */
/* .and, .or, .xor with a predicate: taken off the statement, 0 for none; what they make of `r`. */
uint8_t ptx_take_combination(struct ptx_lower *lw);
uint32_t ptx_combined(uint32_t r, uint32_t c, uint8_t how);
/* setp and set on halves (ptx_op_half_compare.c); types are taken already. */
void ptx_lower_half_setp(struct ptx_lower *lw, enum ptx_type type);
void ptx_lower_half_set(struct ptx_lower *lw, enum ptx_type result, enum ptx_type type);

#endif
