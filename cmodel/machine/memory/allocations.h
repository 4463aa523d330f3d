/* allocations.h - what a program has allocated, told by a file: a trace has addresses and no host calls.
 *
 * Regions of lakshminarayana2014 3.4.2 are allocations (D-REX-8).  It must not know who asks for them. */
#ifndef WARPLOCK_GPU_ALLOCATIONS_H
#define WARPLOCK_GPU_ALLOCATIONS_H

#include <stddef.h>
#include <stdint.h>

struct allocation {
    uint64_t base, limit; /* bytes [base, limit) */
};
struct allocations {
    struct allocation *at; /* ascending, apart */
    uint32_t n;
};

/* Rows 'BASE,BYTES' in any order, decimal or 0x...; '#' begins a comment.  Of an address 40 bits
 * count, as of those in a trace (sass/sass_space.h).  0, or -1 with `error`, a line with file, line and remedy, and nothing to be freed. */
int allocations_read(struct allocations *into, const char *path, char *error, size_t n_error);
void allocations_free(struct allocations *allocations);

#endif
