/* api_device.c - errors, which device, limits, the device as a whole; api_properties.c has what it is.
 *
 * There is one device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_errors.h"
#include "cuda/cuda_properties.h"
#include "cuda/cuda_runtime.h"
#include "cuda/cuda_version.h"

#define PCI_NAME "0000:01:00.0"

/* ---- errors ---- */

static int sticky(void)
{
    return cuda_runtime.fault_seen ? cuda_runtime.fault : CUDA_SUCCESS;
}

API(cudaGetLastError, void)
{
    struct cuda_thread *t = cuda_thread();
    int error = t->last_error;

    t->last_error = CUDA_SUCCESS;
    return sticky() ? sticky() : error;
}

API(cudaPeekAtLastError, void)
{
    return sticky() ? sticky() : cuda_thread()->last_error;
}

CUDA_API const char *cudaGetErrorName(int code);
const char *cudaGetErrorName(int code)
{
    return cuda_error_name(code);
}

CUDA_API const char *cudaGetErrorString(int code);
const char *cudaGetErrorString(int code)
{
    return cuda_error_text(code);
}

/* ---- which device ---- */

static int only_check(int device, enum cuda_use use)
{
    int error = cuda_enter(use);

    return cuda_leave(error ? error : cuda_check_device(device));
}

API(cudaSetDevice, int device)
{
    return only_check(device, CUDA_USE_DEVICE);
}

API(cudaInitDevice, int device, unsigned flags, unsigned more)
{
    (void)flags, (void)more;
    return only_check(device, CUDA_USE_DEVICE);
}

API(cudaGetDevice, int *device)
{
    return cuda_put(device, cuda_thread()->device);
}

API(cudaGetDeviceCount, int *count)
{
    return cuda_put(count, 1);
}

API(cudaChooseDevice, int *device, const void *wanted)
{
    return cuda_put(wanted ? device : NULL, 0);
}

API(cudaSetValidDevices, int *devices, int n)
{
    if (!devices || n < 0 || (n > 0 && devices[0] != 0)) {
        return cuda_keep_error(devices && n > 0 ? CUDA_INVALID_DEVICE : CUDA_INVALID_VALUE);
    }
    return CUDA_SUCCESS;
}

API(cudaDeviceGetByPCIBusId, int *device, const char *name)
{
    return name && !strcmp(name, PCI_NAME) ? cuda_put(device, 0)
                                           : cuda_keep_error(CUDA_INVALID_VALUE);
}

API(cudaDeviceGetPCIBusId, char *name, int n, int device)
{
    if (!name || n < (int)sizeof PCI_NAME || device != 0) {
        return cuda_keep_error(device ? CUDA_INVALID_DEVICE : CUDA_INVALID_VALUE);
    }
    snprintf(name, (size_t)n, "%s", PCI_NAME);
    return CUDA_SUCCESS;
}

API(cudaDeviceCanAccessPeer, int *can, int device, int peer)
{
    return device == 0 && peer == 0 ? cuda_put(can, 0) : cuda_keep_error(CUDA_INVALID_DEVICE);
}

API(cudaDeviceEnablePeerAccess, int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return cuda_keep_error(CUDA_INVALID_DEVICE);
}

API(cudaDeviceDisablePeerAccess, int peer)
{
    return cuda_keep_error(peer == 0 ? CUDA_PEER_NOT_ENABLED : CUDA_INVALID_DEVICE);
}

API(cudaDeviceGetP2PAttribute, int *value, int attribute, int from, int to)
{
    (void)attribute, (void)from, (void)to, (void)value;
    return cuda_keep_error(CUDA_INVALID_DEVICE);
}

/* ---- the device as a whole ---- */

API(cudaDeviceSynchronize, void)
{
    return cuda_leave(cuda_enter(CUDA_USE_WAITS));
}

static void forget_streams_and_events(void)
{
    struct cuda_stream *stream, *next_stream;
    struct cuda_event *event, *next_event;

    HASH_ITER(hh, cuda_runtime.streams, stream, next_stream)
    {
        HASH_DEL(cuda_runtime.streams, stream);
        free(stream);
    }
    HASH_ITER(hh, cuda_runtime.events, event, next_event)
    {
        HASH_DEL(cuda_runtime.events, event);
        free(event);
    }
}

/* The program's memory is gone, and variables have their first values again. */
API(cudaDeviceReset, void)
{
    struct cuda_runtime *rt = &cuda_runtime;
    int error = cuda_enter(CUDA_USE_NONE);

    if (rt->machine && !rt->closed) {
        for (struct cuda_module *m = rt->code.modules; m; m = m->next) {
            cuda_module_unload(m, &rt->space);
        }
        for (size_t b = rt->space.n_blocks; b-- > 0;) {
            const struct cuda_block *block = &rt->space.block[b];
            const struct cuda_variable *v = NULL;

            if (block->kind == CUDA_BLOCK_MANAGED) {
                v = cuda_code_variable(&rt->code, block->host);
            }
            if (!v && block->kind != CUDA_BLOCK_INTERNAL) {
                cuda_space_give(&rt->space, block->base);
            }
        }
        forget_streams_and_events();
        cuda_textures_forget();
    }
    cuda_leave(error);
    return sticky();
}

enum { LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP };
static const size_t standard_limits[CUDA_LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0, 0};

API(cudaDeviceSetLimit, int limit, size_t value)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error && (limit < 0 || limit >= CUDA_LIMITS - 1)) {
        error = CUDA_UNSUPPORTED_LIMIT;
    }
    if (!error && limit == LIMIT_HEAP && cuda_runtime.heap) {
        error = CUDA_INVALID_VALUE; /* a kernel has allocated already */
    }
    if (!error) {
        cuda_runtime.limit[limit] = value;
    }
    return cuda_leave(error);
}

API(cudaDeviceGetLimit, size_t *value, int limit)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error && (limit < 0 || limit >= CUDA_LIMITS - 1)) {
        error = CUDA_UNSUPPORTED_LIMIT;
    }
    if (!error && value) {
        size_t set = cuda_runtime.limit[limit];

        *value = set ? set : standard_limits[limit];
    }
    return cuda_leave(error ? error : value ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaSetDeviceFlags, unsigned flags)
{
    cuda_runtime.device_flags = flags;
    return CUDA_SUCCESS;
}

API(cudaGetDeviceFlags, unsigned *flags)
{
    return cuda_put((int *)flags, (int)cuda_runtime.device_flags);
}

API(cudaDeviceSetCacheConfig, int choice)
{
    if (choice < 0 || choice > 3) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    cuda_runtime.cache_config = choice;
    return CUDA_SUCCESS;
}

API(cudaDeviceGetCacheConfig, int *choice)
{
    return cuda_put(choice, cuda_runtime.cache_config);
}

API(cudaDeviceSetSharedMemConfig, int choice)
{
    return choice < 0 || choice > 2 ? cuda_keep_error(CUDA_INVALID_VALUE) : CUDA_SUCCESS;
}

API(cudaDeviceGetSharedMemConfig, int *choice)
{
    return cuda_put(choice, 1); /* banks of four bytes */
}

API(cudaDeviceGetStreamPriorityRange, int *least, int *greatest)
{
    if (least) {
        *least = 0;
    }
    if (greatest) {
        *greatest = 0;
    }
    return CUDA_SUCCESS;
}

API(cudaCtxResetPersistingL2Cache, void)
{
    return CUDA_SUCCESS;
}

API(cudaProfilerStart, void)
{
    return CUDA_SUCCESS;
}

API(cudaProfilerStop, void)
{
    return CUDA_SUCCESS;
}
