/* cuda_calls.h - what kernels call outside: printf, failed assertions, the device's heap.
 *
 * Texts are collected while a kernel runs and written when it has ended, by cycle and SM, so that
 * they do not depend on how many threads simulate.  Knows ptx.h.
 */
#ifndef WARPLOCK_CUDA_CALLS_H
#define WARPLOCK_CUDA_CALLS_H

#include <pthread.h>

#include "cuda/cuda_space.h"
#include "ptx/ptx.h"

struct cuda_said {
    uint64_t cycle;
    uint32_t sm;
    size_t order;
    bool to_stderr;
    char *text;
    size_t n;
};

struct cuda_calls {
    pthread_mutex_t lock;
    struct cuda_space *space;
    struct cuda_heap **heap;
    size_t heap_bytes;
    struct cuda_said *said;
    size_t n_said, max_said;
    bool asserted; /* an assertion has failed */
};

/* ptx_outside_fn; `context` is a struct cuda_calls. */
bool cuda_outside(void *context, struct ptx_outside_call *call);
/* Write what was said, and forget it. */
void cuda_calls_write(struct cuda_calls *calls);

void cuda_heap_free(struct cuda_heap *heap);

/* Format as the device's printf does: `call` has the format and the arguments' buffer.  A text to be
 * freed; `*result` is what vprintf returns.  NULL when out of memory. */
char *cuda_printf(const struct ptx_outside_call *call, size_t *n, int *result);

#endif
