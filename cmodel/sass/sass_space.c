/* sass_space.c - see sass_space.h. */
#include "sass/sass_space.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_MASK (SASS_ADDRESS_MASK >> SASS_PAGE_SHIFT)

/* Where the page is, or would be, by what is left of its number on the machine. */
static uint64_t *place_of(const struct sass_pages *pages, uint64_t page)
{
    uint32_t at = (uint32_t)((page & PAGE_MASK) * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    for (at &= pages->n_slots - 1; pages->slot[at] != UINT64_MAX;
         at = (at + 1) & (pages->n_slots - 1)) {
        if ((pages->slot[at] & PAGE_MASK) == (page & PAGE_MASK)) {
            break;
        }
    }
    return &pages->slot[at];
}

static int grow(struct sass_pages *pages)
{
    struct sass_pages larger = *pages;

    larger.n_slots = pages->n_slots ? 2 * pages->n_slots : 64;
    larger.slot = malloc(larger.n_slots * sizeof *larger.slot);
    if (!larger.slot) {
        return -1;
    }
    memset(larger.slot, 0xff, larger.n_slots * sizeof *larger.slot);
    for (uint32_t s = 0; s < pages->n_slots; s++) {
        if (pages->slot[s] != UINT64_MAX) {
            *place_of(&larger, pages->slot[s]) = pages->slot[s];
        }
    }
    free(pages->slot);
    *pages = larger;
    return 0;
}

int sass_pages_add(struct sass_pages *pages, uint64_t address)
{
    uint64_t page = address >> SASS_PAGE_SHIFT, *place;

    if (sass_pages_is_last(pages, address)) {
        return 0;
    }
    if (2 * pages->n >= pages->n_slots && grow(pages) != 0) {
        return -1;
    }
    place = place_of(pages, page);
    if (*place != UINT64_MAX && *place != page) {
        return 1;
    }
    pages->n += *place == UINT64_MAX;
    pages->last = *place = page;
    return 0;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

uint64_t sass_pages_room(const struct sass_pages *pages, uint64_t bytes)
{
    uint64_t need = (bytes + (1 << SASS_PAGE_SHIFT) - 1) >> SASS_PAGE_SHIFT, from = 1, found = 0;
    uint64_t *sorted = malloc((pages->n + 1) * sizeof *sorted);
    uint32_t n = 0;

    for (uint32_t s = 0; sorted && s < pages->n_slots; s++) {
        if (pages->slot[s] != UINT64_MAX) {
            sorted[n++] = pages->slot[s] & PAGE_MASK;
        }
    }
    if (!sorted) {
        return 0;
    }
    qsort(sorted, n, sizeof *sorted, ascending);
    sorted[n] = PAGE_MASK + 1;
    for (uint32_t p = 0; p <= n && !found; p++) {
        if (sorted[p] >= from && sorted[p] - from >= need) {
            found = from << SASS_PAGE_SHIFT;
        }
        from = sorted[p] + 1 > from ? sorted[p] + 1 : from;
    }
    free(sorted);
    return found;
}

uint64_t sass_pages_gap(const struct sass_pages *pages, uint64_t from)
{
    uint64_t end = PAGE_MASK + 1;

    for (uint32_t s = 0; s < pages->n_slots; s++) {
        const uint64_t page = pages->slot[s] & PAGE_MASK;

        if (pages->slot[s] != UINT64_MAX && page >= from >> SASS_PAGE_SHIFT && page < end) {
            end = page;
        }
    }
    return (end << SASS_PAGE_SHIFT) - from;
}

void sass_pages_free(struct sass_pages *pages)
{
    free(pages->slot);
    *pages = (struct sass_pages){0};
}
