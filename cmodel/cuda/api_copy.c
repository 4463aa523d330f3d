/* api_copy.c - copies and fills: plain, pitched, three-dimensional.
 *
 * Where a pointer leads is known from the pointer; what host and device share is the host's between
 * kernels.  Nothing here takes simulated time.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_graph.h"
#include "cuda/cuda_runtime.h"

enum { PIECE_BYTES = 1 << 16 };

/* The device memory at `at`, NULL when it is the host's; an error code when it is neither. */
static int device_side(const void *at, size_t bytes, const struct cuda_block **block, void **host)
{
    const struct cuda_block *b = cuda_space_find(&cuda_runtime.space, (uintptr_t)at);

    *block = b && !b->host ? b : NULL;
    *host = b && b->host ? b->host + ((uintptr_t)at - b->base) : (void *)(uintptr_t)at;
    if (b && bytes > b->bytes - ((uintptr_t)at - b->base)) {
        return CUDA_INVALID_VALUE;
    }
    if (!b && ((uintptr_t)at - cuda_runtime.space.base <
                   cuda_runtime.space.end - cuda_runtime.space.base ||
               (!at && bytes))) {
        return CUDA_INVALID_VALUE; /* of the device's range, and nobody's */
    }
    return CUDA_SUCCESS;
}

int cuda_copy(void *to, const void *from, size_t bytes)
{
    const struct host_backend *b = &cuda_runtime.machine->backend;
    const struct cuda_block *to_block, *from_block;
    void *to_host, *from_host;
    int error = device_side(to, bytes, &to_block, &to_host);

    error = error ? error : device_side(from, bytes, &from_block, &from_host);
    if (error || bytes == 0) {
        return error;
    }
    if (!to_block && !from_block) {
        memmove(to_host, from_host, bytes);
    } else if (!from_block) {
        b->write(b->self, (uintptr_t)to, from_host, bytes);
    } else if (!to_block) {
        b->read(b->self, (uintptr_t)from, to_host, bytes);
    } else {
        uint8_t *piece = malloc(PIECE_BYTES);

        for (size_t at = 0; piece && at < bytes; at += PIECE_BYTES) {
            size_t n = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;

            b->read(b->self, (uintptr_t)from + at, piece, n);
            b->write(b->self, (uintptr_t)to + at, piece, n);
        }
        free(piece);
        return piece ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
    }
    return CUDA_SUCCESS;
}

int cuda_set(void *to, int value, size_t bytes)
{
    const struct host_backend *b = &cuda_runtime.machine->backend;
    const struct cuda_block *block;
    void *host;
    uint8_t piece[4096];
    int error = device_side(to, bytes, &block, &host);

    if (error || bytes == 0) {
        return error;
    }
    if (!block && cuda_space_find(&cuda_runtime.space, (uintptr_t)to)) {
        memset(host, value, bytes);
        return CUDA_SUCCESS;
    }
    if (!block) {
        return CUDA_INVALID_VALUE; /* ordinary memory of the host */
    }
    memset(piece, value, sizeof piece);
    for (size_t at = 0; at < bytes; at += sizeof piece) {
        size_t n = bytes - at < sizeof piece ? bytes - at : sizeof piece;

        b->write(b->self, (uintptr_t)to + at, piece, n);
    }
    return CUDA_SUCCESS;
}

static int check_kind(int kind)
{
    return kind >= CUDA_HOST_TO_HOST && kind <= CUDA_COPY_DEFAULT ? CUDA_SUCCESS
                                                                  : CUDA_INVALID_MEMCPY_DIRECTION;
}

static int stream_error(const void *stream)
{
    return cuda_is_stream(stream) ? CUDA_SUCCESS : CUDA_INVALID_HANDLE;
}

static int copy(void *to, const void *from, size_t bytes, int kind, const void *stream,
                enum cuda_use use)
{
    int error = cuda_enter(use);

    error = error ? error : stream_error(stream);
    error = error ? error : check_kind(kind);
    if (!error) {
        const struct cuda_node node = {
            .type = CUDA_NODE_COPY,
            .as.copy = {.src = {(void *)(uintptr_t)from, bytes, bytes, 1},
                        .dst = {to, bytes, bytes, 1},
                        .extent = {bytes, 1, 1},
                        .kind = kind}};

        if (cuda_capture(stream, &node, &error)) {
            return cuda_leave(error);
        }
    }
    return cuda_leave(error ? error : cuda_copy(to, from, bytes));
}

