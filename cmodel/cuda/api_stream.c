/* api_stream.c - streams, events, callbacks.
 *
 * Each operation ends inside the call that submits it: order within every stream holds, and events
 * are complete when they are recorded.  Their times are simulated ones.
 */
#include <stdlib.h>

#include "cuda/cuda_graph.h"
#include "cuda/cuda_runtime.h"

enum { EVENT_NO_TIMING = 2 };

API(cudaStreamCreateWithPriority, void **out, unsigned flags, int priority)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_stream *stream = NULL;

    if (!error && (!out || flags > 1)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error && !(stream = calloc(1, sizeof *stream))) {
        error = CUDA_MEMORY_ALLOCATION;
    }
    if (!error) {
        stream->flags = flags;
        stream->priority = priority < 0 ? 0 : 0; /* there is one priority, 0 */
        stream->id = 3 + cuda_runtime.n_streams++;
        stream->self = stream;
        HASH_ADD_PTR(cuda_runtime.streams, self, stream);
        *out = stream;
    }
    return cuda_leave(error);
}

API(cudaStreamCreateWithFlags, void **out, unsigned flags)
{
    return cudaStreamCreateWithPriority(out, flags, 0);
}

API(cudaStreamCreate, void **out)
{
    return cudaStreamCreateWithPriority(out, 0, 0);
}

API(cudaStreamDestroy, void *handle)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_stream *stream = error ? NULL : cuda_stream_of(handle);

    if (stream) {
        HASH_DEL(cuda_runtime.streams, stream);
        free(stream);
    }
    return cuda_leave(error ? error : stream ? CUDA_SUCCESS : CUDA_INVALID_HANDLE);
}

static int check_stream(const void *stream, enum cuda_use use)
{
    int error = cuda_enter(use);

    return error ? error : cuda_is_stream(stream) ? CUDA_SUCCESS : CUDA_INVALID_HANDLE;
}

/* Until all is done that was submitted. */
static int wait_for_stream(const void *stream, const char *call)
{
    int error = check_stream(stream, CUDA_USE_WAITS);

    return cuda_leave(error || cuda_capture_refuses(stream, call, &error) ? error : CUDA_SUCCESS);
}

API(cudaStreamSynchronize, void *stream)
{
    return wait_for_stream(stream, "cudaStreamSynchronize");
}

API(cudaStreamQuery, void *stream)
{
    return wait_for_stream(stream, "cudaStreamQuery");
}

