/* ptx_diag.c - see ptx_diag.h. */
#include "ptx/ptx_diag.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGN_BYTES = 16 };

struct ptx_arena_chunk {
    struct ptx_arena_chunk *next;
    size_t used, size;
    _Alignas(ALIGN_BYTES) uint8_t bytes[];
};

static struct ptx_arena_chunk *chunk_new(struct ptx_arena *arena, size_t need)
{
    size_t size = need > CHUNK_BYTES ? need : CHUNK_BYTES;
    struct ptx_arena_chunk *chunk = calloc(1, sizeof(*chunk) + size);
    if (chunk != NULL) {
        chunk->size = size;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

void *ptx_alloc(struct ptx_diag *diag, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        ptx_fail(diag, 0, 0, "the module needs more memory than there is; make it smaller");
    }
    size_t need = (count * size + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    struct ptx_arena_chunk *chunk = diag->arena->chunks;
    if (chunk == NULL || chunk->size - chunk->used < need) {
        chunk = chunk_new(diag->arena, need);
    }
    if (chunk == NULL) {
        ptx_fail(diag, 0, 0, "the module needs more memory than there is; make it smaller");
    }
    void *at = chunk->bytes + chunk->used;
    chunk->used += need;
    return at;
}

char *ptx_strndup(struct ptx_diag *diag, const char *text, size_t n)
{
    char *copy = ptx_alloc(diag, n + 1, 1);
    memcpy(copy, text, n);
    return copy;
}

char *ptx_format(struct ptx_diag *diag, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return ptx_strndup(diag, text, strlen(text));
}

void *ptx_grow(struct ptx_diag *diag, void *array, size_t count, size_t size)
{
    bool full = count == 0 || (count >= 8 && (count & (count - 1)) == 0);
    if (!full) {
        return array;
    }
    void *larger = ptx_alloc(diag, count < 8 ? 8 : count * 2, size);
    if (count != 0) {
        memcpy(larger, array, count * size);
    }
    return larger;
}

void ptx_arena_free(struct ptx_arena *arena)
{
    while (arena->chunks != NULL) {
        struct ptx_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}

_Noreturn void ptx_fail(struct ptx_diag *diag, uint32_t line, uint32_t column, const char *format,
                        ...)
{
    char what[384];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    if (diag->n_error != 0) {
        if (column != 0) {
            snprintf(diag->error, diag->n_error, "%s:%u:%u: %s", diag->file, line, column, what);
        } else if (line != 0) {
            snprintf(diag->error, diag->n_error, "%s:%u: %s", diag->file, line, what);
        } else {
            snprintf(diag->error, diag->n_error, "%s: %s", diag->file, what);
        }
    }
    longjmp(diag->escape, 1);
}
