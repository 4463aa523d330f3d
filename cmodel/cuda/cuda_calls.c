/* cuda_calls.c - see cuda_calls.h. */
#include "cuda/cuda_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAP_ALIGN = 16, MAX_STRING = 1024 };

/* Pieces of the heap that are in use, ascending; the gaps are free. */
struct cuda_heap {
    uint64_t base, bytes;
    struct piece {
        uint64_t at, bytes;
    } *piece;
    size_t n, max;
};

void cuda_heap_free(struct cuda_heap *heap)
{
    if (heap) {
        free(heap->piece);
        free(heap);
    }
}

static struct cuda_heap *heap_of(struct cuda_calls *calls)
{
    if (!*calls->heap) {
        struct cuda_block *block = cuda_space_take(calls->space, "heap of kernels",
                                                   calls->heap_bytes, CUDA_BLOCK_INTERNAL, NULL);
        struct cuda_heap *heap = block ? calloc(1, sizeof *heap) : NULL;

        if (heap) {
            heap->base = block->base;
            heap->bytes = block->bytes;
            *calls->heap = heap;
        }
    }
    return *calls->heap;
}

static uint64_t heap_take(struct cuda_calls *calls, uint64_t bytes)
{
    struct cuda_heap *heap = bytes ? heap_of(calls) : NULL;
    uint64_t from = 0, need = (bytes + HEAP_ALIGN - 1) & ~(uint64_t)(HEAP_ALIGN - 1);

    if (!heap || need < bytes) {
        return 0;
    }
    if (heap->n == heap->max) {
        size_t max = heap->max ? 2 * heap->max : 256;
        struct piece *more = realloc(heap->piece, max * sizeof *more);

        if (!more) {
            return 0;
        }
        heap->piece = more;
        heap->max = max;
    }
    for (size_t p = 0; p <= heap->n; p++) {
        uint64_t to = p < heap->n ? heap->piece[p].at : heap->bytes;

        if (to - from >= need) {
            memmove(&heap->piece[p + 1], &heap->piece[p], (heap->n++ - p) * sizeof *heap->piece);
            heap->piece[p] = (struct piece){from, need};
            return heap->base + from;
        }
        from = p < heap->n ? heap->piece[p].at + heap->piece[p].bytes : 0;
    }
    return 0;
}

/* False: it is nobody's. */
static bool heap_give(struct cuda_calls *calls, uint64_t address)
{
    struct cuda_heap *heap = *calls->heap;

    for (size_t p = 0; heap && p < heap->n; p++) {
        if (heap->base + heap->piece[p].at == address) {
            memmove(&heap->piece[p], &heap->piece[p + 1], (--heap->n - p) * sizeof *heap->piece);
            return true;
        }
    }
    return address == 0;
}

static void say(struct cuda_calls *calls, const struct ptx_outside_call *call, bool to_stderr,
                char *text, size_t n)
{
    if (calls->n_said == calls->max_said) {
        size_t max = calls->max_said ? 2 * calls->max_said : 64;
        struct cuda_said *more = realloc(calls->said, max * sizeof *more);

        if (!more) {
            free(text);
            return;
        }
        calls->said = more;
        calls->max_said = max;
    }
    calls->said[calls->n_said] = (struct cuda_said){.cycle = call->cycle,
                                                    .sm = call->sm,
                                                    .order = calls->n_said,
                                                    .to_stderr = to_stderr,
                                                    .text = text,
                                                    .n = n};
    calls->n_said++;
}

static void read_string(const struct ptx_outside_call *call, uint64_t address, char *to)
{
    size_t n = 0;

    while (n + 1 < MAX_STRING && call->read(call, address + n, to + n, 1) && to[n]) {
        n++;
    }
    to[n] = '\0';
}

static void fail_assertion(struct cuda_calls *calls, const struct ptx_outside_call *call)
{
    char message[MAX_STRING], file[MAX_STRING], function[MAX_STRING], *text = NULL;
    const struct isa_dim3 *b = &call->cta, *t = &call->thread;
    int n;

    read_string(call, call->argument[0], message);
    read_string(call, call->argument[1], file);
    read_string(call, call->argument[3], function);
    n = asprintf(&text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                 file, (uint32_t)call->argument[2], function, b->x, b->y, b->z, t->x, t->y, t->z,
                 message);
    if (n >= 0) {
        say(calls, call, true, text, (size_t)n);
    }
    calls->asserted = true;
}

bool cuda_outside(void *context, struct ptx_outside_call *call)
{
    struct cuda_calls *calls = context;
    bool goes_on = true;
    size_t n = 0;
    int result = 0;
    char *text;

    pthread_mutex_lock(&calls->lock);
    switch (call->what) {
    case PTX_VPRINTF:
        text = cuda_printf(call, &n, &result);
        if (text) {
            say(calls, call, false, text, n);
        }
        call->result = (uint32_t)result;
        break;
    case PTX_ASSERTFAIL:
        fail_assertion(calls, call);
        goes_on = false;
        break;
    case PTX_MALLOC: call->result = heap_take(calls, call->argument[0]); break;
    case PTX_FREE: goes_on = heap_give(calls, call->argument[0]); break;
    default: goes_on = false; break;
    }
    pthread_mutex_unlock(&calls->lock);
    return goes_on;
}

static int earlier(const void *left, const void *right)
{
    const struct cuda_said *a = left, *b = right;

    if (a->cycle != b->cycle) {
        return a->cycle < b->cycle ? -1 : 1;
    }
    if (a->sm != b->sm) {
        return a->sm < b->sm ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

void cuda_calls_write(struct cuda_calls *calls)
{
    if (calls->n_said) { /* by cycle and SM: several threads may have collected them */
        qsort(calls->said, calls->n_said, sizeof *calls->said, earlier);
    }
    for (size_t s = 0; s < calls->n_said; s++) {
        fwrite(calls->said[s].text, 1, calls->said[s].n,
               calls->said[s].to_stderr ? stderr : stdout);
        free(calls->said[s].text);
    }
    if (calls->n_said) {
        fflush(stdout);
    }
    free(calls->said);
    calls->said = NULL;
    calls->n_said = calls->max_said = 0;
}
