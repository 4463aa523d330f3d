/* sector_cache.c - see sector_cache.h. */
#include "machine/cache/sector_cache.h"

#include <stdlib.h>
#include <string.h>

int sector_cache_init(struct sector_cache *cache, uint32_t sets, uint32_t most_ways)
{
    const size_t lines = (size_t)sets * most_ways;

    *cache = (struct sector_cache){.sets = sets, .most_ways = most_ways};
    cache->tag = calloc(lines, sizeof *cache->tag);
    cache->line = calloc(lines, sizeof *cache->line);
    cache->data = calloc(lines, BLOCK_BYTES);
    if (!cache->tag || !cache->line || !cache->data) {
        return -1;
    }
    sector_cache_clear(cache, most_ways);
    return 0;
}

void sector_cache_free(struct sector_cache *cache)
{
    free(cache->tag);
    free(cache->line);
    free(cache->data);
}

void sector_cache_clear(struct sector_cache *cache, uint32_t ways)
{
    const size_t lines = (size_t)cache->sets * cache->most_ways;

    memset(cache->tag, 0xff, lines * sizeof *cache->tag);
    memset(cache->line, 0, lines * sizeof *cache->line);
    cache->ways = ways;
    cache->n_written = 0;
}

int sector_cache_find(const struct sector_cache *cache, uint32_t set, uint64_t block)
{
    const uint32_t first = set * cache->most_ways;

    for (uint32_t way = 0; way < cache->ways; way++) {
        if (cache->tag[first + way] == block) {
            return (int)(first + way);
        }
    }
    return -1;
}

int sector_cache_victim(const struct sector_cache *cache, uint32_t set, uint32_t percent)
{
    const uint32_t first = set * cache->most_ways;
    const bool written = cache->n_written * UINT64_C(100) >=
                         (uint64_t)percent * cache->sets * cache->ways;
    int oldest = -1;

    for (uint32_t at = first + cache->ways; at-- > first;) {
        const struct sector_line *line = &cache->line[at];

        if (cache->tag[at] == SECTOR_NO_TAG) {
            return (int)at;
        }
        if (!line->pending && (written || !line->written) &&
            (oldest < 0 || line->used <= cache->line[oldest].used)) {
            oldest = (int)at;
        }
    }
    return oldest;
}

void sector_cache_place(struct sector_cache *cache, uint32_t line, uint64_t block)
{
    cache->n_written -= cache->line[line].written != 0;
    cache->line[line] = (struct sector_line){.used = cache->line[line].used};
    cache->tag[line] = block;
}

void sector_cache_await(struct sector_cache *cache, uint32_t line, uint8_t pieces)
{
    cache->line[line].pending |= pieces;
}

void sector_cache_fill(struct sector_cache *cache, uint32_t line, uint8_t pieces,
                       const uint8_t *data)
{
    struct sector_line *to = &cache->line[line];
    uint64_t bytes[2];

    sector_bytes(pieces, bytes);
    for (unsigned word = 0; word < 2; word++) {
        bytes[word] &= ~to->valid[word];
        to->valid[word] |= bytes[word];
    }
    if (data) {
        bytes_copy(&cache->data[(size_t)line * BLOCK_BYTES], data, bytes);
    }
    to->pending &= (uint8_t)~pieces;
}

void sector_cache_write(struct sector_cache *cache, uint32_t line, const uint8_t *data,
                        const uint64_t bytes[2])
{
    struct sector_line *to = &cache->line[line];

    if (data) {
        bytes_copy(&cache->data[(size_t)line * BLOCK_BYTES], data, bytes);
    }
    for (unsigned word = 0; word < 2; word++) {
        to->valid[word] |= bytes[word];
    }
    cache->n_written += !to->written;
    to->written |= bytes_sectors(bytes);
}

void sector_cache_drop(struct sector_cache *cache, uint32_t line, uint8_t pieces)
{
    struct sector_line *from = &cache->line[line];
    const bool was_written = from->written;
    uint64_t bytes[2];

    sector_bytes(pieces, bytes);
    from->valid[0] &= ~bytes[0];
    from->valid[1] &= ~bytes[1];
    from->pending &= (uint8_t)~pieces;
    from->written &= (uint8_t)~pieces;
    cache->n_written -= was_written && !from->written;
    if (!(from->valid[0] | from->valid[1]) && !from->pending) {
        cache->tag[line] = SECTOR_NO_TAG;
    }
}
