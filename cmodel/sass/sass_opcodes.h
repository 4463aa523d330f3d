/* sass_opcodes.h - the table of opcodes: which class each has in which binary version.
 *
 * Works after opcodes.csv, which is part of the program; files of the same form, of the
 * user's, add to it.  It must not know suffixes.
 */
#ifndef WARPLOCK_SASS_OPCODES_H
#define WARPLOCK_SASS_OPCODES_H

#include <stddef.h>

#include "isa/isa.h"

/* Class, pipe, access, space, of every class. */
#define SASS_CLASSES(C) \
    C(INT, INT, NONE, NONE) \
    C(FP32, FP32, NONE, NONE) \
    C(HALF, FP32, NONE, NONE) \
    C(FP64, FP64, NONE, NONE) \
    C(SFU, SFU, NONE, NONE) \
    C(TENSOR, TENSOR, NONE, NONE) \
    C(GMMA, TENSOR, NONE, NONE) \
    C(UNIFORM, UNIFORM, NONE, NONE) \
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
    C(STORE_MATRIX, SHARED, STORE, SHARED) \
    C(STORE_GENERIC, MEM, STORE, GENERIC) \
    C(ATOMIC_GLOBAL, MEM, ATOMIC, GLOBAL) \
    C(ATOMIC_SHARED, SHARED, ATOMIC, SHARED) \
    C(ATOMIC_GENERIC, MEM, ATOMIC, GENERIC) \
    C(REDUCE_GLOBAL, MEM, REDUCE, GLOBAL) \
    C(LOAD_ASYNC, MEM, LOAD, GLOBAL) \
    C(COMMIT_LOADS, INT, NONE, NONE) \
    C(WAIT_GROUPS, INT, NONE, NONE) \
    C(BULK_LOAD, UNIFORM, NONE, GLOBAL) \
    C(BULK_STORE, UNIFORM, NONE, GLOBAL) \
    C(BULK_COPY, UNIFORM, NONE, GLOBAL) \
    C(BULK_REDUCE, UNIFORM, NONE, GLOBAL) \
    C(BULK_PREFETCH, UNIFORM, NONE, GLOBAL) \
    C(COMMIT_BULK, UNIFORM, NONE, NONE) \
    C(MBARRIER, SHARED, ATOMIC, SHARED) \
    C(ARRIVE_LOADS, SHARED, ATOMIC, SHARED) \
    C(WARPGROUP, INT, NONE, NONE) \
    C(CLUSTER_ARRIVE, INT, NONE, NONE) \
    C(CLUSTER_WAIT, INT, NONE, NONE) \
    C(STORE_REMOTE, SHARED, STORE, SHARED) \
    C(REDUCE_REMOTE, SHARED, REDUCE, SHARED) \
    C(MARK, INT, NONE, NONE)

enum sass_class {
#define C(name, pipe, access, space) SASS_##name,
    SASS_CLASSES(C)
#undef C
        SASS_CLASS_COUNT
};

/* The word that names a class in a table. */
const char *sass_class_name(enum sass_class class);

/* The binary versions that have a table. */
enum { SASS_VERSIONS = 9 };
/* The number of the table for a binary version: its own, or that of the nearest older chip; -1
 * when there is none. */
int sass_opcodes_version(uint32_t binary_version);
/* Bytes of an instruction in code of that table. */
uint32_t sass_opcodes_step(uint32_t version);

struct sass_opcodes;

/* The standard table.  NULL when out of memory. */
struct sass_opcodes *sass_opcodes_new(void);
void sass_opcodes_free(struct sass_opcodes *opcodes);
/* Add the rows of a user's file; they come before the standard ones.  0, or -1 and
 * `file:line: what; remedy` in `error`. */
int sass_opcodes_add(struct sass_opcodes *opcodes, const char *path, char *error, size_t n_error);

/* The class of opcode name[0..n) in the table of `version`: 1; 0 with the class of the newest
 * other version that has it; -1 when none has. */
int sass_opcodes_find(const struct sass_opcodes *opcodes, const char *name, size_t n,
                      uint32_t version, enum sass_class *class);

#endif
