/* ptx_diag.h - memory and errors of one module while it is read and lowered.
 *
 * Everything a module owns comes from one arena, so an error anywhere can jump
 * straight out (ptx_fail) and the arena frees it all.  Knows nothing of PTX.
 */
#ifndef WARPLOCK_PTX_DIAG_H
#define WARPLOCK_PTX_DIAG_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_arena_chunk;

struct ptx_arena {
    struct ptx_arena_chunk *chunks;
};

struct ptx_diag {
    jmp_buf escape; /* where ptx_fail goes; set by the entry points */
    struct ptx_arena *arena;
    const char *file;
    char *error; /* receives "file:line:col: what; remedy" */
    size_t n_error;
};

/* Zeroed storage, 16-byte aligned, freed with the arena; fails through `diag` when there is none.
 */
void *ptx_alloc(struct ptx_diag *diag, size_t count, size_t size);
char *ptx_strndup(struct ptx_diag *diag, const char *text, size_t n);
char *ptx_format(struct ptx_diag *diag, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A growing array in the arena: room for one more element of `size` bytes in `array`, which holds
 * `count`; returns the array, moved if need be.  Capacity is the next power of two, from 8. */
void *ptx_grow(struct ptx_diag *diag, void *array, size_t count, size_t size);

void ptx_arena_free(struct ptx_arena *arena);

/* Write the message and jump to diag->escape.  `column` 0: no column is printed. */
_Noreturn void ptx_fail(struct ptx_diag *diag, uint32_t line, uint32_t column, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

#endif
