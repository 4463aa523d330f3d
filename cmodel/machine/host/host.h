/* host.h - what a host program sees of the GPU: memory, copies, launches.
 *
 * A workload is a host program in C written against this interface only.  It
 * runs the same on the timed machine and on the untimed reference executor.
 * Errors are sticky: after the first, every call does nothing and
 * `host_error` tells what went wrong.
 */
#ifndef WARPLOCK_GPU_HOST_H
#define WARPLOCK_GPU_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"

typedef uint64_t gpu_ptr; /* device address, bytes */

struct host;

/* Device memory, zeroed, aligned to `align_bytes` (a power of two, at least 256). */
gpu_ptr host_alloc(struct host *host, const char *name, size_t bytes, size_t align_bytes);
void host_write(struct host *host, gpu_ptr to, const void *from, size_t bytes);
void host_read(struct host *host, void *to, gpu_ptr from, size_t bytes);

/* One kernel argument, by value. */
struct host_arg {
    uint8_t bytes;
    uint8_t value[8];
};
struct host_arg host_arg_u32(uint32_t value);
struct host_arg host_arg_f32(float value);
struct host_arg host_arg_u64(uint64_t value); /* also pointers */
struct host_arg host_arg_f64(double value);

/* Launch and wait.  `module` is PTX text's path relative to the workload folder,
 * or absolute; modules are loaded once per host. */
void host_launch(struct host *host, const char *module, const char *kernel, struct isa_dim3 grid,
                 struct isa_dim3 block, uint32_t dynamic_shared_bytes, const struct host_arg *args,
                 size_t n_args);

/* Address of a module-scope variable (.global or .const), 0 with an error when absent. */
gpu_ptr host_symbol(struct host *host, const char *module, const char *name);

/* The first error in words, or NULL. */
const char *host_error(const struct host *host);

#endif
