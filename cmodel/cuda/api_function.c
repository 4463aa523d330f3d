/* api_function.c - attributes of kernels, occupancy; advice about managed memory. */
#include <string.h>

#include "cuda/cuda_runtime.h"
#include "cuda/cuda_version.h"

enum { ATTRIBUTE_DYNAMIC_SHARED = 8, ATTRIBUTE_CARVEOUT = 9, ATTRIBUTES = 16 };

/* Begin a call about a kernel. */
static int enter(const void *function, struct cuda_kernel **kernel, const struct isa_kernel **k)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    return error ? error : cuda_kernel_of(function, kernel, k);
}

/* Threads of a block that the kernel's launch bounds and registers allow. */
enum { MAX_THREADS = 1024 };

static uint32_t max_threads(const struct isa_kernel *k)
{
    const struct gpu_config *c = &cuda_runtime.machine->gpu->config;
    uint64_t most = c->sm_threads < MAX_THREADS ? c->sm_threads : MAX_THREADS;
    uint64_t by_registers = c->sm_registers / k->registers_per_thread / ISA_LANES * ISA_LANES;
    uint64_t bound = ptx_kernel_max_threads(k);

    most = by_registers < most ? by_registers : most;
    return (uint32_t)(bound && bound < most ? bound : most);
}

API(cudaFuncGetAttributes, struct cuda_func_attributes *out, const void *function)
{
    struct cuda_kernel *kernel;
    const struct isa_kernel *k;
    int error = enter(function, &kernel, &k);

    if (!error && out) {
        int target = (int)ptx_module_target(kernel->module->ptx);

        *out = (struct cuda_func_attributes){
            .shared_bytes = k->shared_bytes,
            .local_bytes = k->local_bytes,
            .max_threads = (int)max_threads(k),
            .registers = (int)k->registers_per_thread,
            .ptx_version = target,
            .binary_version = (int)cuda_runtime.machine->capability,
            .max_dynamic_shared = kernel->max_dynamic_shared >= 0
                                      ? kernel->max_dynamic_shared
                                      : (int)(cuda_shared_limit(kernel) - k->shared_bytes),
            .carveout = kernel->carveout};
    }
    return cuda_leave(error ? error : out ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaFuncSetAttribute, const void *function, int attribute, int value)
{
    struct cuda_kernel *kernel;
    const struct isa_kernel *k;
    int error = enter(function, &kernel, &k);

    if (!error && (attribute < ATTRIBUTE_DYNAMIC_SHARED || attribute >= ATTRIBUTES)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error && attribute == ATTRIBUTE_DYNAMIC_SHARED) {
        uint32_t has = cuda_runtime.machine->gpu->config.sm_shared_bytes;

        if (value < 0 || (uint64_t)value + k->shared_bytes > has) {
            error = CUDA_INVALID_VALUE;
        } else {
            kernel->max_dynamic_shared = value;
        }
    }
    if (!error && attribute == ATTRIBUTE_CARVEOUT) {
        kernel->carveout = value;
    }
    return cuda_leave(error);
}

static int accept(const void *function, bool good)
{
    struct cuda_kernel *kernel;
    const struct isa_kernel *k;
    int error = enter(function, &kernel, &k);

    return cuda_leave(error ? error : good ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaFuncSetCacheConfig, const void *function, int choice)
{
    return accept(function, choice >= 0 && choice <= 3);
}

API(cudaFuncSetSharedMemConfig, const void *function, int choice)
{
    return accept(function, choice >= 0 && choice <= 2);
}

API(cudaFuncGetName, const char **name, const void *function)
{
    const struct cuda_kernel *kernel;
    int error = cuda_enter(CUDA_USE_NONE);

    kernel = cuda_code_kernel(&cuda_runtime.code, function);
    error = !name || !kernel ? CUDA_INVALID_VALUE : error;
    if (!error) {
        *name = kernel->name;
    }
    return cuda_leave(error);
}

API(cudaFuncGetParamInfo, const void *function, size_t index, size_t *offset, size_t *bytes)
{
    struct cuda_kernel *kernel;
    const struct isa_kernel *k;
    int error = enter(function, &kernel, &k);

    if (!error && (!offset || index >= ptx_param_count(kernel->module->ptx, k))) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        struct ptx_param_info info = ptx_param_get(kernel->module->ptx, k, index);

        *offset = info.offset;
        if (bytes) {
            *bytes = info.bytes;
        }
    }
    return cuda_leave(error);
}

/* ---- occupancy ---- */

API(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks, const void *function,
    int block_threads, size_t dynamic_shared, unsigned flags)
{
    struct cuda_kernel *kernel;
    const struct isa_kernel *k;
    int error = enter(function, &kernel, &k);

    if (!error && (!blocks || block_threads <= 0 || flags > 1)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        bool fits;

        cuda_make_do(kernel, k, block_threads <= MAX_THREADS ? (uint64_t)block_threads : 0);
        fits = block_threads <= (int)max_threads(k) &&
               k->shared_bytes + dynamic_shared <= cuda_shared_limit(kernel);

        *blocks = fits ? (int)cuda_occupancy(k, (uint64_t)block_threads, dynamic_shared) : 0;
    }
    return cuda_leave(error);
}

API(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, const void *function,
    int block_threads, size_t dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_threads,
                                                                  dynamic_shared, 0);
}