API(cudaMemcpy, void *to, const void *from, size_t bytes, int kind)
{
    return copy(to, from, bytes, kind, NULL, CUDA_USE_WAITS);
}

API(cudaMemcpyAsync, void *to, const void *from, size_t bytes, int kind, void *stream)
{
    return copy(to, from, bytes, kind, stream, CUDA_USE_WAITS);
}

API(cudaMemcpyPeer, void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    if (to_device != 0 || from_device != 0) {
        return cuda_keep_error(CUDA_INVALID_DEVICE);
    }
    return copy(to, from, bytes, CUDA_DEVICE_TO_DEVICE, NULL, CUDA_USE_WAITS);
}

API(cudaMemcpyPeerAsync, void *to, int to_device, const void *from, int from_device, size_t bytes,
    void *stream)
{
    if (to_device != 0 || from_device != 0) {
        return cuda_keep_error(CUDA_INVALID_DEVICE);
    }
    return copy(to, from, bytes, CUDA_DEVICE_TO_DEVICE, stream, CUDA_USE_WAITS);
}

/* ---- pitched ---- */

static int copy_rows(uint8_t *to, size_t to_pitch, const uint8_t *from, size_t from_pitch,
                     size_t width, size_t height)
{
    int error = CUDA_SUCCESS;

    if (width > to_pitch || width > from_pitch) {
        return width && height ? CUDA_INVALID_PITCH : CUDA_SUCCESS;
    }
    if (width == to_pitch && width == from_pitch) {
        return cuda_copy(to, from, width * height);
    }
    for (size_t y = 0; y < height && !error; y++) {
        error = cuda_copy(to + y * to_pitch, from + y * from_pitch, width);
    }
    return error;
}

API(cudaMemcpy2DAsync, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, int kind, void *stream)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    error = error ? error : stream_error(stream);
    error = error ? error : check_kind(kind);
    if (!error && cuda_capture_refuses(stream, "cudaMemcpy2DAsync", &error)) {
        return cuda_leave(error);
    }
    return cuda_leave(error ? error : copy_rows(to, to_pitch, from, from_pitch, width, height));
}

API(cudaMemcpy2D, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, int kind)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL);
}

/* Row (0, y, z) of a pitched volume, `pos` included. */
static uint8_t *row(const struct cuda_pitched *p, const struct cuda_pos *pos, size_t z)
{
    return (uint8_t *)p->ptr + ((z + pos->z) * p->ysize + pos->y) * p->pitch + pos->x;
}

static int copy_volume(const struct cuda_pitched *to, const struct cuda_pos *to_pos,
                       const struct cuda_pitched *from, const struct cuda_pos *from_pos,
                       const struct cuda_extent *extent)
{
    int error = CUDA_SUCCESS;

    for (size_t z = 0; z < extent->depth && !error; z++) {
        error = copy_rows(row(to, to_pos, z), to->pitch, row(from, from_pos, z), from->pitch,
                          extent->width, extent->height);
    }
    return error;
}

/* An array as the pitched memory that it is; positions and widths in texels become bytes. */
static int as_pitched(void *handle, struct cuda_pitched *pitched, struct cuda_pos *pos,
                      const struct cuda_extent *extent, size_t *texel_bytes)
{
    const struct cuda_array *a = handle ? cuda_array_of(handle) : NULL;
    size_t depth = extent->depth, height = extent->height;

    if (!a) {
        return handle ? CUDA_INVALID_HANDLE : CUDA_SUCCESS;
    }
    if (pos->x > a->extent.width || extent->width > a->extent.width - pos->x || pos->y > a->rows ||
        height > a->rows - pos->y || pos->z > a->slices || depth > a->slices - pos->z) {
        return CUDA_INVALID_VALUE;
    }
    *texel_bytes = cuda_texel_bytes(&a->format);
    *pitched = (struct cuda_pitched){(void *)(uintptr_t)a->base, a->pitch, a->extent.width,
                                     a->rows};
    pos->x *= *texel_bytes;
    return CUDA_SUCCESS;
}

