/* cuda_runtime.h - the state of the runtime library in one process, and how a call begins and ends.
 *
 * One lock around the simulator: calls of several host threads take turns.  The last error, the
 * current device and the launch configurations are each thread's own.
 */
#ifndef WARPLOCK_CUDA_RUNTIME_H
#define WARPLOCK_CUDA_RUNTIME_H

#include <pthread.h>

#include "cuda/cuda_abi.h"
#include "cuda/cuda_machine.h"
#include "cuda/cuda_module.h"
#include "cuda/cuda_space.h"
#include "cuda/cuda_texture.h"

struct cuda_stream {
    unsigned flags;
    int priority;
    uint64_t id;
    struct cuda_graph *capture; /* what is submitted becomes its nodes; NULL: it is run */
    bool captures;              /* the recording began with this stream */
    UT_hash_handle hh;
    struct cuda_stream *self; /* the key */
};

struct cuda_event {
    unsigned flags;
    bool recorded;
    uint64_t cycle;             /* simulated core cycle of the last record */
    struct cuda_graph *capture; /* it was recorded by a stream that records */
    UT_hash_handle hh;
    struct cuda_event *self;
};

enum { CUDA_LIMITS = 8 };

struct cuda_runtime {
    pthread_mutex_t lock;
    bool opened, closed; /* the machine was made, or tried; the process is about to end */
    int open_error;
    struct cuda_machine *machine;
    struct cuda_space space;
    struct cuda_code code;
    size_t registered;
    struct cuda_stream *streams;
    struct cuda_event *events;
    uint64_t n_streams;
    struct cuda_graph *graphs;
    struct cuda_pool *pools, *pool; /* all; the device's */
    struct cuda_array *arrays;
    struct cuda_textures textures;
    uint64_t local, local_bytes; /* local memory of launches, kept */
    uint64_t grid_sync;          /* barrier words of cooperative launches */
    struct cuda_heap *heap;      /* of kernels that allocate */
    int fault;                   /* what destroyed the context; 0 */
    bool fault_seen;             /* a call has returned it */
    size_t limit[CUDA_LIMITS];
    unsigned device_flags;
    int cache_config;
};

struct cuda_call_configuration {
    struct cuda_dim3 grid, block;
    size_t shared_bytes;
    void *stream;
};

struct cuda_thread {
    int last_error, device;
    int capture_mode; /* kept for the program */
    struct cuda_call_configuration *stack;
    size_t n_stack, max_stack;
};

/* Head of an entry point: declared, seen from outside, an error code. */
#define API(name, ...) \
    CUDA_API int name(__VA_ARGS__); \
    int name(__VA_ARGS__)

extern struct cuda_runtime cuda_runtime;
struct cuda_thread *cuda_thread(void);

/* How a call uses the device. */
enum cuda_use {
    CUDA_USE_NONE,   /* only the library's own state */
    CUDA_USE_DEVICE, /* may be answered before what was launched has ended */
    CUDA_USE_WAITS   /* waits for it, and so sees its fault */
};

/* Begin a call: takes the lock, and makes the machine unless NONE.  Its error code; the call must
 * go to cuda_leave in any case. */
int cuda_enter(enum cuda_use use);
/* End it: gives the lock back, keeps `error` as the thread's last. */
int cuda_leave(int error);
/* The thread's last error becomes `error`, unless 0; which is returned. */
int cuda_keep_error(int error);

/* An error code: there is one device, number 0. */
int cuda_check_device(int device);
/* Give the program a number; an error code where it gave no place. */
int cuda_put(int *out, int value);

/* One line on stderr that a call is refused; its error code. */
int cuda_refuse(const char *call);

/* The stream that the program made with that handle; NULL: none. */
struct cuda_stream *cuda_stream_of(const void *stream);
/* A stream handle: 0, 1, 2 or one of ours. */
bool cuda_is_stream(const void *stream);

/* Launch; an error code of the launch itself (faults of the kernel are kept in the runtime). */
int cuda_launch(const struct cuda_kernel *kernel, struct cuda_dim3 grid, struct cuda_dim3 block,
                void **args, size_t shared_bytes, bool cooperative);
/* The kernel behind `function`, its module loaded and itself lowered; an error code. */
int cuda_kernel_of(const void *function, struct cuda_kernel **kernel,
                   const struct isa_kernel **lowered);
/* Registers counted in PTX are an estimate, and a compiler makes do with what a block can have: no more
 * than that for `threads` of the kernel, unless machine code says how many. */
void cuda_make_do(const struct cuda_kernel *kernel, const struct isa_kernel *k, uint64_t threads);
/* CTAs of that many threads that an SM holds at once; 0: none. */
uint32_t cuda_occupancy(const struct isa_kernel *kernel, uint64_t threads, uint64_t dynamic_shared);
uint32_t cuda_shared_limit(const struct cuda_kernel *kernel);

/* The variable behind `symbol`, its module loaded; an error code. */
int cuda_variable_of(const void *symbol, struct cuda_variable **variable);

/* Copy by what the pointers say; an error code. */
int cuda_copy(void *to, const void *from, size_t bytes);
int cuda_set(void *to, int value, size_t bytes);

#endif
