/* pages.c - see pages.h.  Replacing a page stops all SMs for thousands of cycles: who goes is searched for. */
#include "machine/memory/pages.h"

#include <stdlib.h>

static uint64_t limit_of(uint32_t pages)
{
    return pages ? pages : UINT64_MAX;
}

void pages_init(struct pages *pages, const struct gpu_config *config, struct memory *memory)
{
    *pages = (struct pages){.memory = memory,
                            .limit = {[MEMORY_NODE_GPU] = limit_of(config->host_gpu_pages),
                                      [MEMORY_NODE_HOST] = limit_of(config->host_pages)}};
    if (pages_limited(pages)) {
        memory_note_use(memory);
    }
}

void pages_free(struct pages *pages)
{
    free(pages->address);
    *pages = (struct pages){0};
}

bool pages_limited(const struct pages *pages)
{
    return pages->limit[MEMORY_NODE_GPU] != UINT64_MAX ||
           pages->limit[MEMORY_NODE_HOST] != UINT64_MAX;
}

bool pages_full(const struct pages *pages, enum memory_node node)
{
    return pages->held[node] >= pages->limit[node];
}

static int reserve(struct pages *pages)
{
    if (pages->n == pages->max) {
        uint64_t max = pages->max ? 2 * pages->max : 64;
        uint64_t *more = realloc(pages->address, max * sizeof *more);

        if (!more) {
            return -1;
        }
        pages->address = more;
        pages->max = max;
    }
    return 0;
}

int pages_put(struct pages *pages, uint64_t address, enum memory_node node, uint64_t cycle)
{
    const uint64_t page = address & ~(uint64_t)(MEMORY_PAGE_BYTES - 1);

    if (reserve(pages) != 0) {
        return -1;
    }
    memory_set_node(pages->memory, page, node);
    if (!memory_is_placed(pages->memory, page)) {
        return -1;
    }
    memory_use(pages->memory, page, cycle);
    pages->address[pages->n++] = page;
    pages->held[node]++;
    pages->placed[node]++;
    return 0;
}

uint64_t pages_oldest(const struct pages *pages, enum memory_node node)
{
    uint64_t oldest = UINT64_MAX, oldest_use = UINT64_MAX;

    for (uint64_t i = 0; i < pages->n; i++) {
        const uint64_t page = pages->address[i], use = memory_last_use(pages->memory, page);

        if (memory_node_of(pages->memory, page) == node &&
            (use < oldest_use || (use == oldest_use && page < oldest))) {
            oldest = page;
            oldest_use = use;
        }
    }
    return oldest;
}

void pages_take(struct pages *pages, uint64_t page)
{
    const enum memory_node node = memory_node_of(pages->memory, page);

    for (uint64_t i = 0; i < pages->n; i++) {
        if (pages->address[i] == page) {
            pages->address[i] = pages->address[--pages->n];
            break;
        }
    }
    memory_forget_node(pages->memory, page);
    pages->held[node]--;
    pages->replaced[node]++;
}
