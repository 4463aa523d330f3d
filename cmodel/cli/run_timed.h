/* run_timed.h - which kernels of a program go through the machine (--timed).
 *
 * The others change memory as they should and take no time: as where traces of some kernels alone
 * drive a simulator, and to come to a late kernel soon.  What the L2 holds stays, with the bytes
 * that memory has then. */
#ifndef WARPLOCK_CLI_RUN_TIMED_H
#define WARPLOCK_CLI_RUN_TIMED_H

#include "machine/host/host_machine.h"
#include "ptx/untimed.h"

/* The caller's. */
struct run_timed {
    struct gpu *gpu;
    const char *kernels; /* names, separated by commas; NULL: all */
    char other[256];     /* the kernel of the last launch that took no time, or "" */
    struct host_backend machine;
    struct untimed untimed; /* runs the others; a backend of its own, too */
};

/* For a host program's launches on `gpu`. */
struct host_backend run_timed_backend(struct run_timed *timed, struct gpu *gpu,
                                      const char *kernels);
/* None of the kernels was launched: one line in `error`. */
void run_timed_none(const struct run_timed *timed, char *error, size_t n_error);

#endif
