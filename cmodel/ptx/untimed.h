/* untimed.h - the untimed executor as the backend of a host program: launches change memory, and take
 * no time.  Knows memory and launches, nothing of a machine. */
#ifndef WARPLOCK_PTX_UNTIMED_H
#define WARPLOCK_PTX_UNTIMED_H

#include "machine/host/host_machine.h"

/* The caller's; `memory` stays the owner of the bytes. */
struct untimed {
    struct memory *memory;
    uint32_t (*resident_ctas)(const void *context,
                              const struct isa_launch *launch); /* or NULL: 1 */
    const void *context;
    uint64_t max_steps; /* of a launch; 0: no limit */
    uint64_t steps;     /* warp instructions so far */
    struct {
        uint64_t base, low,
            end; /* of the page last used: its address, and the bytes allocated in it */
        uint8_t *at;
    } page;
    uint32_t hint;
};

/* A launch returns 0, or 1 with one line in `error`. */
struct host_backend untimed_backend(struct untimed *untimed);

#endif
