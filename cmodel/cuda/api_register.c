/* api_register.c - what a program's constructors and launch stubs call: registration of fat
 * binaries, kernels and variables; launches.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_graph.h"
#include "cuda/cuda_runtime.h"

CUDA_API void **__cudaRegisterFatBinary(void *wrapper);
CUDA_API void __cudaRegisterFatBinaryEnd(void **handle);
CUDA_API void __cudaUnregisterFatBinary(void **handle);
CUDA_API char __cudaInitModule(void **handle);
CUDA_API void __cudaRegisterFunction(void **handle, const char *host, char *device,
                                     const char *name, int thread_limit, void *tid, void *bid,
                                     void *block, void *grid, int *warp_size);
CUDA_API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                                int external, size_t bytes, int constant, int global);
CUDA_API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                                       int external, size_t bytes, int constant, int global);
CUDA_API int __cudaGetKernel(void **kernel, const void *host);
CUDA_API unsigned __cudaPushCallConfiguration(struct cuda_dim3 grid, struct cuda_dim3 block,
                                              size_t shared_bytes, void *stream);
CUDA_API int __cudaPopCallConfiguration(struct cuda_dim3 *grid, struct cuda_dim3 *block,
                                        size_t *shared_bytes, void *stream);
CUDA_API int __cudaLaunchKernel(void *kernel, struct cuda_dim3 grid, struct cuda_dim3 block,
                                void **args, size_t shared_bytes, void *stream);
CUDA_API int cudaLaunchKernel(const void *function, struct cuda_dim3 grid, struct cuda_dim3 block,
                              void **args, size_t shared_bytes, void *stream);
CUDA_API int cudaLaunchCooperativeKernel(const void *function, struct cuda_dim3 grid,
                                         struct cuda_dim3 block, void **args, size_t shared_bytes,
                                         void *stream);
CUDA_API int cudaLaunchKernelExC(const struct cuda_launch_config *config, const void *function,
                                 void **args);
CUDA_API int cudaGetKernel(void **kernel, const void *host);
CUDA_API int cudaGetFuncBySymbol(void **function, const void *symbol);

static struct cuda_module *module_of(void **handle)
{
    return (struct cuda_module *)(void *)handle;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    struct cuda_module *module;

    cuda_enter(CUDA_USE_NONE);
    module = cuda_code_add(&cuda_runtime.code, wrapper);
    cuda_runtime.registered += module != NULL;
    cuda_leave(CUDA_SUCCESS);
    return (void **)(void *)module;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    cuda_enter(CUDA_USE_NONE);
    if (cuda_runtime.machine) {
        struct cuda_module *m = cuda_runtime.code.modules;

        while (m && m != module_of(handle)) {
            m = m->next;
        }
        if (m) {
            cuda_module_unload(m, &cuda_runtime.space);
        }
    }
    cuda_code_remove(&cuda_runtime.code, module_of(handle));
    cuda_leave(CUDA_SUCCESS);
}

/* Managed variables of the module are about to be used: they have their memory now. */
char __cudaInitModule(void **handle)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error) {
        error = cuda_module_load(module_of(handle), &cuda_runtime.space,
                                 cuda_runtime.machine->capability);
    }
    cuda_leave(error);
    return 1;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int thread_limit, void *tid, void *bid, void *block, void *grid,
                            int *warp_size)
{
    (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp_size;
    cuda_enter(CUDA_USE_NONE);
    if (handle) {
        cuda_code_add_kernel(&cuda_runtime.code, module_of(handle), host, name);
    }
    cuda_leave(CUDA_SUCCESS);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    cuda_enter(CUDA_USE_NONE);
    if (handle) {
        cuda_code_add_variable(&cuda_runtime.code, module_of(handle), host, NULL, name, bytes);
    }
    cuda_leave(CUDA_SUCCESS);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int external, size_t bytes, int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    cuda_enter(CUDA_USE_NONE);
    if (handle) {
        cuda_code_add_variable(&cuda_runtime.code, module_of(handle), NULL, host, name, bytes);
    }
    cuda_leave(CUDA_SUCCESS);
}

/* ---- launches ---- */

int __cudaGetKernel(void **kernel, const void *host)
{
    cuda_enter(CUDA_USE_NONE);
    *kernel = cuda_code_kernel(&cuda_runtime.code, host);
    return cuda_leave(*kernel ? CUDA_SUCCESS : CUDA_INVALID_DEVICE_FUNCTION);
}

int cudaGetKernel(void **kernel, const void *host)
{
    return kernel ? __cudaGetKernel(kernel, host) : cuda_keep_error(CUDA_INVALID_VALUE);
}

int cudaGetFuncBySymbol(void **function, const void *symbol)
{
    return cudaGetKernel(function, symbol);
}

unsigned __cudaPushCallConfiguration(struct cuda_dim3 grid, struct cuda_dim3 block,
                                     size_t shared_bytes, void *stream)
{
    struct cuda_thread *t = cuda_thread();

    if (t->n_stack == t->max_stack) {
        size_t max = t->max_stack ? 2 * t->max_stack : 8;
        struct cuda_call_configuration *more = realloc(t->stack, max * sizeof *more);

        if (!more) {
            return (unsigned)cuda_keep_error(CUDA_MEMORY_ALLOCATION);
        }
        t->stack = more;
        t->max_stack = max;
    }
    t->stack[t->n_stack++] = (struct cuda_call_configuration){grid, block, shared_bytes, stream};
    return 0;
}

int __cudaPopCallConfiguration(struct cuda_dim3 *grid, struct cuda_dim3 *block,
                               size_t *shared_bytes, void *stream)
{
    struct cuda_thread *t = cuda_thread();
    const struct cuda_call_configuration *top;

    if (t->n_stack == 0) {
        return cuda_keep_error(CUDA_MISSING_CONFIGURATION);
    }
    top = &t->stack[--t->n_stack];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    memcpy(stream, &top->stream, sizeof top->stream);
    return CUDA_SUCCESS;
}

static int launch(const void *function, struct cuda_dim3 grid, struct cuda_dim3 block, void **args,
                  size_t shared_bytes, const void *stream, bool cooperative)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    const struct cuda_node node = {
        .type = CUDA_NODE_KERNEL,
        .as.kernel = {function, grid, block, shared_bytes, cooperative, args, NULL}};

    if (!error && !cuda_is_stream(stream)) {
        error = CUDA_INVALID_HANDLE;
    }
    if (!error && cuda_capture(stream, &node, &error)) {
        return cuda_leave(error);
    }
    if (!error && !cuda_runtime.fault) {
        error = cuda_launch(function, grid, block, args, shared_bytes, cooperative);
    }
    return cuda_leave(error);
}

