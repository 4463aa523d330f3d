/* launch_file.h - launches described in an INI file: kernels, shapes, arguments, buffers.
 *
 *   [launch]            kernel = NAME, grid = X[,Y[,Z]], block = X[,Y[,Z]], shared = BYTES
 *   [args]              one line for each parameter, in order; the names are free:
 *                       n = u32 1024 | x = s8 -3 (s8 to s64, u8 to u64, b8 to b64)
 *                       f = f32 0.5 | d = f64 2 | h = f16 0.5 | a = buffer NAME
 *                       s = bytes 01 02 a0b0 ...          (a structure: in hexadecimal, as in memory)
 *   [buffer NAME]       bytes = N
 *                       init = zero | iota | random SEED | file PATH   (32-bit words; default zero)
 *                              none: 0, too, but reads before a write are an error to --check init
 *                       dump = PATH                                    (written after the launches)
 *
 * Further launches are [launch LABEL] with [args LABEL]; they run in the order of the file, on the same
 * buffers.  A kernel's name is that of the PTX, or as in C++ (`tile<int>(int*, int)`, `tile<int>`, `tile`).
 * It must not know modules or the machine: the host's interface is all it uses.
 */
#ifndef WARPLOCK_GPU_LAUNCH_FILE_H
#define WARPLOCK_GPU_LAUNCH_FILE_H

#include <stdbool.h>

#include "machine/host/host.h"

enum launch_init { LAUNCH_ZERO, LAUNCH_NONE, LAUNCH_IOTA, LAUNCH_RANDOM, LAUNCH_FILE };

struct launch_buffer {
    char *name, *file, *dump; /* file, dump: NULL without */
    uint64_t bytes, seed;
    enum launch_init init;
    unsigned line;
    gpu_ptr at; /* once allocated */
};

struct launch_arg {
    uint8_t *value; /* [bytes] */
    uint32_t bytes;
    char *buffer_name; /* NULL: `value` is the argument */
    uint32_t buffer;   /* index */
    unsigned line;
};

struct launch_call {
    char *label, *kernel; /* label: empty for [launch] */
    struct isa_dim3 grid, block;
    uint32_t shared_bytes;
    struct launch_arg *arg;
    size_t n_args;
    unsigned line; /* of its first entry */
};

struct launch_file {
    char *name; /* for messages */
    struct launch_call *call;
    size_t n_calls;
    struct launch_buffer *buffer;
    size_t n_buffers;
};

/* Read the file, or text in memory (`name` stands for the file in messages), into `out`, whose former
 * content does not count.  Returns 0; else -1 and `file:line: what; remedy` in `error`.  Either way
 * launch_file_release frees what `out` has. */
int launch_file_read(struct launch_file *out, const char *path, char *error, size_t n_error);
int launch_file_parse(struct launch_file *out, const char *name, const char *text, char *error,
                      size_t n_error);
void launch_file_release(struct launch_file *file);

/* Allocate and fill the buffers, launch out of `module` in order, write the dumps.  0, or -1 and
 * `error`; errors of the host itself are host_error's. */
int launch_file_run(struct launch_file *file, struct host *host, const char *module, char *error,
                    size_t n_error);

/* The value `text` of `type` (u32, f16, bytes, ...): its bytes, to be freed; NULL when it is none. */
uint8_t *launch_value(const char *type, const char *text, uint32_t *n_bytes);

#endif
