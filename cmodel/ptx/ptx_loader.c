/* ptx_loader.c - see ptx_loader.h.  Knows ptx.h and host.h, nothing of time. */
#include "ptx/ptx_loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "ptx/ptx_name.h"

static void place_variables(struct host *host, struct ptx_module *module)
{
    size_t n = ptx_variable_count(module);

    for (size_t v = 0; v < n; v++) {
        struct ptx_variable_info info = ptx_variable_get(module, v);

        ptx_variable_place(module, v, host_alloc(host, info.name, info.bytes, info.align_bytes));
    }
    for (size_t v = 0; v < n; v++) {
        struct ptx_variable_info info = ptx_variable_get(module, v);
        uint8_t *bytes = info.has_initial ? malloc(info.bytes) : NULL;

        if (!bytes) {
            continue;
        }
        ptx_variable_initial(module, v, bytes);
        host_write(host, info.address, bytes, info.bytes);
        free(bytes);
    }
}

static void *load(void *self, struct host *host, const char *path, char *error, size_t n_error)
{
    struct ptx_module *module = ptx_module_load(path, error, n_error);

    (void)self;
    if (module) {
        place_variables(host, module);
    }
    return module;
}

static void unload(void *self, void *module)
{
    (void)self;
    ptx_module_free(module);
}

static gpu_ptr symbol(void *self, void *module, const char *name)
{
    (void)self;
    for (size_t v = 0; v < ptx_variable_count(module); v++) {
        struct ptx_variable_info info = ptx_variable_get(module, v);

        if (!strcmp(info.name, name)) {
            return info.address;
        }
    }
    return 0;
}

static bool read_device(void *context, uint64_t address, void *to, size_t bytes)
{
    host_read(context, to, address, bytes);
    return host_error(context) == NULL;
}

/* The kernel's parameter block, to be freed, with each argument at its parameter's
 * offset; NULL and one line in `error` when number or sizes do not fit. */
static uint8_t *args_block(const struct ptx_module *module, const struct isa_kernel *kernel,
                           const struct host_bytes *args, size_t n_args, size_t n_bytes,
                           char *error, size_t n_error)
{
    size_t n = ptx_param_count(module, kernel);
    uint8_t *block;

    if (n != n_args) {
        snprintf(error, n_error,
                 "kernel %s has %zu parameters, %zu arguments were given; give one "
                 "for each",
                 kernel->name, n, n_args);
        return NULL;
    }
    block = calloc(n_bytes + 1, 1);
    if (!block) {
        snprintf(error, n_error, "out of memory for parameters");
    }
    for (size_t p = 0; p < n && block; p++) {
        struct ptx_param_info info = ptx_param_get(module, kernel, p);

        if (info.bytes != args[p].n) {
            snprintf(error, n_error,
                     "kernel %s: parameter %zu (%s) has %llu bytes, its argument %u; "
                     "change the argument's type",
                     kernel->name, p + 1, info.name, (unsigned long long)info.bytes, args[p].n);
            free(block);
            return NULL;
        }
        memcpy(block + info.offset, args[p].at, args[p].n);
    }
    return block;
}

static int prepare(void *self, struct host *host, void *module, const char *name,
                   struct isa_dim3 grid, struct isa_dim3 block, uint32_t dynamic_shared_bytes,
                   const struct host_bytes *args, size_t n_args, struct isa_launch *out,
                   char *error, size_t n_error)
{
    const struct isa_kernel *kernel = ptx_kernel_called(module, name, error, n_error);
    struct ptx_launch_config config = {.grid = grid,
                                       .block = block,
                                       .dynamic_shared_bytes = dynamic_shared_bytes,
                                       .n_sms = *(const uint32_t *)self,
                                       .read = read_device,
                                       .read_context = host};
    uint64_t local;
    uint8_t *bytes;
    int result = -1;

    if (!kernel) {
        return -1;
    }
    config.n_param_block = ptx_param_block_bytes(module, kernel);
    bytes = args_block(module, kernel, args, n_args, config.n_param_block, error, n_error);
    if (!bytes) {
        return -1;
    }
    config.param_block = bytes;
    local = ptx_local_total_bytes(kernel, grid, block);
    config.local_base = local ? host_local(host, local) : 0;
    if (host_error(host)) {
        snprintf(error, n_error, "%s", host_error(host));
    } else {
        result = ptx_launch_init(out, module, kernel, &config, error, n_error);
    }
    free(bytes);
    return result;
}

static void release(void *self, struct isa_launch *launch)
{
    (void)self;
    ptx_launch_release(launch);
}

struct host_loader ptx_loader(const uint32_t *n_sms)
{
    /* The loader only reads it; the interface hands out a plain pointer. */
    union {
        const uint32_t *in;
        void *out;
    } self = {.in = n_sms};

    return (struct host_loader){.self = self.out,
                                .load = load,
                                .unload = unload,
                                .symbol = symbol,
                                .prepare = prepare,
                                .release = release};
}