int __cudaLaunchKernel(void *kernel, struct cuda_dim3 grid, struct cuda_dim3 block, void **args,
                       size_t shared_bytes, void *stream)
{
    return launch(kernel, grid, block, args, shared_bytes, stream, false);
}

int cudaLaunchKernel(const void *function, struct cuda_dim3 grid, struct cuda_dim3 block,
                     void **args, size_t shared_bytes, void *stream)
{
    return launch(function, grid, block, args, shared_bytes, stream, false);
}

int cudaLaunchCooperativeKernel(const void *function, struct cuda_dim3 grid, struct cuda_dim3 block,
                                void **args, size_t shared_bytes, void *stream)
{
    return launch(function, grid, block, args, shared_bytes, stream, true);
}

enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

int cudaLaunchKernelExC(const struct cuda_launch_config *config, const void *function, void **args)
{
    bool cooperative = false;

    if (!config) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    for (uint32_t a = 0; a < config->n_attributes; a++) {
        const struct cuda_launch_attribute *attribute = &config->attribute[a];
        const uint32_t *dims = attribute->value.dims;

        if (attribute->id == ATTRIBUTE_COOPERATIVE) {
            cooperative = attribute->value.number != 0;
        } else if (attribute->id == ATTRIBUTE_CLUSTER &&
                   (uint64_t)dims[0] * dims[1] * dims[2] > 1) {
            return cuda_refuse("cudaLaunchKernelExC with a cluster of CTAs");
        }
    }
    return launch(function, config->grid, config->block, args, config->dynamic_shared_bytes,
                  config->stream, cooperative);
}
