/* launch_file.h - a launch described in an INI file: kernel, shape, arguments, buffers.
 *
 *   [launch]            kernel = NAME, grid = X[,Y[,Z]], block = X[,Y[,Z]], shared = BYTES
 *   [args]              one line for each parameter, in order; the names are free:
 *                       n = u32 1024 | f = f32 0.5 | x = u64 7 | d = f64 2 | a = buffer NAME
 *   [buffer NAME]       bytes = N
 *                       init = zero | iota | random SEED | file PATH   (32-bit words; default zero)
 *                              none: 0, too, but reads before a write are an error to --check init
 *                       dump = PATH                                    (written after the launch)
 *
 * It must not know modules or the machine: the host's interface is all it uses.
 */
#ifndef WARPLOCK_GPU_LAUNCH_FILE_H
#define WARPLOCK_GPU_LAUNCH_FILE_H

#include <stdbool.h>

#include "machine/host/host.h"

enum { LAUNCH_MAX_ARGS = 64, LAUNCH_MAX_BUFFERS = 64, LAUNCH_NAME = 64, LAUNCH_PATH = 192 };

enum launch_init { LAUNCH_ZERO, LAUNCH_NONE, LAUNCH_IOTA, LAUNCH_RANDOM, LAUNCH_FILE };

struct launch_buffer {
    char name[LAUNCH_NAME];
    uint64_t bytes, seed;
    enum launch_init init;
    char file[LAUNCH_PATH], dump[LAUNCH_PATH]; /* empty: none */
    gpu_ptr at;                                /* once allocated */
};

struct launch_arg {
    struct host_arg value;
    int buffer; /* index, or -1: `value` is the argument */
    char name[LAUNCH_NAME];
};

struct launch_file {
    char kernel[LAUNCH_NAME];
    struct isa_dim3 grid, block;
    uint32_t shared_bytes;
    struct launch_arg arg[LAUNCH_MAX_ARGS];
    uint32_t n_args;
    struct launch_buffer buffer[LAUNCH_MAX_BUFFERS];
    uint32_t n_buffers;
};

/* Read the file, or text in memory (`name` stands for the file in messages).
 * Returns 0; else -1 and `file:line: what; remedy` in `error`. */
int launch_file_read(struct launch_file *out, const char *path, char *error, size_t n_error);
int launch_file_parse(struct launch_file *out, const char *name, const char *text, char *error,
                      size_t n_error);

/* Allocate and fill the buffers, launch `module`, write the dumps.  0, or -1 and `error`;
 * errors of the host itself are host_error's. */
int launch_file_run(struct launch_file *file, struct host *host, const char *module, char *error,
                    size_t n_error);

#endif
