/* ptx_types.h - the fundamental types of PTX (PTX ISA, "Fundamental Types").
 *
 * Knows names and widths only; nothing of registers, memory or execution.
 */
#ifndef WARPLOCK_PTX_TYPES_H
#define WARPLOCK_PTX_TYPES_H

#include <stdbool.h>
#include <stdint.h>

enum ptx_type {
    PTX_NONE,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F16X2,
    PTX_BF16,
    PTX_BF16X2,
    PTX_F32,
    PTX_F64,
    PTX_PRED,
    PTX_TYPE_COUNT
};

/* The type written as `name` (".u32"), or PTX_NONE. */
enum ptx_type ptx_type_named(const char *name);
const char *ptx_type_name(enum ptx_type type);

/* Width in memory, bytes; 0 for PTX_NONE and PTX_PRED. */
uint32_t ptx_type_bytes(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);
bool ptx_type_is_float(enum ptx_type type);
bool ptx_type_is_half(enum ptx_type type); /* .f16, .bf16 and their pairs */

/* The unsigned integer type of the same width; PTX_PRED stays what it is. */
enum ptx_type ptx_type_bits(enum ptx_type type);

/* Bytes of one lane of a register of this type: 4 (up to 32 bits), 8, or 0 for a predicate. */
uint32_t ptx_type_lane_bytes(enum ptx_type type);

#endif
