/* sass_opcode.h - what an opcode of a SASS trace means to the machine.
 *
 * Works after the trace format's opcode tables and suffix rules (width, scope).  It must
 * not know files nor warps.
 *
 * Documented choices:
 * - widths come from the first suffix 8, 16, 32, 64, 128 with or without U, S, F in
 *   front; none is 4 bytes;
 * - .STRONG.GPU and .STRONG.SYS loads bypass the L1D, .CONSTANT (.CI, .NC) marks read-only
 *   data, .EF (.LU) streaming data; .SYS alone is Volta's ordinary load;
 * - the machine has no tensor, texture or surface unit: such instructions occupy the
 *   special function unit for its latency and access no memory;
 * - an atomic is timed by its operation and width; a half-precision one as a swap.
 */
#ifndef WARPLOCK_SASS_OPCODE_H
#define WARPLOCK_SASS_OPCODE_H

#include <stddef.h>

#include "isa/isa.h"

/* Class, pipe, access, space, of every class. */
#define SASS_CLASSES(C) \
    C(INT, INT, NONE, NONE) \
    C(FP32, FP32, NONE, NONE) \
    C(FP64, FP64, NONE, NONE) \
    C(SFU, SFU, NONE, NONE) \
    C(TENSOR, SFU, NONE, NONE) \
    C(TEXTURE, SFU, NONE, NONE) \
    C(SPECIAL, INT, NONE, NONE) \
    C(CONST, CONST, NONE, NONE) \
    C(BRANCH, CONTROL, NONE, NONE) \
    C(CONTROL, CONTROL, NONE, NONE) \
    C(EXIT, CONTROL, NONE, NONE) \
    C(BARRIER, BARRIER, NONE, NONE) \
    C(FENCE, FENCE, NONE, NONE) \
    C(LOAD_GLOBAL, MEM, LOAD, GLOBAL) \
    C(LOAD_LOCAL, MEM, LOAD, LOCAL) \
    C(LOAD_SHARED, SHARED, LOAD, SHARED) \
    C(LOAD_MATRIX, SHARED, LOAD, SHARED) \
    C(LOAD_GENERIC, MEM, LOAD, GENERIC) \
    C(STORE_GLOBAL, MEM, STORE, GLOBAL) \
    C(STORE_LOCAL, MEM, STORE, LOCAL) \
    C(STORE_SHARED, SHARED, STORE, SHARED) \
    C(STORE_GENERIC, MEM, STORE, GENERIC) \
    C(ATOMIC_GLOBAL, MEM, ATOMIC, GLOBAL) \
    C(ATOMIC_SHARED, SHARED, ATOMIC, SHARED) \
    C(ATOMIC_GENERIC, MEM, ATOMIC, GENERIC) \
    C(REDUCE_GLOBAL, MEM, REDUCE, GLOBAL) \
    C(ONE_ADDRESS, INT, NONE, NONE)

enum sass_class {
#define C(name, pipe, access, space) SASS_##name,
    SASS_CLASSES(C)
#undef C
        SASS_CLASS_COUNT
};

/* The letter of a binary version's generation, or 0 when there is no table for it. */
char sass_generation(uint32_t binary_version);

enum sass_known { SASS_KNOWN, SASS_UNKNOWN, SASS_REFUSED };

/* Decode the opcode text[0..n) with its suffixes: pipe, access, space, bytes, cacheop,
 * scope, atomic kind, is_branch and is_exit of `inst`, and the class.  REFUSED: it is in the
 * table, but the trace cannot carry it or no machine has the width; *why says so. */
enum sass_known sass_opcode_decode(const char *text, size_t n, char generation,
                                   struct isa_inst *inst, enum sass_class *class, const char **why);

#endif
