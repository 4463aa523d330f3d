/* ptx_reference.h - the untimed executor: runs a launch CTA by CTA against flat memory.
 *
 * The second implementation that tests and workload authors compare the timed
 * machine with.  Knows isa.h only; memory is behind three functions.
 */
#ifndef WARPLOCK_PTX_REFERENCE_H
#define WARPLOCK_PTX_REFERENCE_H

#include "isa/isa.h"

struct ptx_memory {
    void *context;
    /* The `bytes` of device memory at `address`, or NULL when they are not all allocated. */
    uint8_t *(*at)(void *context, uint64_t address, uint32_t bytes);
    uint32_t resident_ctas; /* so many may wait for each other; 0: one, the next follows its end */
};

struct ptx_reference_result {
    uint64_t steps; /* warp instructions */
    uint64_t lanes; /* lanes that executed them */
};

/* Run all CTAs in order; within a CTA, warps take turns of a few instructions.  A CTA that is long at
 * it lets others begin, as many as may be resident, and they take turns.  `max_steps` 0: no
 * limit.  0 on success; -1 with one line in `error` on a fault, a deadlock or at the limit. */
int ptx_reference_run(const struct isa_launch *launch, const struct ptx_memory *memory,
                      uint64_t max_steps, struct ptx_reference_result *result, char *error,
                      size_t n_error);

#endif
