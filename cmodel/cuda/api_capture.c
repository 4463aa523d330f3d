/* api_capture.c - streams that record what is submitted to them, as a graph.
 *
 * A stream records from cudaStreamBeginCapture on, and so does one that waits for an event of it.  Each
 * node comes after the one before it, whatever stream it is of: one of the orders that CUDA allows.
 */
#include <stdio.h>
#include <string.h>

#include "cuda/cuda_graph.h"
#include "cuda/cuda_runtime.h"

bool cuda_capture(const void *stream, const struct cuda_node *as, int *error)
{
    const struct cuda_stream *s = cuda_stream_of(stream);
    struct cuda_graph *graph = s ? s->capture : NULL;

    if (graph) {
        *error = cuda_graph_add(graph, as, graph->n ? &graph->node[graph->n - 1] : NULL,
                                graph->n != 0, NULL);
    }
    return graph != NULL;
}

bool cuda_capture_refuses(const void *stream, const char *call, int *error)
{
    const struct cuda_stream *s = cuda_stream_of(stream);

    if (s && s->capture) {
        fprintf(stderr, "warplock: %s cannot be recorded in a graph\n", call);
        *error = CUDA_STREAM_CAPTURE_UNSUPPORTED;
    }
    return s && s->capture;
}

API(cudaStreamBeginCapture, void *handle, int mode)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_stream *stream = error ? NULL : cuda_stream_of(handle);

    if (!error && !stream) { /* the default stream cannot record */
        error = cuda_is_stream(handle) ? CUDA_STREAM_CAPTURE_UNSUPPORTED : CUDA_INVALID_HANDLE;
    }
    if (!error && (mode < 0 || mode > 2 || stream->capture)) {
        error = stream->capture ? CUDA_STREAM_CAPTURE_UNSUPPORTED : CUDA_INVALID_VALUE;
    }
    error = error ? error : cuda_graph_new(&stream->capture);
    if (!error) {
        stream->captures = true;
    }
    return cuda_leave(error);
}

API(cudaStreamEndCapture, void *handle, struct cuda_graph **out)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_stream *stream = error ? NULL : cuda_stream_of(handle);
    struct cuda_graph *graph = stream ? stream->capture : NULL;

    if (!error && (!graph || !stream->captures || !out)) {
        error = CUDA_ILLEGAL_STATE;
    }
    for (struct cuda_stream *s = cuda_runtime.streams; s && !error; s = s->hh.next) {
        s->capture = s->capture == graph ? NULL : s->capture;
    }
    for (struct cuda_event *e = cuda_runtime.events; e && !error; e = e->hh.next) {
        e->capture = e->capture == graph ? NULL : e->capture;
    }
    if (!error) {
        stream->captures = false;
        *out = graph;
    }
    return cuda_leave(error);
}

/* 0: it does not record, 1: it does. */
API(cudaStreamIsCapturing, void *handle, int *status)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_stream *stream = error ? NULL : cuda_stream_of(handle);

    error = error ? error : status && cuda_is_stream(handle) ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    if (!error) {
        *status = stream && stream->capture;
    }
    return cuda_leave(error);
}

API(cudaStreamGetCaptureInfo, void *handle, int *status, unsigned long long *id,
    struct cuda_graph **graph, void *dependencies, void *edges, size_t *n)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_stream *stream = error ? NULL : cuda_stream_of(handle);
    struct cuda_graph *records = stream ? stream->capture : NULL;

    error = error ? error : status && cuda_is_stream(handle) ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    if (!error && records && dependencies) {
        struct cuda_node **last = records->n ? &records->node[records->n - 1] : NULL;

        memcpy(dependencies, &last, sizeof(last));
    }
    if (!error && records && edges) {
        memset(edges, 0, sizeof(void *));
    }
    if (!error) {
        *status = records != NULL;
        *(id ? id : &(unsigned long long){0}) = records ? stream->id : 0;
        *(graph ? graph : &(struct cuda_graph *){NULL}) = records;
        *(n ? n : &(size_t){0}) = records && records->n;
    }
    return cuda_leave(error);
}

/* 0: global, 1: of the thread, 2: relaxed; the library keeps to none of them. */
API(cudaThreadExchangeStreamCaptureMode, int *mode)
{
    struct cuda_thread *t = cuda_thread();
    int old = t->capture_mode;

    if (!mode || *mode < 0 || *mode > 2) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    t->capture_mode = *mode;
    *mode = old;
    return CUDA_SUCCESS;
}
