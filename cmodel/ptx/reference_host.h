/* reference_host.h - machine/host/host.h with launches run by the untimed executor. */
#ifndef WARPLOCK_PTX_REFERENCE_HOST_H
#define WARPLOCK_PTX_REFERENCE_HOST_H

#include "machine/host/host.h"

/* Relative module paths are under `module_dir` (NULL: the working directory).  NULL when there is
 * no memory. */
struct host *reference_host_new(const char *module_dir);

/* The same; a launch that runs more than `max_steps` warp instructions is an error (0: no limit).
 * Executed warp instructions are added to `*steps` unless it is NULL. */
struct host *reference_host_new_limited(const char *module_dir, uint64_t max_steps,
                                        uint64_t *steps);
void reference_host_free(struct host *host);

#endif
