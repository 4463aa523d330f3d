/* l2.c - see l2.h.  What a request does is in l2_request.c. */
#include "machine/l2/l2.h"

#include <stdlib.h>
#include <string.h>

#include "base/cycle.h"
#include "machine/l2/l2_request.h"
#include "machine/l2/l2_sector.h"
#include "machine/plug/sockets_base.h"

/* ---- storage ---- */

int l2_init(struct l2_bank *bank, uint32_t id, const struct gpu_config *config,
            struct memory *memory)
{
    *bank = (struct l2_bank){.id = id,
                             .config = config,
                             .memory = memory,
                             .valued = true, /* until a kernel is not */
                             .serving = -1,
                             .wake = CYCLE_NEVER,
                             .known_block = CACHE_NO_TAG,
                             .clock = clock_ratio(config->clock_l2_khz, config->clock_core_khz)};
    bank->n_fill = config->l2_mshrs * SECTORS;
    bank->fill = calloc(bank->n_fill, sizeof *bank->fill);
    bank->loose = aligned_alloc(_Alignof(struct l2_loose), config->l2_mshrs * sizeof *bank->loose);
    if (config->l2_sectors && !(bank->sectors = l2_sectors_new(config))) {
        return -1;
    }
    if (!bank->fill || !bank->loose ||
        dram_queue_init(&bank->to_dram,
                        bank->sectors ? config->l2_dram_queue : config->l2_miss_queue) != 0 ||
        cache_init(&bank->cache, config->l2_sets, config->l2_ways) != 0 ||
        mshr_init(&bank->mshr, config->l2_mshrs, config->l2_mshr_targets) != 0 ||
        ring_init(&bank->in, bank->sectors ? config->l2_arrivals
                                           : config->l2_input_queue + config->l2_latency) != 0 ||
        ring_init(&bank->out, config->l2_reply_queue) != 0) {
        return -1;
    }
    return base_bank_sockets(&bank->sockets, config);
}

void l2_free(struct l2_bank *bank)
{
    base_bank_sockets_free(&bank->sockets);
    l2_sectors_free(bank->sectors);
    dram_queue_free(&bank->to_dram);
    free(bank->fill);
    free(bank->loose);
    cache_free(&bank->cache);
    mshr_free(&bank->mshr);
    ring_free(&bank->in);
    ring_free(&bank->out);
}

void l2_kernel_start(struct l2_bank *bank, bool valued)
{
    bank->valued = valued;
    if (bank->sockets.policy.kernel_start) {
        bank->sockets.policy.kernel_start(bank->sockets.policy.self);
    }
    if (bank->sockets.coherence.kernel_start) {
        bank->sockets.coherence.kernel_start(bank->sockets.coherence.self);
    }
}

/* ---- towards DRAM ---- */

void l2_push_miss(struct l2_bank *bank, uint64_t block, uint8_t sectors, uint16_t mshr, bool write,
                  uint64_t now)
{
    dram_queue_push(bank->sectors ? &bank->sectors->miss : &bank->to_dram,
                    &(struct dram_request){.block = block,
                                           .arrived = now,
                                           .mshr = mshr,
                                           .l2_bank = (uint16_t)bank->id,
                                           .sectors = sectors,
                                           .write = write});
}

/* What the fill will need: since the first asked, the host's cache has been used for other things. */
static void prefetch(const struct l2_bank *bank, const struct mshr_entry *entry)
{
    if (entry->n_targets) {
        const struct exchange *first = entry->target[0].who;

        __builtin_prefetch(first);
        __builtin_prefetch(&first->reply, 1);
    }
    if (entry->has_line && bank->valued) {
        const uint8_t *from = memory_block(bank->memory, entry->first.block);

        if (from) {
            cache_prefetch_block(from);
        }
        cache_prefetch_line(&bank->cache, entry->set, entry->way);
    }
}

void l2_dram_return(struct l2_bank *bank, uint16_t mshr, uint8_t sectors, uint64_t at)
{
    uint32_t slot = (bank->fill_head + bank->fill_count++) % bank->n_fill;

    const struct mshr_entry *entry = &bank->mshr.entry[mshr];

    bank->fill[slot] = (struct l2_fill){.at = at, .mshr = mshr, .sectors = sectors};
    prefetch(bank, entry);
    bank->wake = bank->wake < at ? bank->wake : at;
}

void l2_write_memory(struct l2_bank *bank, uint64_t block, const uint8_t *data,
                     const uint64_t bytes[2], uint64_t now)
{
    l2_write_sectors(bank, block, data, bytes, bytes_sectors(bytes), now);
}

