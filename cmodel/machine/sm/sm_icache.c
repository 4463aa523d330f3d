/* sm_icache.c - see sm_icache.h. */
#include "machine/sm/sm_icache.h"

#include <stdlib.h>

#include "machine/sm/sm_l1d.h"

int sm_icache_init(struct icache *cache, const struct gpu_config *config)
{
    cache->sets = config->fetch_icache_sets;
    cache->ways = config->fetch_icache_ways;
    cache->line = calloc((size_t)cache->sets * cache->ways + 1, sizeof *cache->line);
    return cache->line ? 0 : -1;
}

void sm_icache_free(struct icache *cache)
{
    free(cache->line);
}

static struct icache_line *set_of(const struct icache *cache, uint64_t block)
{
    return &cache->line[(block >> BLOCK_SHIFT) % cache->sets * cache->ways];
}

static bool hits(struct icache *cache, uint64_t block)
{
    struct icache_line *line = set_of(cache, block);

    for (uint32_t way = 0; way < cache->ways; way++) {
        if (line[way].block == block) {
            line[way].used = ++cache->uses;
            return true;
        }
    }
    return false;
}

/* The MSHR of a block, or a free one, or NULL. */
static struct icache_miss *miss_of(struct icache *cache, uint64_t block, uint32_t n)
{
    struct icache_miss *empty = NULL;

    for (uint32_t m = 0; m < n; m++) {
        if (cache->miss[m].block == block) {
            return &cache->miss[m];
        }
        empty = cache->miss[m].block || empty ? empty : &cache->miss[m];
    }
    return empty;
}

enum icache_result sm_icache_look_up(struct sm *sm, uint32_t slot)
{
    struct icache *cache = &sm->fetch->icache;
    const uint64_t address = CODE_BASE + (uint64_t)sm->fetch->next[slot] * INSTRUCTION_BYTES;
    const uint64_t block = address & ~(uint64_t)(BLOCK_BYTES - 1);
    struct icache_miss *miss;

    if (!cache->sets || hits(cache, block)) {
        sm->stats.l1i_accesses++;
        return ICACHE_HIT;
    }
    miss = miss_of(cache, block, sm->config->fetch_mshrs);
    if (!miss || miss->n == sm->config->fetch_mshr_targets) {
        return ICACHE_REFUSED;
    }
    if (!miss->block) {
        miss->block = block;
        cache->unsent |= UINT32_C(1) << (miss - cache->miss);
    }
    miss->warp[miss->n++] = (uint8_t)slot;
    sm->stats.l1i_accesses++;
    sm->stats.l1i_misses++;
    return ICACHE_MISS;
}

int sm_icache_answer(struct icache *cache)
{
    const uint32_t at = cache->head;

    if (!cache->answers) {
        return -1;
    }
    cache->head = (at + 1) % ICACHE_WARPS;
    cache->answers--;
    return cache->answer[at];
}

void sm_icache_send(struct sm *sm)
{
    struct icache *cache = &sm->fetch->icache;
    struct access_info info = {.local = true}; /* no protocol's business */
    struct exchange *exchange;
    uint32_t m;

    if (!cache->unsent || !sm_port_room(sm, 1)) {
        return;
    }
    m = (uint32_t)__builtin_ctz(cache->unsent);
    cache->unsent &= cache->unsent - 1;
    info.block = cache->miss[m].block;
    exchange = l1d_new_request(sm, MSG_READ, &info);
    l1d_answers_to(exchange, TO_FETCH, m);
    exchange->request.sectors = (1u << SECTORS) - 1;
    l1d_send(sm, exchange, 0, NULL);
}

static struct icache_line *victim_of(const struct icache *cache, uint64_t block)
{
    struct icache_line *line = set_of(cache, block), *oldest = line;

    for (uint32_t way = 1; way < cache->ways; way++) {
        oldest = line[way].used <= oldest->used ? &line[way] : oldest;
    }
    return oldest;
}

void sm_icache_fill(struct sm *sm, uint32_t m, uint8_t sectors)
{
    struct icache *cache = &sm->fetch->icache;
    struct icache_miss *miss = &cache->miss[m];

    miss->sectors |= sectors;
    if (miss->sectors != (1u << SECTORS) - 1) {
        return;
    }
    *victim_of(cache, miss->block) = (struct icache_line){miss->block, ++cache->uses};
    for (uint32_t w = 0; w < miss->n; w++) {
        cache->answer[(cache->head + cache->answers++) % ICACHE_WARPS] = miss->warp[w];
    }
    miss->block = 0;
    miss->sectors = 0;
    miss->n = 0;
}
