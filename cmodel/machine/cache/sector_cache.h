/* sector_cache.h - tags, sectors and bytes of a cache whose lines are filled by sectors.
 *
 * A line of 128 bytes has a tag and a place among its set's; each of its sectors is brought, awaited
 * and written by itself.  Byte masks say what may be read: a sector is complete when all its bytes
 * are there.  Replacement is least recently used, except lines with a sector on its way, and written
 * ones while they are fewer than a share of all.  Sectors are masks of pieces of 32 bytes, as
 * everywhere.  It must not know about MSHRs, messages or time.
 */
#ifndef WARPLOCK_MACHINE_SECTOR_CACHE_H
#define WARPLOCK_MACHINE_SECTOR_CACHE_H

#include "machine/cache/bytes.h"

struct sector_line {
    uint64_t valid[2]; /* byte mask */
    uint64_t used;     /* when it was used last */
    uint8_t pending;   /* pieces on their way */
    uint8_t written;   /* pieces that were written, wholly or in part */
};

struct sector_cache {
    uint32_t sets, ways, most_ways; /* ways in use, and those there are */
    uint32_t n_written;             /* lines with a written sector */
    uint64_t *tag;                  /* [sets * most_ways] block address, or SECTOR_NO_TAG */
    struct sector_line *line;
    uint8_t *data; /* [sets * most_ways * 128] */
};

#define SECTOR_NO_TAG UINT64_MAX

/* Returns 0, or -1 when out of memory. */
int sector_cache_init(struct sector_cache *cache, uint32_t sets, uint32_t most_ways);
void sector_cache_free(struct sector_cache *cache);
/* Nothing is there, and so many ways are in use. */
void sector_cache_clear(struct sector_cache *cache, uint32_t ways);

/* The number of the line that holds a block, among all, or -1. */
int sector_cache_find(const struct sector_cache *cache, uint32_t set, uint64_t block);
/* The line to be replaced: an empty one, else the one used longest ago; or -1.  Written ones only
 * when they are at least `percent` of all. */
int sector_cache_victim(const struct sector_cache *cache, uint32_t set, uint32_t percent);
/* The line is for another block now, with nothing of it there. */
void sector_cache_place(struct sector_cache *cache, uint32_t line, uint64_t block);

/* Pieces are awaited; have come with these bytes, which stay where none was written since; `data` is
 * NULL where there are no values. */
void sector_cache_await(struct sector_cache *cache, uint32_t line, uint8_t pieces);
void sector_cache_fill(struct sector_cache *cache, uint32_t line, uint8_t pieces,
                       const uint8_t *data);
/* Those bytes are written. */
void sector_cache_write(struct sector_cache *cache, uint32_t line, const uint8_t *data,
                        const uint64_t bytes[2]);
/* Pieces go, also those on their way. */
void sector_cache_drop(struct sector_cache *cache, uint32_t line, uint8_t pieces);

static inline const uint8_t *sector_cache_data(const struct sector_cache *cache, uint32_t line)
{
    return &cache->data[(size_t)line * BLOCK_BYTES];
}

/* Are all bytes of these pieces there? */
static inline bool sector_cache_has(const struct sector_cache *cache, uint32_t line, uint8_t pieces)
{
    uint64_t bytes[2];

    sector_bytes(pieces, bytes);
    return bytes_cover(cache->line[line].valid, bytes);
}

#endif
