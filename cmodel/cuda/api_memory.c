/* api_memory.c - allocation, pointers, symbols: the calls that give out and name memory. */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_runtime.h"

enum { PITCH_BYTES = 512, PAGE_BYTES = 4096 };

static void *pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Memory of that kind; 0 bytes give NULL. */
static int take(void **out, size_t bytes, enum cuda_block_kind kind, unsigned flags,
                const char *name)
{
    struct cuda_block *block;

    *out = NULL;
    if (bytes == 0) {
        return CUDA_SUCCESS;
    }
    block = cuda_space_take(&cuda_runtime.space, name, bytes, kind, NULL);
    if (!block) {
        return CUDA_MEMORY_ALLOCATION;
    }
    block->flags = flags;
    *out = pointer(block->base);
    return CUDA_SUCCESS;
}

static int allocate(void **out, size_t bytes, enum cuda_block_kind kind, unsigned flags,
                    const char *name)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    error = error ? error : out ? take(out, bytes, kind, flags, name) : CUDA_INVALID_VALUE;
    return cuda_leave(error);
}

API(cudaMalloc, void **out, size_t bytes)
{
    return allocate(out, bytes, CUDA_BLOCK_DEVICE, 0, "cudaMalloc");
}

API(cudaMallocAsync, void **out, size_t bytes, void *stream)
{
    if (!cuda_is_stream(stream)) {
        return cuda_keep_error(CUDA_INVALID_HANDLE);
    }
    return allocate(out, bytes, CUDA_BLOCK_DEVICE, 0, "cudaMallocAsync");
}

API(cudaMallocManaged, void **out, size_t bytes, unsigned flags)
{
    if (bytes == 0 || (flags != 1 && flags != 2)) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    return allocate(out, bytes, CUDA_BLOCK_MANAGED, flags, "cudaMallocManaged");
}

API(cudaHostAlloc, void **out, size_t bytes, unsigned flags)
{
    if (flags > 7) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    return allocate(out, bytes, CUDA_BLOCK_PINNED, flags, "cudaHostAlloc");
}

API(cudaMallocHost, void **out, size_t bytes)
{
    return allocate(out, bytes, CUDA_BLOCK_PINNED, 0, "cudaMallocHost");
}

API(cudaMallocPitch, void **out, size_t *pitch, size_t width, size_t height)
{
    size_t row = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES, bytes;

    if (!pitch || row < width || __builtin_mul_overflow(row, height, &bytes)) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    *pitch = row;
    return allocate(out, bytes, CUDA_BLOCK_DEVICE, 0, "cudaMallocPitch");
}

API(cudaMalloc3D, struct cuda_pitched *out, struct cuda_extent extent)
{
    size_t rows;
    int error;

    if (!out || __builtin_mul_overflow(extent.height, extent.depth, &rows)) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    error = cudaMallocPitch(&out->ptr, &out->pitch, extent.width, rows);
    out->xsize = extent.width;
    out->ysize = extent.height;
    return error;
}

/* Give back what starts at `address` and is of one of two kinds. */
static int give(uint64_t address, enum cuda_block_kind kind, enum cuda_block_kind other)
{
    const struct cuda_block *block = cuda_space_find(&cuda_runtime.space, address);

    if (!block || block->base != address || (block->kind != kind && block->kind != other)) {
        return CUDA_INVALID_VALUE;
    }
    cuda_space_give(&cuda_runtime.space, address);
    return CUDA_SUCCESS;
}

API(cudaFree, void *at)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    if (!error && at) {
        error = give((uintptr_t)at, CUDA_BLOCK_DEVICE, CUDA_BLOCK_MANAGED);
    }
    return cuda_leave(error);
}

API(cudaFreeAsync, void *at, void *stream)
{
    return cuda_is_stream(stream) ? cudaFree(at) : cuda_keep_error(CUDA_INVALID_HANDLE);
}

API(cudaFreeHost, void *at)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    if (!error && at) {
        error = give((uintptr_t)at, CUDA_BLOCK_PINNED, CUDA_BLOCK_PINNED);
    }
    return cuda_leave(error);
}

API(cudaMemGetInfo, size_t *left, size_t *total)
{
    int error = cuda_enter(CUDA_USE_WAITS);

    if (!error && left && total) {
        *left = cuda_runtime.space.room - cuda_runtime.space.used;
        *total = cuda_runtime.space.room;
    }
    return cuda_leave(error ? error : left && total ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

/* ---- memory of the program's own ---- */

API(cudaHostRegister, void *at, size_t bytes, unsigned flags)
{
    struct cuda_space *space = &cuda_runtime.space;
    int error = cuda_enter(CUDA_USE_WAITS);

    if (!error && (!at || bytes == 0 || flags > 15)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error && (cuda_space_registered(space, at) || cuda_space_find(space, (uintptr_t)at))) {
        error = CUDA_HOST_REGISTERED;
    }
    if (!error) {
        struct cuda_block *block = cuda_space_take(space, "cudaHostRegister", bytes,
                                                   CUDA_BLOCK_REGISTERED, at);

        error = block ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
        if (block) {
            block->flags = flags;
        }
    }
    return cuda_leave(error);
}

API(cudaHostUnregister, void *at)
{
    int error = cuda_enter(CUDA_USE_WAITS);
    const struct cuda_block *block;

    if (!error) {
        block = cuda_space_registered(&cuda_runtime.space, at);
        error = block && block->host == at ? CUDA_SUCCESS : CUDA_HOST_NOT_REGISTERED;
        if (!error) {
            cuda_space_give(&cuda_runtime.space, block->base);
        }
    }
    return cuda_leave(error);
}

/* The block that the host sees at `host`. */
static const struct cuda_block *shared_block(const void *host)
{
    const struct cuda_block *block = cuda_space_find(&cuda_runtime.space, (uintptr_t)host);

    return block && block->host ? block : cuda_space_registered(&cuda_runtime.space, host);
}

API(cudaHostGetDevicePointer, void **out, void *host, unsigned flags)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_block *block = error ? NULL : shared_block(host);

    if (!error && (!out || flags != 0 || !block)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        *out = pointer(block->base + ((uintptr_t)host - (uintptr_t)block->host));
    }
    return cuda_leave(error);
}

API(cudaHostGetFlags, unsigned *flags, void *host)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_block *block = error ? NULL : shared_block(host);

    if (!error && (!flags || !block || block->kind == CUDA_BLOCK_MANAGED)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        *flags = block->flags;
    }
    return cuda_leave(error);
}

