/* sass_space.h - where a trace's addresses lie: which space, and where in device memory.
 *
 * Works after the trace format, sections 2 (windows) and 4 (addresses).  Global addresses
 * are cut to the machine's 40 bits; the pages touched are kept, so that two that would
 * coincide are noticed and local memory gets a place of its own.  It must not know lines.
 */
#ifndef WARPLOCK_SASS_SPACE_H
#define WARPLOCK_SASS_SPACE_H

#include "sass/sass_header.h"

#define SASS_ADDRESS_BITS 40
#define SASS_ADDRESS_MASK ((UINT64_C(1) << SASS_ADDRESS_BITS) - 1)
/* Size of the window through which generic accesses reach local memory, and what the local
 * accesses of one thread may span. */
#define SASS_LOCAL_WINDOW (UINT64_C(1) << 24)
enum { SASS_LOCAL_BYTES = 1 << 19, SASS_PAGE_SHIFT = 21 };

/* Space of an access that names `space`.  Generic: by the windows of the head; shared when it
 * has none. */
static inline enum isa_space sass_space_of(const struct sass_header *h, enum isa_space space,
                                           uint64_t address)
{
    if (space != ISA_SPACE_GENERIC) {
        return space;
    }
    if (!h->shared_base || !h->local_base) {
        return ISA_SPACE_SHARED;
    }
    if (address - h->local_base < SASS_LOCAL_WINDOW) {
        return ISA_SPACE_LOCAL;
    }
    return address >= h->shared_base && address < h->local_base ? ISA_SPACE_SHARED
                                                                : ISA_SPACE_GLOBAL;
}

/* Global and generic address 0 is no access; shared and local memory begin there. */
static inline bool sass_is_access(enum isa_space space, uint64_t address)
{
    return address != 0 || (space != ISA_SPACE_GLOBAL && space != ISA_SPACE_GENERIC);
}

/* Offset in the thread's local memory: the trace has it bare or in the generic window. */
static inline uint64_t sass_local_offset(const struct sass_header *h, uint64_t address)
{
    return h->local_base && address >= h->local_base ? address - h->local_base : address;
}

/* The pages of 2 MiB that global accesses touched, over all kernels of a run. */
struct sass_pages {
    uint64_t *slot; /* hash of full page numbers; UINT64_MAX is free */
    uint32_t n, n_slots;
    uint64_t last; /* added last */
};

/* Was the page of the address added last? */
static inline bool sass_pages_is_last(const struct sass_pages *pages, uint64_t address)
{
    return pages->n && pages->last == address >> SASS_PAGE_SHIFT;
}
/* 0; -1 when out of memory; 1 when another page has the same low bits. */
int sass_pages_add(struct sass_pages *pages, uint64_t address);
/* `bytes` of device memory that no page lies in, 2 MiB aligned; 0 when there is no room. */
uint64_t sass_pages_room(const struct sass_pages *pages, uint64_t bytes);
/* Bytes from `from`, in no page, to the next page that is used. */
uint64_t sass_pages_gap(const struct sass_pages *pages, uint64_t from);
void sass_pages_free(struct sass_pages *pages);

#endif
