/* sass_opcode.h - what an opcode of a SASS trace means to the machine.
 *
 * Works after the trace format's opcode tables and suffix rules (width, scope).  It must
 * not know files nor warps.
 *
 * Documented choices:
 * - widths come from the first suffix 8, 16, 32, 64, 128 with or without U, S, F in
 *   front; none is 4 bytes, 8 of an mbarrier, 16 of a matrix row; 256 is refused;
 * - .STRONG.GPU and .STRONG.SYS loads bypass the L1D, so do .BYPASS ones; .CONSTANT (.CI, .NC)
 *   marks read-only data, .EF (.LU) streaming data; .SYS alone is Volta's ordinary load;
 * - the machine has no texture or surface unit: such instructions occupy the special function
 *   unit for its latency and access no memory; so do tensor instructions on a machine whose
 *   key pipe.tensor_units is 0;
 * - tensor memory has no model: what loads, stores or multiplies there takes the tensor pipe;
 * - an atomic is timed by its operation and width; a half-precision one as a swap.
 */
#ifndef WARPLOCK_SASS_OPCODE_H
#define WARPLOCK_SASS_OPCODE_H

#include "sass/sass_opcodes.h"

enum sass_known {
    SASS_KNOWN,
    SASS_FOREIGN, /* only the tables of other versions have it: decoded by theirs */
    SASS_UNKNOWN,
    SASS_REFUSED
};

/* Decode the opcode text[0..n) with its suffixes: pipe, access, space, bytes, cacheop,
 * scope, atomic kind, is_branch and is_exit of `inst`, and the class.  `version` is a
 * sass_opcodes_version().  REFUSED: it is in the table, but no machine has the width; *why
 * says so. */
enum sass_known sass_opcode_decode(const struct sass_opcodes *opcodes, const char *text, size_t n,
                                   uint32_t version, struct isa_inst *inst, enum sass_class *class,
                                   const char **why);

#endif