API(cudaPointerGetAttributes, struct cuda_pointer_attributes *out, const void *at)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error && out) {
        static const int types[] = {[CUDA_BLOCK_DEVICE] = 2,
                                    [CUDA_BLOCK_MANAGED] = 3,
                                    [CUDA_BLOCK_PINNED] = 1,
                                    [CUDA_BLOCK_REGISTERED] = 1,
                                    [CUDA_BLOCK_INTERNAL] = 2};
        const struct cuda_block *block = cuda_space_find(&cuda_runtime.space, (uintptr_t)at);
        const struct cuda_block *own = block ? NULL
                                             : cuda_space_registered(&cuda_runtime.space, at);
        struct cuda_pointer_attributes a = {.device = block || own ? 0 : -2};

        a.type = block ? types[block->kind] : own ? 1 : 0;
        a.device_pointer = block ? pointer((uintptr_t)at)
                           : own ? pointer(own->base + ((uintptr_t)at - (uintptr_t)own->host))
                                 : NULL;
        a.host_pointer = block && !block->host ? NULL : pointer((uintptr_t)at);
        *out = a;
    }
    return cuda_leave(error ? error : out ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

/* ---- symbols ---- */

int cuda_variable_of(const void *symbol, struct cuda_variable **variable)
{
    struct cuda_variable *v = cuda_code_variable(&cuda_runtime.code, symbol);
    int error;

    if (!v) {
        return CUDA_INVALID_SYMBOL;
    }
    error = cuda_module_load(v->module, &cuda_runtime.space, cuda_runtime.machine->capability);
    *variable = v;
    return error ? error : v->address ? CUDA_SUCCESS : CUDA_INVALID_SYMBOL;
}

API(cudaGetSymbolAddress, void **out, const void *symbol)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_variable *v;

    error = error ? error : !out ? CUDA_INVALID_VALUE : cuda_variable_of(symbol, &v);
    if (!error) {
        *out = pointer(v->address);
    }
    return cuda_leave(error);
}

API(cudaGetSymbolSize, size_t *out, const void *symbol)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_variable *v;

    error = error ? error : !out ? CUDA_INVALID_VALUE : cuda_variable_of(symbol, &v);
    if (!error) {
        *out = v->bytes;
    }
    return cuda_leave(error);
}

/* Where the bytes [offset, offset + count) of a symbol are. */
static int symbol_part(const void *symbol, size_t count, size_t offset, void **at)
{
    struct cuda_variable *v;
    int error = cuda_variable_of(symbol, &v);

    if (error) {
        return error;
    }
    *at = pointer(v->address + offset);
    return offset <= v->bytes && count <= v->bytes - offset ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

API(cudaMemcpyToSymbol, const void *symbol, const void *from, size_t count, size_t offset, int kind)
{
    int error = cuda_enter(CUDA_USE_WAITS);
    void *to;

    error = error ? error : symbol_part(symbol, count, offset, &to);
    if (!error && (kind == CUDA_DEVICE_TO_HOST || kind == CUDA_HOST_TO_HOST)) {
        error = CUDA_INVALID_MEMCPY_DIRECTION;
    }
    return cuda_leave(error ? error : cuda_copy(to, from, count));
}

API(cudaMemcpyFromSymbol, void *to, const void *symbol, size_t count, size_t offset, int kind)
{
    int error = cuda_enter(CUDA_USE_WAITS);
    void *from;

    error = error ? error : symbol_part(symbol, count, offset, &from);
    if (!error && (kind == CUDA_HOST_TO_DEVICE || kind == CUDA_HOST_TO_HOST)) {
        error = CUDA_INVALID_MEMCPY_DIRECTION;
    }
    return cuda_leave(error ? error : cuda_copy(to, from, count));
}

API(cudaMemcpyToSymbolAsync, const void *symbol, const void *from, size_t count, size_t offset,
    int kind, void *stream)
{
    return cuda_is_stream(stream) ? cudaMemcpyToSymbol(symbol, from, count, offset, kind)
                                  : cuda_keep_error(CUDA_INVALID_HANDLE);
}

API(cudaMemcpyFromSymbolAsync, void *to, const void *symbol, size_t count, size_t offset, int kind,
    void *stream)
{
    return cuda_is_stream(stream) ? cudaMemcpyFromSymbol(to, symbol, count, offset, kind)
                                  : cuda_keep_error(CUDA_INVALID_HANDLE);
}
