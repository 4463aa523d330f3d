/* api_pool.c - memory pools: all memory comes from one space, so that a pool is a handle with settings
 * that programs set and ask for.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_runtime.h"

/* cudaMemPoolAttr: 1 to 3 are flags, 4 the threshold, 5 to 8 bytes in use. */
enum { FIRST_FLAG = 1, LAST_FLAG = 3, THRESHOLD, RESERVED_NOW, RESERVED_HIGH, USED_NOW, USED_HIGH };

struct cuda_pool {
    uint64_t setting[THRESHOLD + 1];
    struct cuda_pool *self; /* the key */
    UT_hash_handle hh;
};

static struct cuda_pool *make_pool(void)
{
    struct cuda_pool *pool = calloc(1, sizeof *pool);

    if (pool) {
        pool->self = pool;
        for (int flag = FIRST_FLAG; flag <= LAST_FLAG; flag++) {
            pool->setting[flag] = 1;
        }
        HASH_ADD_PTR(cuda_runtime.pools, self, pool);
    }
    return pool;
}

static struct cuda_pool *pool_of(const void *handle)
{
    struct cuda_pool *found = NULL;

    HASH_FIND_PTR(cuda_runtime.pools, &handle, found);
    return found;
}

API(cudaDeviceGetDefaultMemPool, void **out, int device)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error && (device != 0 || !out)) {
        error = out ? CUDA_INVALID_DEVICE : CUDA_INVALID_VALUE;
    }
    if (!error && !cuda_runtime.pool && !(cuda_runtime.pool = make_pool())) {
        error = CUDA_MEMORY_ALLOCATION;
    }
    if (!error) {
        *out = cuda_runtime.pool;
    }
    return cuda_leave(error);
}

API(cudaDeviceGetMemPool, void **out, int device)
{
    return cudaDeviceGetDefaultMemPool(out, device);
}

API(cudaMemPoolCreate, void **out, const void *properties)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    error = error ? error : out && properties ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    if (!error && !(*out = make_pool())) {
        error = CUDA_MEMORY_ALLOCATION;
    }
    return cuda_leave(error);
}

API(cudaMemPoolDestroy, void *handle)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_pool *pool = error ? NULL : pool_of(handle);

    if (pool && pool != cuda_runtime.pool) {
        HASH_DEL(cuda_runtime.pools, pool);
        free(pool);
        return cuda_leave(CUDA_SUCCESS);
    }
    return cuda_leave(error ? error : CUDA_INVALID_VALUE);
}

/* A pool, and what else a call needs. */
static int check(const void *handle, bool good)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    return error ? error : pool_of(handle) && good ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

API(cudaDeviceSetMemPool, int device, void *handle)
{
    return cuda_leave(check(handle, device == 0));
}

API(cudaMemPoolSetAccess, void *handle, const void *access, size_t n)
{
    return cuda_leave(check(handle, access || !n));
}

API(cudaMemPoolTrimTo, void *handle, size_t bytes)
{
    (void)bytes; /* nothing is held back */
    return cuda_leave(check(handle, true));
}

API(cudaMemPoolSetAttribute, void *handle, int attribute, const void *value)
{
    int error = check(handle, value && attribute >= FIRST_FLAG && attribute <= USED_HIGH);

    if (!error && attribute <= THRESHOLD) {
        memcpy(&pool_of(handle)->setting[attribute], value,
               attribute == THRESHOLD ? sizeof(uint64_t) : sizeof(int));
    }
    return cuda_leave(error); /* the others are reset, to what is in use */
}

API(cudaMemPoolGetAttribute, void *handle, int attribute, void *value)
{
    int error = check(handle, value && attribute >= FIRST_FLAG && attribute <= USED_HIGH);

    if (!error && attribute <= THRESHOLD) {
        memcpy(value, &pool_of(handle)->setting[attribute],
               attribute == THRESHOLD ? sizeof(uint64_t) : sizeof(int));
    } else if (!error) {
        memcpy(value, &cuda_runtime.space.used, sizeof(uint64_t));
    }
    return cuda_leave(error);
}

API(cudaMallocFromPoolAsync, void **out, size_t bytes, void *pool, void *stream)
{
    CUDA_API int cudaMallocAsync(void **out, size_t bytes, void *stream);
    int error = cuda_leave(check(pool, true));

    return error ? error : cudaMallocAsync(out, bytes, stream);
}
