/* cache.c - see cache.h. */
#include "machine/cache/cache.h"

#include <stdlib.h>
#include <string.h>

static uint32_t all_ways(const struct cache *cache)
{
    return cache->ways == 32 ? UINT32_MAX : (UINT32_C(1) << cache->ways) - 1;
}

/* Zeros that start at a line of the host's cache. */
static void *new_array(size_t n, size_t element_bytes)
{
    size_t bytes = (n * element_bytes + 63) & ~(size_t)63;
    void *array = aligned_alloc(64, bytes);

    return array ? memset(array, 0, bytes) : NULL;
}

int cache_init(struct cache *cache, uint32_t sets, uint32_t ways)
{
    size_t lines = (size_t)sets * ways;

    *cache = (struct cache){.sets = sets, .ways = ways};
    cache->tag = new_array(lines, sizeof *cache->tag);
    cache->line = new_array(lines, sizeof *cache->line);
    cache->data = new_array(lines, BLOCK_BYTES);
    cache->invalid = calloc(sets, sizeof *cache->invalid);
    cache->reserved = calloc(sets, sizeof *cache->reserved);
    if (!cache->tag || !cache->line || !cache->data || !cache->invalid || !cache->reserved) {
        return -1;
    }
    cache_invalidate_all(cache);
    return 0;
}

void cache_free(struct cache *cache)
{
    free(cache->tag);
    free(cache->line);
    free(cache->data);
    free(cache->invalid);
    free(cache->reserved);
    *cache = (struct cache){0};
}

uint32_t cache_replaceable(const struct cache *cache, uint32_t set)
{
    uint32_t mask = all_ways(cache) & ~cache->reserved[set] & ~cache->invalid[set];

    for (uint32_t left = cache->locks ? mask : 0; left; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(left);
        const struct cache_line *line = cache_line(cache, set, way);
        if (line->locked || line->pinned) {
            mask &= ~(UINT32_C(1) << way);
        }
    }
    return mask;
}

void cache_place(struct cache *cache, uint32_t set, uint32_t way, uint64_t block,
                 enum line_state state)
{
    uint32_t bit = UINT32_C(1) << way;

    *cache_line(cache, set, way) = (struct cache_line){.state = (uint8_t)state};
    cache->tag[(uint64_t)set * cache->ways + way] = block;
    cache->invalid[set] &= ~bit;
    cache->reserved[set] = state == LINE_RESERVED ? cache->reserved[set] | bit
                                                  : cache->reserved[set] & ~bit;
}

void cache_reserve(struct cache *cache, uint32_t set, uint32_t way)
{
    cache_line(cache, set, way)->state = LINE_RESERVED;
    cache->reserved[set] |= UINT32_C(1) << way;
}

void cache_await_sectors(struct cache *cache, uint32_t set, uint32_t way, uint8_t sectors)
{
    cache_line(cache, set, way)->pending |= sectors;
    cache_reserve(cache, set, way);
}

void cache_sectors_came(struct cache *cache, uint32_t set, uint32_t way, uint8_t sectors)
{
    struct cache_line *line = cache_line(cache, set, way);

    line->pending &= (uint8_t)~sectors;
    if (!line->pending) {
        cache_set_valid(cache, set, way);
    }
}

void cache_doom(struct cache *cache, uint32_t set, uint32_t way)
{
    cache_line(cache, set, way)->doomed = true;
    cache->tag[(uint64_t)set * cache->ways + way] = CACHE_NO_TAG;
}

void cache_set_valid(struct cache *cache, uint32_t set, uint32_t way)
{
    cache_line(cache, set, way)->state = LINE_VALID;
    cache->reserved[set] &= ~(UINT32_C(1) << way);
}

void cache_invalidate(struct cache *cache, uint32_t set, uint32_t way)
{
    uint32_t bit = UINT32_C(1) << way;

    *cache_line(cache, set, way) = (struct cache_line){.state = LINE_INVALID};
    cache->tag[(uint64_t)set * cache->ways + way] = CACHE_NO_TAG;
    cache->invalid[set] |= bit;
    cache->reserved[set] &= ~bit;
}

void cache_invalidate_all(struct cache *cache)
{
    size_t lines = (size_t)cache->sets * cache->ways;

    memset(cache->line, 0, lines * sizeof *cache->line);
    memset(cache->tag, 0xff, lines * sizeof *cache->tag);
    for (uint32_t set = 0; set < cache->sets; set++) {
        cache->invalid[set] = all_ways(cache);
        cache->reserved[set] = 0;
    }
}

void cache_invalidate_range(struct cache *cache, uint64_t address, uint64_t bytes)
{
    for (uint32_t n = 0; n < cache->sets * cache->ways; n++) {
        const uint64_t block = cache->tag[n];

        if (block != CACHE_NO_TAG && block < address + bytes && block + BLOCK_BYTES > address) {
            cache_invalidate(cache, n / cache->ways, n % cache->ways);
        }
    }
}
