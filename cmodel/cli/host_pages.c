/* host_pages.c - see host_pages.h.
 *
 * A machine's state is tens of megabytes that every simulated cycle walks through: with pages
 * of 4 KB the host's address translation misses all the time.  malloc is told to keep to one
 * stretch of addresses, reserved at once and backed only where it is used.
 */
#include "cli/host_pages.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STRETCH_BYTES = 256 << 20, LARGEST_BYTES = 32 << 20, HUGE_PAGE_BYTES = 2 << 20 };

void host_pages_ask(void)
{
    uintptr_t from = (uintptr_t)sbrk(0) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES, to;
    void *volatile grown; /* or the compiler leaves the pair of calls out */

    mallopt(M_MMAP_THRESHOLD, LARGEST_BYTES);
    mallopt(M_TRIM_THRESHOLD, 2 * STRETCH_BYTES);
    mallopt(M_TOP_PAD, STRETCH_BYTES);
    grown = malloc(HUGE_PAGE_BYTES); /* the heap grows by the stretch now */
    free(grown);
    mallopt(M_TOP_PAD, LARGEST_BYTES);
    from += HUGE_PAGE_BYTES;
    to = (uintptr_t)sbrk(0) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    if (to > from)
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE); /* a wish: refused does no harm */
}
