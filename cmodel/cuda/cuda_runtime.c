/* cuda_runtime.c - see cuda_runtime.h. */
#include "cuda/cuda_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuda/cuda_calls.h"

struct cuda_runtime cuda_runtime = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local struct cuda_thread thread;
static pid_t owner;
static int exit_status;

struct cuda_thread *cuda_thread(void)
{
    return &thread;
}

static void note_status(int status, void *to)
{
    *(int *)to = status;
}

static int open_machine(void)
{
    struct cuda_runtime *rt = &cuda_runtime;

    owner = getpid();
    if (on_exit(note_status, &exit_status) != 0) {
        return CUDA_INITIALIZATION;
    }
    rt->machine = cuda_machine_open();
    if (!rt->machine) {
        return CUDA_INITIALIZATION;
    }
    if (cuda_space_open(&rt->space, rt->machine->memory, &rt->machine->backend,
                        rt->machine->memory_bytes) != 0) {
        fprintf(stderr, "warplock: the process has no room for device addresses below 2^40\n");
        return CUDA_INITIALIZATION;
    }
    return CUDA_SUCCESS;
}

/* Managed variables get their memory as soon as there is a device. */
static int place_managed(void)
{
    int error = CUDA_SUCCESS;

    for (struct cuda_module *m = cuda_runtime.code.modules; m && !error; m = m->next) {
        error = cuda_module_place_managed(m, &cuda_runtime.code, &cuda_runtime.space);
    }
    return error;
}

int cuda_enter(enum cuda_use use)
{
    struct cuda_runtime *rt = &cuda_runtime;
    int error = CUDA_SUCCESS;

    pthread_mutex_lock(&rt->lock);
    if (use == CUDA_USE_NONE) {
        return CUDA_SUCCESS;
    }
    if (rt->closed) {
        return CUDA_UNLOADING;
    }
    if (!rt->opened) {
        rt->opened = true;
        rt->open_error = open_machine();
    }
    error = rt->open_error ? rt->open_error : place_managed();
    if (!error && rt->fault && (use == CUDA_USE_WAITS || rt->fault_seen)) {
        rt->fault_seen = true;
        error = rt->fault;
    }
    return error;
}

int cuda_keep_error(int error)
{
    if (error) {
        thread.last_error = error;
    }
    return error;
}

int cuda_leave(int error)
{
    pthread_mutex_unlock(&cuda_runtime.lock);
    return cuda_keep_error(error);
}

int cuda_refuse(const char *call)
{
    fprintf(stderr, "warplock: %s is not supported by the simulated GPU\n", call);
    return cuda_keep_error(CUDA_NOT_SUPPORTED);
}

int cuda_check_device(int device)
{
    return device == 0 ? CUDA_SUCCESS : CUDA_INVALID_DEVICE;
}

int cuda_put(int *out, int value)
{
    if (!out) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    *out = value;
    return CUDA_SUCCESS;
}

struct cuda_stream *cuda_stream_of(const void *stream)
{
    struct cuda_stream *found = NULL;

    HASH_FIND_PTR(cuda_runtime.streams, &stream, found);
    return found;
}

bool cuda_is_stream(const void *stream)
{
    return (uintptr_t)stream <= 2 || cuda_stream_of(stream) != NULL;
}

/* The last that runs in the process: what was asked for is written.  A program that says all is well
 * does not say so when the machine saw otherwise. */
__attribute__((destructor)) static void close_runtime(void)
{
    struct cuda_runtime *rt = &cuda_runtime;
    bool failed = false;

    if (rt->closed || owner != getpid()) {
        return;
    }
    pthread_mutex_lock(&rt->lock);
    rt->closed = true;
    if (rt->machine) {
        cuda_heap_free(rt->heap);
        cuda_textures_forget();
        cuda_space_close(&rt->space);
        failed = cuda_machine_close(rt->machine, rt->fault != 0);
        rt->machine = NULL;
    }
    pthread_mutex_unlock(&rt->lock);
    if (failed && exit_status == 0) {
        fflush(NULL);
        _exit(EXIT_FAILURE);
    }
}
