/* host_machine.h - a host program's view (host.h) made of three parts handed in:
 * memory, a backend that runs launches, and a loader that turns modules into launches.
 *
 * The timed machine and an untimed executor are backends; a PTX front end is a loader.
 * It must not know any of them.
 */
#ifndef WARPLOCK_GPU_HOST_MACHINE_H
#define WARPLOCK_GPU_HOST_MACHINE_H

#include "machine/host/host.h"
#include "machine/memory/memory.h"

struct gpu;

struct host_backend {
    void *self;
    /* Run to the end.  0, or a non-zero status with one line or more in `error`. */
    int (*launch)(void *self, const struct isa_launch *launch, char *error, size_t n_error);
    void (*read)(void *self, uint64_t address, void *to, uint64_t bytes);
    void (*write)(void *self, uint64_t address, const void *from, uint64_t bytes);
    /* Optional: new memory, whose bytes mean nothing until they are written. */
    void (*undefine)(void *self, uint64_t address, uint64_t bytes);
};

/* One kernel argument of any size, by value: the bytes stay the caller's. */
struct host_bytes {
    const void *at;
    uint32_t n;
};

struct host_loader {
    void *self;
    /* Read a module and place its variables (host_alloc, host_write).  NULL and `error`. */
    void *(*load)(void *self, struct host *host, const char *path, char *error, size_t n_error);
    void (*unload)(void *self, void *module);
    /* Address of a module variable, 0 when absent. */
    gpu_ptr (*symbol)(void *self, void *module, const char *name);
    /* Prepare a launch; 0, or -1 and `error`.  Local memory comes from host_local. */
    int (*prepare)(void *self, struct host *host, void *module, const char *kernel,
                   struct isa_dim3 grid, struct isa_dim3 block, uint32_t dynamic_shared_bytes,
                   const struct host_bytes *args, size_t n_args, struct isa_launch *out,
                   char *error, size_t n_error);
    void (*release)(void *self, struct isa_launch *launch);
};

/* `folder` is put in front of relative module names.  NULL when out of memory.  The
 * host owns none of what it is given. */
struct host *host_create(struct memory *memory, const struct host_backend *backend,
                         const struct host_loader *loader, const char *folder);
void host_destroy(struct host *host);

/* Status of the first failed launch (the backend's number), 0 if none failed. */
int host_status(const struct host *host);

/* Device memory for the local memory of a launch, kept and reused from launch to launch. */
gpu_ptr host_local(struct host *host, uint64_t bytes);

/* These bytes of device memory mean nothing until they are written, although they are 0: for a backend
 * that looks for reads of them. */
void host_undefine(struct host *host, gpu_ptr at, uint64_t bytes);

/* host_launch with arguments of any size.  `where` is put before what the loader refuses. */
void host_launch_bytes(struct host *host, const char *where, const char *module, const char *kernel,
                       struct isa_dim3 grid, struct isa_dim3 block, uint32_t dynamic_shared_bytes,
                       const struct host_bytes *args, size_t n_args);

/* The timed machine as a backend; its status numbers are enum gpu_status. */
struct host_backend host_timed(struct gpu *gpu);

#endif