static int copy_parts(struct cuda_copy3d p)
{
    size_t from_bytes = 0, to_bytes = 0;
    int error = as_pitched(p.src_array, &p.src, &p.src_pos, &p.extent, &from_bytes);

    error = error ? error : as_pitched(p.dst_array, &p.dst, &p.dst_pos, &p.extent, &to_bytes);
    if (!error && from_bytes && to_bytes && from_bytes != to_bytes) {
        error = CUDA_INVALID_VALUE;
    }
    p.extent.width *= from_bytes ? from_bytes : to_bytes ? to_bytes : 1;
    return error ? error : copy_volume(&p.dst, &p.dst_pos, &p.src, &p.src_pos, &p.extent);
}

API(cudaMemcpy3DAsync, const struct cuda_copy3d *p, void *stream)
{
    int error;

    if (!p) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    error = cuda_enter(CUDA_USE_WAITS);
    error = error ? error : stream_error(stream);
    error = error ? error : check_kind(p->kind);
    if (!error) {
        const struct cuda_node node = {.type = CUDA_NODE_COPY, .as.copy = *p};

        if (cuda_capture(stream, &node, &error)) {
            return cuda_leave(error);
        }
    }
    return cuda_leave(error ? error : copy_parts(*p));
}

API(cudaMemcpy3D, const struct cuda_copy3d *p)
{
    return cudaMemcpy3DAsync(p, NULL);
}

API(cudaMemcpy3DPeerAsync, const struct cuda_copy3d_peer *p, void *stream)
{
    struct cuda_copy3d plain;

    if (!p || p->src_device != 0 || p->dst_device != 0) {
        return cuda_keep_error(p ? CUDA_INVALID_DEVICE : CUDA_INVALID_VALUE);
    }
    plain = (struct cuda_copy3d){.src_array = p->src_array,
                                 .src_pos = p->src_pos,
                                 .src = p->src,
                                 .dst_array = p->dst_array,
                                 .dst_pos = p->dst_pos,
                                 .dst = p->dst,
                                 .extent = p->extent,
                                 .kind = CUDA_DEVICE_TO_DEVICE};
    return cudaMemcpy3DAsync(&plain, stream);
}

API(cudaMemcpy3DPeer, const struct cuda_copy3d_peer *p)
{
    return cudaMemcpy3DPeerAsync(p, NULL);
}

/* ---- fills ---- */

API(cudaMemset3DAsync, struct cuda_pitched to, int value, struct cuda_extent extent, void *stream)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    error = error ? error : stream_error(stream);
    if (!error && cuda_capture_refuses(stream, "cudaMemset2DAsync or 3DAsync", &error)) {
        return cuda_leave(error);
    }
    if (!error && extent.width > to.pitch && extent.height > 1) {
        error = CUDA_INVALID_VALUE;
    }
    for (size_t z = 0; z < extent.depth && !error; z++) {
        bool whole = extent.width == to.pitch;
        size_t rows = whole ? 1 : extent.height, width = extent.width * (whole ? extent.height : 1);

        for (size_t y = 0; y < rows && !error; y++) {
            error = cuda_set((uint8_t *)to.ptr + (z * to.ysize + y) * to.pitch, value, width);
        }
    }
    return cuda_leave(error);
}

API(cudaMemset3D, struct cuda_pitched to, int value, struct cuda_extent extent)
{
    return cudaMemset3DAsync(to, value, extent, NULL);
}

API(cudaMemset2DAsync, void *to, size_t pitch, int value, size_t width, size_t height, void *stream)
{
    struct cuda_pitched p = {.ptr = to, .pitch = pitch, .xsize = width, .ysize = height};
    struct cuda_extent extent = {width, height, 1};

    return cudaMemset3DAsync(p, value, extent, stream);
}

API(cudaMemset2D, void *to, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
}

API(cudaMemsetAsync, void *to, int value, size_t bytes, void *stream)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    error = error ? error : stream_error(stream);
    if (!error) {
        const struct cuda_node node = {.type = CUDA_NODE_SET,
                                       .as.set = {to, bytes, (unsigned)value & 255, 1, bytes, 1}};

        if (cuda_capture(stream, &node, &error)) {
            return cuda_leave(error);
        }
    }
    return cuda_leave(error ? error : cuda_set(to, value, bytes));
}

API(cudaMemset, void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}
