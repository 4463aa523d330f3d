/* pages.h - the page table of a machine with memory of two kinds: which pages lie in GPU memory and which
 * in host memory, how many each holds, and which has been out of use for longest.
 *
 * Works after aci-iacm-blpp 3.17.6 (pages of 4 KB, placed on first touch; the least recently used page of
 * a full memory is replaced).  A page that was replaced is nowhere until it is touched again; what it holds
 * is not lost.  It must not know who decides on placement, nor what a cache holds of a page.
 */
#ifndef WARPLOCK_MACHINE_PAGES_H
#define WARPLOCK_MACHINE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/config/config.h"
#include "machine/memory/memory.h"

enum { MEMORY_PAGE_BYTES = 4096 };

struct pages {
    struct memory *memory;
    uint64_t limit[MEMORY_NODES]; /* what each holds, by enum memory_node; UINT64_MAX: any number */
    uint64_t held[MEMORY_NODES];
    uint64_t *address; /* of all that lie somewhere, in no order */
    uint64_t n, max;
    uint64_t placed[MEMORY_NODES], replaced[MEMORY_NODES]; /* so far */
};

/* host.pages and host.gpu_pages are the limits.  With one, memory notes the use of pages. */
void pages_init(struct pages *pages, const struct gpu_config *config, struct memory *memory);
void pages_free(struct pages *pages);

/* Does one of the two have a limit? */
bool pages_limited(const struct pages *pages);
bool pages_full(const struct pages *pages, enum memory_node node);
/* A page, of which `address` is any byte, gets its place in a node that is not full; it counts as used in
 * that cycle.  0, or -1 when out of memory. */
int pages_put(struct pages *pages, uint64_t address, enum memory_node node, uint64_t cycle);
/* The page of a node that has been out of use for longest, by its address; of several the lowest.  The node
 * must hold one. */
uint64_t pages_oldest(const struct pages *pages, enum memory_node node);
/* A page loses its place. */
void pages_take(struct pages *pages, uint64_t page);

#endif