/* Bytes go to memory now; the DRAM queue keeps the order in which they could be read. */
void l2_write_sectors(struct l2_bank *bank, uint64_t block, const uint8_t *data,
                      const uint64_t bytes[2], uint8_t sectors, uint64_t now)
{
    uint8_t *to = bank->valued ? memory_block(bank->memory, block) : NULL;

    bank->values.changed |= to && bytes_differ(to, data, bytes);
    if (to) {
        bytes_copy(to, data, bytes);
    }
    l2_push_miss(bank, block, sectors, 0, true, now);
    bank->stats.write_backs++;
}

void l2_drop_line(struct l2_bank *bank, uint32_t set, uint32_t way)
{
    cache_invalidate(&bank->cache, set, way);
    if (bank->sockets.policy.invalidate) {
        bank->sockets.policy.invalidate(bank->sockets.policy.self, set, way);
    }
}

/* ---- without timing ---- */

void l2_peek(struct l2_bank *bank, uint64_t block, uint8_t out[BLOCK_BYTES])
{
    uint32_t set = l2_set_of(bank, block);
    int way = cache_find(&bank->cache, set, block);
    const uint8_t *from = memory_block(bank->memory, block);

    if (from) {
        memcpy(out, from, BLOCK_BYTES);
    } else {
        memset(out, 0, BLOCK_BYTES);
    }
    if (way >= 0) {
        bytes_copy(out, cache_data(&bank->cache, set, (uint32_t)way),
                   cache_line(&bank->cache, set, (uint32_t)way)->valid);
    }
}

/* The part of line `at`, counted over all sets, that lies in the range: its first byte and how many; 0 of
 * them: none. */
static uint32_t part_of(const struct l2_bank *bank, uint32_t at, uint64_t address, uint64_t bytes,
                        uint32_t *first)
{
    const uint64_t tag = bank->cache.tag[at], end = address + bytes;
    uint64_t to;

    if (tag == CACHE_NO_TAG || tag >= end || tag + BLOCK_BYTES <= address) {
        return 0;
    }
    *first = tag < address ? (uint32_t)(address - tag) : 0;
    to = end - tag < BLOCK_BYTES ? end - tag : BLOCK_BYTES;
    return (uint32_t)to - *first;
}

void l2_peek_lines(const struct l2_bank *bank, uint64_t address, uint8_t *out, uint64_t bytes)
{
    const struct cache *cache = &bank->cache;

    for (uint32_t at = 0; at < cache->sets * cache->ways; at++) {
        uint32_t first = 0, n = part_of(bank, at, address, bytes, &first);

        for (uint32_t b = first; b < first + n; b++) {
            if (cache->line[at].valid[b / 64] >> (b % 64) & 1) {
                out[cache->tag[at] + b - address] = cache->data[(size_t)at * BLOCK_BYTES + b];
            }
        }
    }
}

void l2_poke_lines(struct l2_bank *bank, uint64_t address, const uint8_t *in, uint64_t bytes)
{
    const struct cache *cache = &bank->cache;

    for (uint32_t at = 0; at < cache->sets * cache->ways; at++) {
        uint32_t first = 0, n = part_of(bank, at, address, bytes, &first);

        if (n) {
            memcpy(&cache->data[(size_t)at * BLOCK_BYTES + first],
                   in + (cache->tag[at] + first - address), n);
        }
    }
}

/* The valid bytes of every line go to memory, or come from there. */
static void exchange_lines(const struct l2_bank *bank, bool to_memory)
{
    const struct cache *cache = &bank->cache;

    for (uint32_t at = 0; at < cache->sets * cache->ways; at++) {
        uint8_t *line = &cache->data[(size_t)at * BLOCK_BYTES];
        uint8_t *memory = cache->tag[at] != CACHE_NO_TAG
                              ? memory_block(bank->memory, cache->tag[at])
                              : NULL;

        if (memory) {
            bytes_copy(to_memory ? memory : line, to_memory ? line : memory, cache->line[at].valid);
        }
    }
}

void l2_lend(const struct l2_bank *bank)
{
    exchange_lines(bank, true);
}

void l2_take(struct l2_bank *bank)
{
    exchange_lines(bank, false);
}

void l2_poke(struct l2_bank *bank, uint64_t block, const uint8_t *data, const uint64_t bytes[2])
{
    uint32_t set = l2_set_of(bank, block);
    int way = cache_find(&bank->cache, set, block);
    uint8_t *to = memory_block(bank->memory, block);

    if (to) {
        bytes_copy(to, data, bytes);
    }
    if (way >= 0) {
        bytes_copy(cache_data(&bank->cache, set, (uint32_t)way), data, bytes);
    }
}
