/* run_timed.h - which kernels of a program go through the machine (--timed).
 *
 * The others change memory as they should and take no time: as where traces of some kernels alone
 * drive a simulator, and to come to a late kernel soon.  Of one whose launches are alike one in so
 * many may go through, as where a simulator is given samples.  What the L2 holds stays, with the
 * bytes that memory has then. */
#ifndef WARPLOCK_CLI_RUN_TIMED_H
#define WARPLOCK_CLI_RUN_TIMED_H

#include "machine/host/host_machine.h"
#include "ptx/untimed.h"

enum { RUN_TIMED_KERNELS = 64 };

/* The caller's. */
struct run_timed {
    struct gpu *gpu;
    const char *kernels; /* names, separated by commas, as NAME or NAME/N; NULL: all */
    uint64_t launched[RUN_TIMED_KERNELS]; /* of each, whether it took time or not */
    char other[256]; /* the kernel of the last launch that took no time, or "" */
    struct host_backend machine;
    struct untimed untimed; /* runs the others; a backend of its own, too */
};

/* Whether `kernels` is a list of names, each perhaps with /N, 2 to 1000: false with one line. */
bool run_timed_check(const char *kernels, char *error, size_t n_error);

/* For a host program's launches on `gpu`.  Of NAME/N the launch in the middle of each N takes time:
 * of 3 the 2nd, the 5th, the 8th. */
struct host_backend run_timed_backend(struct run_timed *timed, struct gpu *gpu,
                                      const char *kernels);
/* No launch took time: one line in `error` says why. */
void run_timed_none(const struct run_timed *timed, char *error, size_t n_error);

#endif
