/* l2_flush.c - an L2 bank is flushed because its set index changes, set by set.
 *
 * Works after aci-iacm-blpp 3.8.3 and 3.8.6: dirty lines are written back first; a line
 * with requests waiting for its data serves them, then leaves, and what they wrote goes
 * to memory.  It must not know who changes the index, nor when.
 */
#include "machine/l2/l2.h"

#include <string.h>

#include "machine/cache/bytes.h"
#include "machine/l2/l2_request.h"

bool l2_in_service(const struct l2_bank *bank, uint32_t set, uint32_t way)
{
    const struct mshr_entry *entry;

    if (bank->serving < 0) {
        return false;
    }
    entry = &bank->mshr.entry[bank->serving];
    return entry->has_line && entry->set == set && entry->way == way;
}

void l2_flush_set(struct l2_bank *bank, uint32_t set)
{
    struct coherence_l2_socket *protocol = &bank->sockets.coherence;

    bank->flushes++;
    for (uint32_t way = 0; way < bank->cache.ways; way++) {
        struct cache_line *line = cache_line(&bank->cache, set, way);

        if (line->state == LINE_INVALID) {
            continue;
        }
        if (line->state == LINE_RESERVED || l2_in_service(bank, set, way)) {
            cache_doom(&bank->cache, set, way);
            continue;
        }
        if (protocol->evict) {
            protocol->evict(protocol->self, cache_tag(&bank->cache, set, way), line);
        }
        l2_drop_line(bank, set, way);
    }
}

void l2_drop_block(struct l2_bank *bank, uint64_t block)
{
    const uint32_t set = l2_set_of(bank, block);
    const int way = cache_find(&bank->cache, set, block);
    uint8_t *memory = memory_block(bank->memory, block);

    if (way < 0) {
        return;
    }
    if (memory) {
        bytes_copy(memory, cache_data(&bank->cache, set, (uint32_t)way),
                   cache_line(&bank->cache, set, (uint32_t)way)->dirty);
    }
    OBSERVE(bank->sockets, line, bank->id, set, (uint32_t)way, LINE_DROP, false);
    l2_drop_line(bank, set, (uint32_t)way);
}

void l2_write_back(struct l2_bank *bank, uint32_t set, uint32_t way, uint64_t now)
{
    struct cache_line *line = cache_line(&bank->cache, set, way);

    l2_write_memory(bank, cache_tag(&bank->cache, set, way), cache_data(&bank->cache, set, way),
                    line->dirty, now);
    memset(line->dirty, 0, sizeof line->dirty);
}

void l2_end_doomed(struct l2_bank *bank, uint64_t block, uint32_t set, uint32_t way, uint64_t now)
{
    struct coherence_l2_socket *protocol = &bank->sockets.coherence;
    struct cache_line *line = cache_line(&bank->cache, set, way);

    if (protocol->evict) {
        protocol->evict(protocol->self, block, line);
    }
    if (l2_is_dirty(line)) {
        l2_write_memory(bank, block, cache_data(&bank->cache, set, way), line->dirty, now);
    }
    l2_drop_line(bank, set, way);
}
