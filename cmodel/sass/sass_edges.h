/* sass_edges.h - which instruction of a kernel was seen to follow which, thread by thread.
 *
 * A set of pairs of entry numbers.  It must not know what the instructions do.
 */
#ifndef WARPLOCK_SASS_EDGES_H
#define WARPLOCK_SASS_EDGES_H

#include <stddef.h>
#include <stdint.h>

struct sass_edges {
    uint64_t *slot;      /* hash: from << 32 | to; UINT64_MAX is free */
    uint32_t n, n_slots; /* a power of two, or 0 */
};

/* 0, or -1 when out of memory. */
int sass_edges_add(struct sass_edges *edges, uint32_t from, uint32_t to);
void sass_edges_free(struct sass_edges *edges);

#endif
