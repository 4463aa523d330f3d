/* l2_granularity.c - misses of an L2 bank of lines that fetch sectors of their blocks.
 *
 * Works after lakshminarayana2014-graph 3.6.1.  An MSHR entry is of a block, and asks DRAM for more of
 * its sectors as requests join it.  Those that wait are served in their order, each when its sectors are
 * there, so that none sees what a later one writes; a read whose sectors the line has need not wait, if
 * nobody before it writes.  It must not know who chooses sectors, nor why.
 */
#include "machine/l2/l2_request.h"

static const struct cache_line *line_of(const struct l2_bank *bank, const struct mshr_entry *entry)
{
    return cache_line(&bank->cache, entry->set, entry->way);
}

uint8_t l2_choose_sectors(const struct l2_bank *bank, struct access_info *access, uint32_t set,
                          int way)
{
    const struct granularity_socket *granularity = &bank->sockets.granularity;
    const uint8_t there = way < 0 ? 0
                                  : bytes_whole_sectors(
                                        cache_line(&bank->cache, set, (uint32_t)way)->valid);
    uint8_t sectors = (1u << SECTORS) - 1;

    if (!granularity->sectors) {
        return sectors;
    }
    if (access->kind == ACCESS_STORE) {
        sectors = access->sectors;
    } else if (access->kind != ACCESS_PREFETCH && !access->local) {
        sectors = access->sectors | granularity->sectors(granularity->self, access, access->sectors,
                                                         set, way, there, &access->note);
    }
    return sectors & (uint8_t)~there;
}

static bool is_read(const struct request *request)
{
    return request->packet.type == MSG_READ || request->packet.type == MSG_PREFETCH;
}

bool l2_awaits(const struct l2_bank *bank, const struct cache_line *line,
               const struct request *request)
{
    uint64_t need[2];

    sector_bytes(request->sectors, need);
    return l2_by_sectors(bank) && request->packet.type != MSG_WRITE &&
           !bytes_cover(line->valid, need);
}

bool l2_reads_beside(const struct l2_bank *bank, const struct mshr_entry *entry,
                     const struct request *request)
{
    if (!l2_by_sectors(bank) || !entry->has_line || !is_read(request) ||
        l2_awaits(bank, line_of(bank, entry), request)) {
        return false;
    }
    for (uint32_t t = entry->served; t < entry->n_targets; t++) {
        if (!is_read(&((const struct exchange *)entry->target[t].who)->request)) {
            return false;
        }
    }
    return true;
}

uint8_t l2_joins_for(const struct l2_bank *bank, const struct mshr_entry *entry,
                     const struct request *request)
{
    const uint8_t there = entry->has_line ? bytes_whole_sectors(line_of(bank, entry)->valid) : 0;

    return !l2_by_sectors(bank) || request->packet.type == MSG_WRITE
               ? 0
               : request->sectors & (uint8_t) ~(entry->sectors | there);
}

void l2_tell_granularity(const struct l2_bank *bank, const struct request *request, uint32_t set,
                         uint32_t way)
{
    const struct granularity_socket *granularity = &bank->sockets.granularity;

    if (granularity->read && request->packet.type == MSG_READ && !request->ticket.local) {
        granularity->read(granularity->self, set, way, request->sectors);
    }
    if (granularity->filled && !is_read(request)) {
        granularity->filled(granularity->self, set, way,
                            bytes_whole_sectors(cache_line(&bank->cache, set, way)->valid));
    }
}
