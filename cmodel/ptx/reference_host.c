/* reference_host.c - see reference_host.h: the host of machine/host/host_machine.h with the untimed executor
 * as its backend.
 *
 * The state of this file rides in the host as its first module, under a name no
 * file has, so that destroying the host releases it.
 */
#include "ptx/reference_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/host/host_machine.h"
#include "machine/memory/memory.h"
#include "ptx/ptx_loader.h"
#include "ptx/untimed.h"

#define OWN_MODULE "/(reference executor)"

struct reference {
    struct memory *memory;
    struct untimed untimed;
    struct host_backend plain;
    struct host_loader loader; /* of PTX modules */
    uint32_t n_sms;
    uint64_t *steps, first_steps;
};

/* The steps of all launches go where the creator looks for them. */
static int launch(void *self, const struct isa_launch *launch, char *error, size_t n_error)
{
    struct reference *r = self;
    int status = r->plain.launch(r->plain.self, launch, error, n_error);
    if (r->steps != NULL) {
        *r->steps = r->first_steps + r->untimed.steps;
    }
    return status == 0 ? 0 : -1;
}

static void read_device(void *self, uint64_t address, void *to, uint64_t bytes)
{
    const struct reference *r = self;
    r->plain.read(r->plain.self, address, to, bytes);
}

static void write_device(void *self, uint64_t address, const void *from, uint64_t bytes)
{
    const struct reference *r = self;
    r->plain.write(r->plain.self, address, from, bytes);
}

/* Modules: PTX, and the reference itself */

static void *load(void *self, struct host *host, const char *path, char *error, size_t n_error)
{
    struct reference *r = self;
    bool own = strcmp(path, OWN_MODULE) == 0;
    return own ? r : r->loader.load(r->loader.self, host, path, error, n_error);
}

static void unload(void *self, void *module)
{
    struct reference *r = self;
    if (module != self) {
        r->loader.unload(r->loader.self, module);
        return;
    }
    memory_destroy(r->memory); /* the first module goes last */
    free(r);
}

static gpu_ptr symbol(void *self, void *module, const char *name)
{
    struct reference *r = self;
    return module == self ? 1 : r->loader.symbol(r->loader.self, module, name);
}

static int prepare(void *self, struct host *host, void *module, const char *kernel,
                   struct isa_dim3 grid, struct isa_dim3 block, uint32_t dynamic_shared_bytes,
                   const struct host_bytes *args, size_t n_args, struct isa_launch *out,
                   char *error, size_t n_error)
{
    struct reference *r = self;
    return r->loader.prepare(r->loader.self, host, module, kernel, grid, block,
                             dynamic_shared_bytes, args, n_args, out, error, n_error);
}

static void release(void *self, struct isa_launch *launch)
{
    struct reference *r = self;
    r->loader.release(r->loader.self, launch);
}

struct host *reference_host_new_limited(const char *module_dir, uint64_t max_steps, uint64_t *steps)
{
    struct reference *r = calloc(1, sizeof(*r));
    struct host *host = NULL;
    if (r == NULL) {
        return NULL;
    }
    *r = (struct reference){.memory = memory_create(),
                            .n_sms = 1,
                            .steps = steps,
                            .first_steps = steps == NULL ? 0 : *steps};
    r->untimed = (struct untimed){.memory = r->memory, .max_steps = max_steps};
    r->plain = untimed_backend(&r->untimed);
    r->loader = ptx_loader(&r->n_sms);
    struct host_backend backend = {
        .self = r, .launch = launch, .read = read_device, .write = write_device};
    struct host_loader loader = {.self = r,
                                 .load = load,
                                 .unload = unload,
                                 .symbol = symbol,
                                 .prepare = prepare,
                                 .release = release};
    if (r->memory != NULL) {
        host = host_create(r->memory, &backend, &loader, module_dir == NULL ? "." : module_dir);
    }
    if (host == NULL || host_symbol(host, OWN_MODULE, "self") == 0) {
        host_destroy(host);
        if (r->memory != NULL) {
            memory_destroy(r->memory);
        }
        free(r);
        return NULL;
    }
    return host;
}

struct host *reference_host_new(const char *module_dir)
{
    return reference_host_new_limited(module_dir, 0, NULL);
}

void reference_host_free(struct host *host)
{
    host_destroy(host);
}
