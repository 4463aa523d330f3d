/* drd_exact.c - see drd_exact.h.  A chain of stores for every block, the newest first. */
#include "mechanisms/drd/drd_exact.h"

#include <stdlib.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "units/rdu/bloom.h"

struct store {
    uint64_t bytes[2];
    uint64_t before; /* number of the store to this block before; 0: none */
    uint32_t sm;
};

struct stored_block {
    uint64_t block, newest;
    UT_hash_handle hh;
};

struct drd_exact {
    uint32_t shift;
    struct stored_block *blocks;
    struct store *store; /* [room], number n at n - 1 */
    uint64_t count, room;
};

struct drd_exact *drd_exact_new(uint32_t shift)
{
    struct drd_exact *exact = calloc(1, sizeof *exact);
    if (exact != NULL) {
        exact->shift = shift;
    }
    return exact;
}

void drd_exact_clear(struct drd_exact *exact)
{
    struct stored_block *block, *next;
    HASH_ITER(hh, exact->blocks, block, next)
    {
        HASH_DEL(exact->blocks, block);
        free(block);
    }
    exact->count = 0;
}

void drd_exact_free(struct drd_exact *exact)
{
    if (exact != NULL) {
        drd_exact_clear(exact);
        free(exact->store);
    }
    free(exact);
}

uint64_t drd_exact_count(const struct drd_exact *exact)
{
    return exact->count;
}

static struct stored_block *find(const struct drd_exact *exact, uint64_t block)
{
    struct stored_block *found;
    HASH_FIND(hh, exact->blocks, &block, sizeof block, found);
    return found;
}

static struct stored_block *find_or_add(struct drd_exact *exact, uint64_t block)
{
    struct stored_block *found = find(exact, block);
    if (found == NULL && (found = calloc(1, sizeof *found)) != NULL) {
        found->block = block;
        HASH_ADD(hh, exact->blocks, block, sizeof found->block, found);
        if (find(exact, block) == NULL) {
            free(found);
            return NULL;
        }
    }
    return found;
}

bool drd_exact_store(struct drd_exact *exact, uint32_t sm, uint64_t block, const uint64_t bytes[2])
{
    struct stored_block *of = find_or_add(exact, block);
    if (exact->count == exact->room) {
        const uint64_t room = exact->room > 0 ? 2 * exact->room : 1024;
        struct store *more = realloc(exact->store, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        exact->store = more;
        exact->room = room;
    }
    if (of == NULL) {
        return false;
    }
    exact->store[exact->count++] = (struct store){{bytes[0], bytes[1]}, of->newest, sm};
    of->newest = exact->count;
    return true;
}

/* Add the bytes of a block that others stored to. */
static void stored(const struct drd_exact *exact, uint32_t sm, struct drd_interval in,
                   uint64_t block, uint64_t bytes[2])
{
    const struct stored_block *of = find(exact, block);
    const struct store *store;
    for (uint64_t n = of != NULL ? of->newest : 0; n > in.after; n = store->before) {
        store = &exact->store[n - 1];
        if (n <= in.upto && store->sm != sm) {
            bytes[0] |= store->bytes[0];
            bytes[1] |= store->bytes[1];
        }
    }
}

void drd_exact_keep(const struct drd_exact *exact, uint32_t sm, struct drd_interval in,
                    uint64_t block, uint64_t bytes[2])
{
    const uint32_t shift = exact->shift < 7 ? exact->shift : 7;
    const uint64_t granule = UINT64_C(1) << exact->shift, first = block & ~(granule - 1);
    uint64_t found[2] = {0, 0}, kept[2] = {0, 0};
    if (exact->shift <= 7) {
        stored(exact, sm, in, block, found);
    }
    for (uint64_t at = first; exact->shift > 7 && at < first + granule; at += BLOOM_BLOCK_BYTES) {
        stored(exact, sm, in, at, found);
    }
    for (uint32_t byte = 0; byte < BLOOM_BLOCK_BYTES; byte++) {
        if (bloom_touches(found, byte >> shift, shift)) {
            kept[byte / 64] |= bytes[byte / 64] & UINT64_C(1) << byte % 64;
        }
    }
    bytes[0] = kept[0];
    bytes[1] = kept[1];
}