API(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *bytes, const void *function, int blocks,
    int block_threads)
{
    struct cuda_kernel *kernel;
    const struct isa_kernel *k;
    int error = enter(function, &kernel, &k);

    if (!error && (!bytes || blocks <= 0 || block_threads <= 0 ||
                   cuda_occupancy(k, (uint64_t)block_threads, 0) < (uint32_t)blocks)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        size_t each = cuda_runtime.machine->gpu->config.sm_shared_bytes / (uint32_t)blocks;
        size_t limit = cuda_shared_limit(kernel);

        each = each < limit ? each : limit;
        *bytes = each > k->shared_bytes ? each - k->shared_bytes : 0;
    }
    return cuda_leave(error);
}

/* ---- advice: checked, and without effect ---- */

static int managed_range(const void *at, size_t bytes)
{
    const struct cuda_block *block = cuda_space_find(&cuda_runtime.space, (uintptr_t)at);

    return block && block->kind == CUDA_BLOCK_MANAGED && bytes > 0 &&
                   bytes <= block->bytes - ((uintptr_t)at - block->base)
               ? CUDA_SUCCESS
               : CUDA_INVALID_VALUE;
}

static int advise(const void *at, size_t bytes)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    return cuda_leave(error ? error : managed_range(at, bytes));
}

/* What follows the size differs between versions, a device's number or a place by value; none of it
 * changes anything here. */
API(cudaMemPrefetchAsync, const void *at, size_t bytes)
{
    return advise(at, bytes);
}

API(cudaMemAdvise, const void *at, size_t bytes)
{
    return advise(at, bytes);
}

enum { RANGE_READ_MOSTLY = 1, RANGE_PREFERRED, RANGE_ACCESSED_BY, RANGE_LAST_PREFETCH };

API(cudaMemRangeGetAttribute, void *data, size_t n_data, int attribute, const void *at,
    size_t bytes)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    error = error ? error : managed_range(at, bytes);
    if (!error && (!data || n_data < sizeof(int) || attribute < RANGE_READ_MOSTLY)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) { /* nothing was advised: read mostly 0, places "invalid" (-2) */
        int value = attribute == RANGE_READ_MOSTLY ? 0 : -2;

        for (size_t i = 0; i + sizeof value <= n_data; i += sizeof value) {
            memcpy((char *)data + i, &value, sizeof value);
        }
    }
    return cuda_leave(error);
}

API(cudaMemRangeGetAttributes, void **data, size_t *n_data, int *attributes, size_t n,
    const void *at, size_t bytes)
{
    int error = data && n_data && attributes ? CUDA_SUCCESS : CUDA_INVALID_VALUE;

    for (size_t a = 0; a < n && !error; a++) {
        error = cudaMemRangeGetAttribute(data[a], n_data[a], attributes[a], at, bytes);
    }
    return cuda_keep_error(error);
}

/* Members only for textures, which are refused where they are made; by itself harmless. */
CUDA_API struct cuda_channel_format cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
struct cuda_channel_format cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct cuda_channel_format){x, y, z, w, kind};
}
