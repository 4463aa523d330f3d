/* host_machine.c - see host_machine.h and host.h. */
#include "machine/host/host_machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/gpu.h"

struct host_module {
    char path[1024];
    void *module;
    struct host_module *next;
};

struct host {
    struct memory *memory;
    struct host_backend backend;
    struct host_loader loader;
    char folder[768];
    struct host_module *modules;
    gpu_ptr local;
    uint64_t local_bytes;
    int status;
    char error[8192];
};

static void fail(struct host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(struct host *host, const char *format, ...)
{
    va_list arguments;

    if (host->error[0]) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(host->error, sizeof host->error, format, arguments);
    va_end(arguments);
}

struct host *host_create(struct memory *memory, const struct host_backend *backend,
                         const struct host_loader *loader, const char *folder)
{
    struct host *host = calloc(1, sizeof *host);

    if (!host) {
        return NULL;
    }
    host->memory = memory;
    host->backend = *backend;
    host->loader = *loader;
    snprintf(host->folder, sizeof host->folder, "%s", folder);
    return host;
}

void host_destroy(struct host *host)
{
    if (!host) {
        return;
    }
    while (host->modules) {
        struct host_module *next = host->modules->next;

        host->loader.unload(host->loader.self, host->modules->module);
        free(host->modules);
        host->modules = next;
    }
    free(host);
}

const char *host_error(const struct host *host)
{
    return host->error[0] ? host->error : NULL;
}

int host_status(const struct host *host)
{
    return host->status;
}

/* ---- memory ---- */

gpu_ptr host_alloc(struct host *host, const char *name, size_t bytes, size_t align_bytes)
{
    gpu_ptr at;

    if (host->error[0]) {
        return 0;
    }
    if (align_bytes & (align_bytes - 1)) {
        fail(host, "buffer %s: alignment %zu is not a power of two; use 256, 512, ...", name,
             align_bytes);
        return 0;
    }
    at = memory_alloc(host->memory, name, bytes, align_bytes);
    if (!at) {
        fail(host, "buffer %s: %zu bytes do not fit the 40-bit device memory; use a smaller size",
             name, bytes);
    }
    return at;
}

/* The range must lie in one buffer. */
static bool check_range(struct host *host, const char *verb, gpu_ptr at, size_t bytes)
{
    uint32_t hint = 0;
    const struct memory_buffer *buffer = memory_find(host->memory, at, &hint);

    if (bytes == 0 || (buffer && bytes <= buffer->bytes - (at - buffer->base))) {
        return true;
    }
    buffer = memory_nearest(host->memory, at);
    fail(host,
         "host %s of %zu bytes at 0x%llx is not inside one buffer; nearest is \"%s\" of %llu "
         "bytes at 0x%llx",
         verb, bytes, (unsigned long long)at, buffer ? buffer->name : "none",
         (unsigned long long)(buffer ? buffer->bytes : 0),
         (unsigned long long)(buffer ? buffer->base : 0));
    return false;
}

void host_write(struct host *host, gpu_ptr to, const void *from, size_t bytes)
{
    if (!host->error[0] && check_range(host, "write", to, bytes)) {
        host->backend.write(host->backend.self, to, from, bytes);
    }
}

void host_read(struct host *host, void *to, gpu_ptr from, size_t bytes)
{
    if (host->error[0] || !check_range(host, "read", from, bytes)) {
        memset(to, 0, bytes);
    } else {
        host->backend.read(host->backend.self, from, to, bytes);
    }
}

gpu_ptr host_local(struct host *host, uint64_t bytes)
{
    if (bytes > host->local_bytes) {
        host->local = host_alloc(host, "local memory", bytes, 256);
        host->local_bytes = host->local ? bytes : 0;
    }
    return host->local;
}

void host_undefine(struct host *host, gpu_ptr at, uint64_t bytes)
{
    if (!host->error[0] && host->backend.undefine) {
        host->backend.undefine(host->backend.self, at, bytes);
    }
}

/* ---- arguments ---- */

static struct host_arg argument(const void *value, uint8_t bytes)
{
    struct host_arg arg = {.bytes = bytes};

    memcpy(arg.value, value, bytes);
    return arg;
}

struct host_arg host_arg_u32(uint32_t value)
{
    return argument(&value, sizeof value);
}

struct host_arg host_arg_f32(float value)
{
    return argument(&value, sizeof value);
}

struct host_arg host_arg_u64(uint64_t value)
{
    return argument(&value, sizeof value);
}

struct host_arg host_arg_f64(double value)
{
    return argument(&value, sizeof value);
}

/* ---- modules and launches ---- */

static void *module_of(struct host *host, const char *name)
{
    char path[1024], why[512] = "cannot be loaded";
    struct host_module *module;

    if (name[0] == '/') {
        snprintf(path, sizeof path, "%s", name);
    } else {
        snprintf(path, sizeof path, "%s/%.200s", host->folder, name);
    }
    for (module = host->modules; module; module = module->next) {
        if (!strcmp(module->path, path)) {
            return module->module;
        }
    }
    module = calloc(1, sizeof *module);
    if (!module) {
        fail(host, "out of memory for module %s", path);
        return NULL;
    }
    snprintf(module->path, sizeof module->path, "%s", path);
    module->module = host->loader.load(host->loader.self, host, path, why, sizeof why);
    if (!module->module) {
        fail(host, "%s", why);
        free(module);
        return NULL;
    }
    module->next = host->modules;
    host->modules = module;
    return module->module;
}

void host_launch_bytes(struct host *host, const char *where, const char *module, const char *kernel,
                       struct isa_dim3 grid, struct isa_dim3 block, uint32_t dynamic_shared_bytes,
                       const struct host_bytes *args, size_t n_args)
{
    struct isa_launch launch = {0};
    char why[8192] = "";
    void *loaded;

    if (host->error[0]) {
        return;
    }
    loaded = module_of(host, module);
    if (!loaded) {
        return;
    }
    if (host->loader.prepare(host->loader.self, host, loaded, kernel, grid, block,
                             dynamic_shared_bytes, args, n_args, &launch, why, sizeof why) != 0) {
        fail(host, "%s%s", where, why);
        return;
    }
    if (!host->error[0]) {
        host->status = host->backend.launch(host->backend.self, &launch, why, sizeof why);
        if (host->status != 0) {
            fail(host, "%s", why);
        }
    }
    host->loader.release(host->loader.self, &launch);
}

void host_launch(struct host *host, const char *module, const char *kernel, struct isa_dim3 grid,
                 struct isa_dim3 block, uint32_t dynamic_shared_bytes, const struct host_arg *args,
                 size_t n_args)
{
    struct host_bytes *bytes = calloc(n_args + 1, sizeof *bytes);

    if (!bytes) {
        fail(host, "out of memory for the arguments of %s", kernel);
        return;
    }
    for (size_t a = 0; a < n_args; a++) {
        bytes[a] = (struct host_bytes){args[a].value, args[a].bytes};
    }
    host_launch_bytes(host, "", module, kernel, grid, block, dynamic_shared_bytes, bytes, n_args);
    free(bytes);
}

gpu_ptr host_symbol(struct host *host, const char *module, const char *name)
{
    void *loaded = host->error[0] ? NULL : module_of(host, module);
    gpu_ptr at = loaded ? host->loader.symbol(host->loader.self, loaded, name) : 0;

    if (loaded && !at) {
        fail(host, "module %s has no variable %s; check the name", module, name);
    }
    return at;
}

/* ---- the timed machine as a backend ---- */

static int timed_launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    struct gpu *gpu = self;
    enum gpu_status status = gpu_launch(gpu, launch);

    if (status != GPU_OK) {
        snprintf(error, n_error, "%s", gpu->error);
    }
    return (int)status;
}

static void timed_read(void *self, uint64_t address, void *to, uint64_t bytes)
{
    gpu_peek(self, address, to, bytes);
}

static void timed_write(void *self, uint64_t address, const void *from, uint64_t bytes)
{
    gpu_poke(self, address, from, bytes);
}

struct host_backend host_timed(struct gpu *gpu)
{
    return (struct host_backend){
        .self = gpu, .launch = timed_launch, .read = timed_read, .write = timed_write};
}
