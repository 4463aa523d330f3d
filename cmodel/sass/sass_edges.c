/* sass_edges.c - see sass_edges.h. */
#include "sass/sass_edges.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint64_t *place_of(const struct sass_edges *edges, uint64_t key)
{
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (edges->n_slots - 1);

    while (edges->slot[at] != UINT64_MAX && edges->slot[at] != key) {
        at = (at + 1) & (edges->n_slots - 1);
    }
    return &edges->slot[at];
}

static int grow(struct sass_edges *edges)
{
    struct sass_edges larger = {.n = edges->n,
                                .n_slots = edges->n_slots ? 2 * edges->n_slots : 256};

    larger.slot = malloc(larger.n_slots * sizeof *larger.slot);
    if (!larger.slot) {
        return -1;
    }
    memset(larger.slot, 0xff, larger.n_slots * sizeof *larger.slot);
    for (uint32_t s = 0; s < edges->n_slots; s++) {
        if (edges->slot[s] != UINT64_MAX) {
            *place_of(&larger, edges->slot[s]) = edges->slot[s];
        }
    }
    free(edges->slot);
    *edges = larger;
    return 0;
}

int sass_edges_add(struct sass_edges *edges, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to, *place;

    if (2 * edges->n >= edges->n_slots && grow(edges) != 0) {
        return -1;
    }
    place = place_of(edges, key);
    edges->n += *place == UINT64_MAX;
    *place = key;
    return 0;
}

void sass_edges_free(struct sass_edges *edges)
{
    free(edges->slot);
    *edges = (struct sass_edges){0};
}
