/* api_array.c - CUDA arrays: texels that textures and surfaces are made of, and copies to and from
 * them.
 *
 * An array lies row by row in device memory, each row from a multiple of 512 bytes on.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_runtime.h"
#include "cuda/cuda_texture.h"

enum { ROW_ALIGN_BYTES = 512 };

struct cuda_array *cuda_array_of(const void *handle)
{
    struct cuda_array *found = NULL;

    HASH_FIND_PTR(cuda_runtime.arrays, &handle, found);
    return found;
}

int cuda_channels(const struct cuda_channel_format *f)
{
    const int bits[] = {f->x, f->y, f->z, f->w};
    int n = 0;

    while (n < 4 && bits[n] > 0) {
        n++;
    }
    for (int c = 1; c < 4; c++) {
        if (bits[c] != (c < n ? bits[0] : 0)) {
            return 0;
        }
    }
    return (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) || n == 3 || f->f < 0 || f->f > 2 ||
                   (f->f == 2 && bits[0] == 8)
               ? 0
               : n;
}

size_t cuda_texel_bytes(const struct cuda_channel_format *f)
{
    return (size_t)cuda_channels(f) * (size_t)f->x / 8;
}

static int make(void **out, const struct cuda_channel_format *format, struct cuda_extent extent,
                unsigned flags)
{
    struct cuda_array *array = calloc(1, sizeof *array);
    struct cuda_block *block = NULL;
    size_t rows, bytes = 0, width = extent.width * cuda_texel_bytes(format);

    if (!array) {
        return CUDA_MEMORY_ALLOCATION;
    }
    *array = (struct cuda_array){
        .format = *format, .extent = extent, .flags = flags, .self = array};
    array->rows = extent.height ? extent.height : 1;
    array->slices = extent.depth ? extent.depth : 1;
    array->pitch = (width + ROW_ALIGN_BYTES - 1) / ROW_ALIGN_BYTES * ROW_ALIGN_BYTES;
    if (!__builtin_mul_overflow(array->rows, array->slices, &rows) &&
        !__builtin_mul_overflow(rows, array->pitch, &bytes)) {
        block = cuda_space_take(&cuda_runtime.space, "array", bytes, CUDA_BLOCK_INTERNAL, NULL);
    }
    if (!block) {
        free(array);
        return CUDA_MEMORY_ALLOCATION;
    }
    array->base = block->base;
    HASH_ADD_PTR(cuda_runtime.arrays, self, array);
    *out = array;
    return CUDA_SUCCESS;
}

static bool fits(const struct cuda_extent *e, unsigned flags)
{
    bool solid = e->depth != 0 && !(flags & CUDA_ARRAY_LAYERED);

    return e->width != 0 && e->width <= (solid ? CUDA_MOST_VOLUME : CUDA_MOST_WIDTH) &&
           e->height <= (solid ? CUDA_MOST_VOLUME : CUDA_MOST_HEIGHT) &&
           e->depth <= (solid ? CUDA_MOST_VOLUME : CUDA_MOST_LAYERS);
}

API(cudaMalloc3DArray, void **out, const struct cuda_channel_format *format,
    struct cuda_extent extent, unsigned flags)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error && (!out || !format || !fits(&extent, flags) || cuda_channels(format) == 0)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error &&
        flags & ~(unsigned)(CUDA_ARRAY_LAYERED | CUDA_ARRAY_SURFACE | CUDA_ARRAY_GATHER)) {
        error = cuda_refuse("cudaMalloc3DArray of a cubemap, or a sparse or deferred array");
        return cuda_leave(error);
    }
    return cuda_leave(error ? error : make(out, format, extent, flags));
}

API(cudaMallocArray, void **out, const struct cuda_channel_format *format, size_t width,
    size_t height, unsigned flags)
{
    return cudaMalloc3DArray(out, format, (struct cuda_extent){width, height, 0}, flags);
}

API(cudaFreeArray, void *handle)
{
    int error = cuda_enter(CUDA_USE_WAITS);
    struct cuda_array *array = error ? NULL : cuda_array_of(handle);

    if (array) {
        cuda_space_give(&cuda_runtime.space, array->base);
        HASH_DEL(cuda_runtime.arrays, array);
        free(array);
    } else if (!error && handle) {
        error = CUDA_INVALID_HANDLE;
    }
    return cuda_leave(error);
}

API(cudaArrayGetInfo, struct cuda_channel_format *format, struct cuda_extent *extent,
    unsigned *flags, void *handle)
{
    int error = cuda_enter(CUDA_USE_NONE);
    const struct cuda_array *array = cuda_array_of(handle);

    if (array && format) {
        *format = array->format;
    }
    if (array && extent) {
        *extent = array->extent;
    }
    if (array && flags) {
        *flags = array->flags;
    }
    return cuda_leave(error ? error : array ? CUDA_SUCCESS : CUDA_INVALID_HANDLE);
}

API(cudaGetChannelDesc, struct cuda_channel_format *format, void *handle)
{
    return format ? cudaArrayGetInfo(format, NULL, NULL, handle)
                  : cuda_keep_error(CUDA_INVALID_VALUE);
}

/* ---- copies ---- */