API(cudaStreamGetFlags, void *stream, unsigned *flags)
{
    int error = check_stream(stream, CUDA_USE_DEVICE);

    if (!error && flags) {
        const struct cuda_stream *s = cuda_stream_of(stream);

        *flags = s ? s->flags : 0;
    }
    return cuda_leave(error ? error : flags ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaStreamGetId, void *stream, unsigned long long *id)
{
    int error = check_stream(stream, CUDA_USE_DEVICE);

    if (!error && id) {
        const struct cuda_stream *s = cuda_stream_of(stream);

        *id = s ? s->id : (uintptr_t)stream == 2 ? 2 : 1;
    }
    return cuda_leave(error ? error : id ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

/* Zero, and that is all: the priority, the device. */
static int zero_of_stream(const void *stream, int *out)
{
    int error = check_stream(stream, CUDA_USE_DEVICE);

    if (!error && out) {
        *out = 0;
    }
    return cuda_leave(error ? error : out ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaStreamGetPriority, void *stream, int *priority)
{
    return zero_of_stream(stream, priority);
}

API(cudaStreamGetDevice, void *stream, int *device)
{
    return zero_of_stream(stream, device);
}

API(cudaStreamSetAttribute, void *stream, int id, const void *value)
{
    (void)id;
    return cuda_leave(check_stream(value ? stream : (void *)-1, CUDA_USE_DEVICE));
}

API(cudaStreamGetAttribute, void *stream, int id, void *value)
{
    int error = check_stream(stream, CUDA_USE_DEVICE);

    (void)id;
    for (size_t b = 0; !error && value && b < 64; b++) {
        ((uint8_t *)value)[b] = 0;
    }
    return cuda_leave(error ? error : value ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaStreamCopyAttributes, void *to, void *from)
{
    int error = check_stream(to, CUDA_USE_DEVICE);

    return cuda_leave(error ? error : cuda_is_stream(from) ? CUDA_SUCCESS : CUDA_INVALID_HANDLE);
}

API(cudaStreamAttachMemAsync, void *stream, void *at, size_t bytes, unsigned flags)
{
    int error = check_stream(stream, CUDA_USE_DEVICE);
    const struct cuda_block *block = error ? NULL
                                           : cuda_space_find(&cuda_runtime.space, (uintptr_t)at);

    if (!error && (!block || block->kind != CUDA_BLOCK_MANAGED || bytes > block->bytes ||
                   (flags != 1 && flags != 2 && flags != 4))) {
        error = CUDA_INVALID_VALUE;
    }
    return cuda_leave(error);
}

/* ---- functions of the host's in a stream ---- */

struct callback {
    void (*plain)(void *data);
    void (*with_status)(void *stream, int status, void *data);
    void *stream, *data;
};

static void *call_back(void *self)
{
    const struct callback *c = self;

    if (c->plain) {
        c->plain(c->data);
    } else {
        c->with_status(c->stream, CUDA_SUCCESS, c->data);
    }
    return NULL;
}

/* On a thread of its own, as it may take locks that the caller does not hold; what follows in any
 * stream waits for it. */
static int run_callback(struct callback callback)
{
    int error = check_stream(callback.stream, CUDA_USE_DEVICE);
    pthread_t helper;

    if (!error && !callback.plain && !callback.with_status) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error && callback.plain) {
        const struct cuda_node node = {.type = CUDA_NODE_HOST,
                                       .as.host = {callback.plain, callback.data}};

        if (cuda_capture(callback.stream, &node, &error)) {
            return cuda_leave(error);
        }
    } else if (!error) {
        cuda_capture_refuses(callback.stream, "cudaStreamAddCallback", &error);
    }
    if (cuda_leave(error)) {
        return error;
    }
    if (pthread_create(&helper, NULL, call_back, &callback) != 0) {
        return cuda_keep_error(CUDA_MEMORY_ALLOCATION);
    }
    pthread_join(helper, NULL);
    return CUDA_SUCCESS;
}

API(cudaLaunchHostFunc, void *stream, void (*function)(void *data), void *data)
{
    return run_callback((struct callback){.plain = function, .stream = stream, .data = data});
}

API(cudaStreamAddCallback, void *stream, void (*function)(void *stream, int status, void *data),
    void *data, unsigned flags)
{
    if (flags != 0) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    return run_callback((struct callback){.with_status = function, .stream = stream, .data = data});
}

/* ---- events ---- */

static struct cuda_event *event_of(const void *event)
{
    struct cuda_event *found = NULL;

    HASH_FIND_PTR(cuda_runtime.events, &event, found);
    return found;
}

API(cudaEventCreateWithFlags, void **out, unsigned flags)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_event *event = NULL;

    if (!error && (!out || flags > 7 || (flags & 6) == 4)) {
        error = CUDA_INVALID_VALUE; /* between processes only without timing */
    }
    if (!error && !(event = calloc(1, sizeof *event))) {
        error = CUDA_MEMORY_ALLOCATION;
    }
    if (!error) {
        event->flags = flags;
        event->self = event;
        HASH_ADD_PTR(cuda_runtime.events, self, event);
        *out = event;
    }
    return cuda_leave(error);
}

API(cudaEventCreate, void **out)
{
    return cudaEventCreateWithFlags(out, 0);
}

API(cudaEventDestroy, void *handle)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_event *event = error ? NULL : event_of(handle);

    if (event) {
        HASH_DEL(cuda_runtime.events, event);
        free(event);
    }
    return cuda_leave(error ? error : event ? CUDA_SUCCESS : CUDA_INVALID_HANDLE);
}

API(cudaEventRecord, void *handle, void *stream)
{
    int error = check_stream(stream, CUDA_USE_DEVICE);
    struct cuda_event *event = error ? NULL : event_of(handle);

    if (event) {
        const struct cuda_stream *s = cuda_stream_of(stream);

        event->capture = s ? s->capture : NULL;
        event->recorded = true;
        event->cycle = *cuda_runtime.machine->cycle;
    }
    return cuda_leave(error ? error : event ? CUDA_SUCCESS : CUDA_INVALID_HANDLE);
}

API(cudaEventRecordWithFlags, void *handle, void *stream, unsigned flags)
{
    return flags > 1 ? cuda_keep_error(CUDA_INVALID_VALUE) : cudaEventRecord(handle, stream);
}

static int wait_for_event(const void *handle)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    return cuda_leave(error ? error : event_of(handle) ? CUDA_SUCCESS : CUDA_INVALID_HANDLE);
}

API(cudaEventSynchronize, void *handle)
{
    return wait_for_event(handle);
}

API(cudaEventQuery, void *handle)
{
    return wait_for_event(handle);
}

API(cudaStreamWaitEvent, void *stream, void *handle, unsigned flags)
{
    int error = check_stream(stream, CUDA_USE_DEVICE);

    if (!error && flags > 1) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error && event_of(handle) && cuda_stream_of(stream) && event_of(handle)->capture) {
        cuda_stream_of(stream)->capture = event_of(handle)
                                              ->capture; /* it records from now on, too */
    }
    return cuda_leave(error ? error : event_of(handle) ? CUDA_SUCCESS : CUDA_INVALID_HANDLE);
}

API(cudaEventElapsedTime, float *ms, void *from, void *to)
{
    int error = cuda_enter(CUDA_USE_WAITS);
    const struct cuda_event *a = error ? NULL : event_of(from), *b = error ? NULL : event_of(to);

    if (!error && !ms) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error &&
        (!a || !b || !a->recorded || !b->recorded || ((a->flags | b->flags) & EVENT_NO_TIMING))) {
        error = CUDA_INVALID_HANDLE;
    }
    if (!error) {
        double cycles = (double)b->cycle - (double)a->cycle;

        *ms = (float)(cycles / cuda_runtime.machine->gpu->config.clock_core_khz);
    }
    return cuda_leave(error);
}
