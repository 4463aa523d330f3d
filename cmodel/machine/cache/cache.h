/* cache.h - tags, line states and bytes of one cache (an L1D or an L2 bank).
 *
 * Works after wang2015-divergence 3.1 (INVALID, VALID, RESERVED) and docs/architecture.md "Data
 * travels".  Bytes have valid and dirty masks, so sector fetches and partial writes
 * need no other state.  Where to look (set) and whom to evict (policy) come from
 * outside.  It must not know about MSHRs, messages or time.
 */
#ifndef WARPLOCK_GPU_CACHE_H
#define WARPLOCK_GPU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/cache/bytes.h"
#include "machine/config/config.h"

enum line_state { LINE_INVALID, LINE_VALID, LINE_RESERVED };

/* One line of the host's cache. */
struct cache_line {
    uint64_t valid[2], dirty[2]; /* byte masks */
    uint64_t proto[2];           /* a coherence protocol's own */
    uint32_t pc;                 /* instruction that brought it */
    uint32_t prefetch_cycle;     /* while prefetched: low half of the cycle of its issue */
    uint16_t mshr;               /* while RESERVED */
    uint8_t state;               /* enum line_state */
    uint8_t warp_slot;           /* warp that brought it */
    uint8_t pending;             /* by sectors: those on their way; RESERVED while there are any */
    uint8_t written;             /* by sectors: those that are dirty, with or without bytes */
    bool killed : 1;             /* written while RESERVED: the fill must not stay (D-BASE-5) */
    bool doomed : 1;             /* reserved before the set index changed: nor here (aci 3.8) */
    bool locked : 1;             /* a protocol waits for a store's ack: not to be replaced */
    bool pinned : 1;             /* a protocol forbids replacing it */
    bool prefetched : 1;         /* brought by a prefetch and not used yet */
} __attribute__((aligned(64)));

struct cache {
    uint32_t sets, ways;
    uint64_t *tag;                /* [sets * ways] block address; CACHE_NO_TAG when INVALID */
    struct cache_line *line;      /* [sets * ways] */
    uint8_t *data;                /* [sets * ways * 128] */
    uint32_t *invalid, *reserved; /* [sets] masks of ways */
    bool locks;                   /* somebody may set line->locked or line->pinned */
};

#define CACHE_NO_TAG UINT64_MAX

/* Returns 0, or -1 when out of memory.  ways <= 32. */
int cache_init(struct cache *cache, uint32_t sets, uint32_t ways);
void cache_free(struct cache *cache);

/* The way of `set` that holds or is reserved for `block`, or -1. */
static inline int cache_find(const struct cache *cache, uint32_t set, uint64_t block)
{
    const uint64_t *tag = &cache->tag[(uint64_t)set * cache->ways];

    for (uint32_t way = 0; way < cache->ways; way++) {
        if (tag[way] == block) {
            return (int)way;
        }
    }
    return -1;
}

/* The host fetches what cache_find will compare in that set. */
static inline void cache_prefetch_tags(const struct cache *cache, uint32_t set)
{
    __builtin_prefetch(&cache->tag[(uint64_t)set * cache->ways]);
}

/* The host fetches a block's bytes, which are two of its lines. */
static inline void cache_prefetch_block(const uint8_t *data)
{
    __builtin_prefetch(data);
    __builtin_prefetch(data + BLOCK_BYTES / 2);
}

static inline struct cache_line *cache_line(const struct cache *cache, uint32_t set, uint32_t way)
{
    return &cache->line[(uint64_t)set * cache->ways + way];
}

static inline uint64_t cache_tag(const struct cache *cache, uint32_t set, uint32_t way)
{
    return cache->tag[(uint64_t)set * cache->ways + way];
}

static inline uint8_t *cache_data(const struct cache *cache, uint32_t set, uint32_t way)
{
    return &cache->data[((uint64_t)set * cache->ways + way) * BLOCK_BYTES];
}

/* The host fetches a line and its bytes. */
static inline void cache_prefetch_line(const struct cache *cache, uint32_t set, uint32_t way)
{
    __builtin_prefetch(cache_line(cache, set, way), 1);
    cache_prefetch_block(cache_data(cache, set, way));
}

/* Ways that may be replaced: VALID, neither locked nor pinned. */
uint32_t cache_replaceable(const struct cache *cache, uint32_t set);

/* Give the way to `block` in the given state, with no valid byte and clear marks. */
void cache_place(struct cache *cache, uint32_t set, uint32_t way, uint64_t block,
                 enum line_state state);
/* RESERVED without losing its bytes: more of them are being fetched. */
void cache_reserve(struct cache *cache, uint32_t set, uint32_t way);
/* The same for some of its sectors; and these have come, which makes it VALID if they are the last. */
void cache_await_sectors(struct cache *cache, uint32_t set, uint32_t way, uint8_t sectors);
void cache_sectors_came(struct cache *cache, uint32_t set, uint32_t way, uint8_t sectors);
/* The set index changes: the line keeps its way until its data have come and been
 * delivered, but is not found any more and cannot be reserved (aci 3.8: RD). */
void cache_doom(struct cache *cache, uint32_t set, uint32_t way);
void cache_set_valid(struct cache *cache, uint32_t set, uint32_t way);
void cache_invalidate(struct cache *cache, uint32_t set, uint32_t way);
void cache_invalidate_all(struct cache *cache);
/* Those whose block has one of the `bytes` from `address` on. */
void cache_invalidate_range(struct cache *cache, uint64_t address, uint64_t bytes);

#endif