/* Rows of `width` bytes from byte `x` of row `y` on: false when the array has them not. */
static bool has_rows(const struct cuda_array *a, size_t x, size_t y, size_t width, size_t height)
{
    size_t row = a->extent.width * cuda_texel_bytes(&a->format);

    return x <= row && width <= row - x && y <= a->rows && height <= a->rows - y;
}

static int copy_rows(const void *handle, size_t x, size_t y, uint8_t *other, size_t pitch,
                     size_t width, size_t height, bool to_array)
{
    const struct cuda_array *a = cuda_array_of(handle);
    int error = CUDA_SUCCESS;

    if (!a || !has_rows(a, x, y, width, height)) {
        return a ? CUDA_INVALID_VALUE : CUDA_INVALID_HANDLE;
    }
    if (width > pitch && height > 1) {
        return CUDA_INVALID_PITCH;
    }
    for (size_t r = 0; r < height && !error; r++) {
        uint8_t *row = (uint8_t *)(uintptr_t)(a->base + (y + r) * a->pitch + x);

        error = to_array ? cuda_copy(row, other + r * pitch, width)
                         : cuda_copy(other + r * pitch, row, width);
    }
    return error;
}

/* `bytes` that follow each other, over the ends of rows. */
static int copy_run(const void *handle, size_t x, size_t y, uint8_t *other, size_t bytes,
                    bool to_array)
{
    const struct cuda_array *a = cuda_array_of(handle);
    size_t row = a ? a->extent.width * cuda_texel_bytes(&a->format) : 0;
    int error = a && x < row ? CUDA_SUCCESS : a ? CUDA_INVALID_VALUE : CUDA_INVALID_HANDLE;

    while (bytes && !error) {
        size_t n = bytes < row - x ? bytes : row - x;

        error = copy_rows(handle, x, y++, other, n, n, 1, to_array);
        other += n;
        bytes -= n;
        x = 0;
    }
    return error;
}

static int begin(int kind, const void *stream)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    error = error ? error : cuda_is_stream(stream) ? CUDA_SUCCESS : CUDA_INVALID_HANDLE;
    return error                                                    ? error
           : kind >= CUDA_HOST_TO_HOST && kind <= CUDA_COPY_DEFAULT ? CUDA_SUCCESS
                                                                    : CUDA_INVALID_MEMCPY_DIRECTION;
}

API(cudaMemcpy2DToArrayAsync, void *to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, int kind, void *stream)
{
    int error = begin(kind, stream);

    return cuda_leave(
        error ? error
              : copy_rows(to, x, y, (uint8_t *)(uintptr_t)from, pitch, width, height, true));
}

API(cudaMemcpy2DToArray, void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
    size_t height, int kind)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL);
}

API(cudaMemcpy2DFromArrayAsync, void *to, size_t pitch, const void *from, size_t x, size_t y,
    size_t width, size_t height, int kind, void *stream)
{
    int error = begin(kind, stream);

    return cuda_leave(error ? error : copy_rows(from, x, y, to, pitch, width, height, false));
}

API(cudaMemcpy2DFromArray, void *to, size_t pitch, const void *from, size_t x, size_t y,
    size_t width, size_t height, int kind)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL);
}

API(cudaMemcpyToArrayAsync, void *to, size_t x, size_t y, const void *from, size_t bytes, int kind,
    void *stream)
{
    int error = begin(kind, stream);

    return cuda_leave(error ? error : copy_run(to, x, y, (uint8_t *)(uintptr_t)from, bytes, true));
}

API(cudaMemcpyToArray, void *to, size_t x, size_t y, const void *from, size_t bytes, int kind)
{
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, NULL);
}

API(cudaMemcpyFromArrayAsync, void *to, const void *from, size_t x, size_t y, size_t bytes,
    int kind, void *stream)
{
    int error = begin(kind, stream);

    return cuda_leave(error ? error : copy_run(from, x, y, to, bytes, false));
}

API(cudaMemcpyFromArray, void *to, const void *from, size_t x, size_t y, size_t bytes, int kind)
{
    return cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, NULL);
}

API(cudaMemcpy2DArrayToArray, void *to, size_t to_x, size_t to_y, const void *from, size_t x,
    size_t y, size_t width, size_t height, int kind)
{
    int error = begin(kind, NULL);
    const struct cuda_array *a = error ? NULL : cuda_array_of(from);

    if (!error && (!a || !has_rows(a, x, y, width, height))) {
        error = a ? CUDA_INVALID_VALUE : CUDA_INVALID_HANDLE;
    }
    return cuda_leave(error ? error
                            : copy_rows(to, to_x, to_y,
                                        (uint8_t *)(uintptr_t)(a->base + y * a->pitch + x),
                                        a->pitch, width, height, true));
}
