/* cuda_module.c - see cuda_module.h: what is registered, and by which keys it is found. */
#include "cuda/cuda_module.h"

#include <stdlib.h>

struct cuda_module *cuda_code_add(struct cuda_code *code, const struct cuda_wrapper *wrapper)
{
    struct cuda_module *module = calloc(1, sizeof *module);

    if (module) {
        module->wrapper = wrapper;
        module->next = code->modules;
        code->modules = module;
    }
    return module;
}

void cuda_code_add_kernel(struct cuda_code *code, struct cuda_module *module, const void *host,
                          const char *name)
{
    struct cuda_kernel *kernel = NULL;

    HASH_FIND_PTR(code->kernels, &host, kernel);
    if (kernel) {
        return; /* several units of one program hand out one function: the first counts */
    }
    kernel = calloc(1, sizeof *kernel);
    if (kernel) {
        *kernel = (struct cuda_kernel){
            .host = host, .name = name, .module = module, .max_dynamic_shared = -1, .carveout = -1};
        kernel->self = kernel;
        HASH_ADD_PTR(code->kernels, host, kernel);
        HASH_ADD(by_self, code->handles, self, sizeof kernel->self, kernel);
    }
}

void cuda_code_add_variable(struct cuda_code *code, struct cuda_module *module, const void *host,
                            void **host_pointer, const char *name, uint64_t bytes)
{
    struct cuda_variable *variable = calloc(1, sizeof *variable);

    if (!variable) {
        return;
    }
    *variable = (struct cuda_variable){.host = host,
                                       .name = name,
                                       .bytes = bytes,
                                       .is_managed = host_pointer != NULL,
                                       .host_pointer = host_pointer,
                                       .module = module,
                                       .next = module->variables};
    module->variables = variable;
    if (host) {
        HASH_ADD_PTR(code->variables, host, variable);
    }
}

void cuda_code_remove(struct cuda_code *code, struct cuda_module *module)
{
    struct cuda_module **link = &code->modules;
    struct cuda_kernel *kernel, *next;

    while (*link && *link != module) {
        link = &(*link)->next;
    }
    if (!*link) {
        return;
    }
    *link = module->next;
    cuda_module_forget_registers(module);
    HASH_ITER(hh, code->kernels, kernel, next)
    {
        if (kernel->module == module) {
            HASH_DEL(code->kernels, kernel);
            HASH_DELETE(by_self, code->handles, kernel);
            free(kernel);
        }
    }
    while (module->variables) {
        struct cuda_variable *variable = module->variables;

        module->variables = variable->next;
        if (variable->host) {
            HASH_DEL(code->variables, variable);
        }
        free(variable);
    }
    free(module);
}

struct cuda_kernel *cuda_code_kernel(const struct cuda_code *code, const void *function)
{
    struct cuda_kernel *kernel = NULL;

    HASH_FIND_PTR(code->kernels, &function, kernel);
    if (!kernel) {
        HASH_FIND(by_self, code->handles, &function, sizeof function, kernel);
    }
    return kernel;
}

struct cuda_variable *cuda_code_variable(const struct cuda_code *code, const void *symbol)
{
    struct cuda_variable *variable = NULL;

    HASH_FIND_PTR(code->variables, &symbol, variable);
    return variable;
}

int cuda_module_place_managed(struct cuda_module *module, struct cuda_code *code,
                              struct cuda_space *space)
{
    for (struct cuda_variable *v = module->variables; v; v = v->next) {
        struct cuda_block *block;

        if (!v->is_managed || v->address) {
            continue;
        }
        block = cuda_space_take(space, v->name, v->bytes, CUDA_BLOCK_MANAGED, NULL);
        if (!block) {
            return CUDA_MEMORY_ALLOCATION;
        }
        v->address = block->base;
        v->host = *v->host_pointer = block->host;
        HASH_ADD_PTR(code->variables, host, v);
    }
    return CUDA_SUCCESS;
}
