/* sm_l1d_granularity.c - misses of an L1D of lines that fetch sectors of their blocks.
 *
 * Works after lakshminarayana2014-graph 3.6.1.  An MSHR entry is of a block, and asks for more of its
 * sectors as loads join it; each reply is put into the line as it comes, and whoever has all its
 * sectors by then is served (D-GRAN-2).  What has come, or was in the line, is kept in the entry: the
 * line may go before the rest is there.  It must not know who chooses sectors, nor why.
 */
#include "machine/sm/sm_l1d.h"

static uint8_t there(const struct cache_line *line)
{
    return line && line->state == LINE_VALID ? bytes_whole_sectors(line->valid) : 0;
}

/* Bytes of an exchange, for sectors that it has not yet. */
static void take(struct exchange *to, const uint8_t *from, uint8_t sectors)
{
    uint64_t bytes[2];

    sector_bytes(sectors & (uint8_t)~to->reply.sectors, bytes);
    bytes_copy(to->data, from, bytes);
    to->reply.sectors |= sectors;
}

/* Some of what the entry is about is in the line. */
static void keep_there(struct sm *sm, struct mshr_entry *entry, const struct cache_line *line,
                       uint8_t sectors)
{
    if (!sectors) {
        return;
    }
    if (!entry->parts) {
        entry->parts = exchange_new(&sm->port.pool);
        ((struct exchange *)entry->parts)->reply.sectors = 0;
    }
    take(entry->parts, cache_data(&sm->l1d, 0, (uint32_t)(line - sm->l1d.line)), sectors);
    entry->came |= sectors;
}

uint8_t l1d_choose_sectors(struct sm *sm, uint32_t at, uint8_t needed, uint32_t set, int present)
{
    const struct granularity_socket *granularity = &sm->sockets.granularity;
    struct mshr_entry *entry = &sm->mshr.entry[at];
    const struct cache_line *line = present < 0 ? NULL
                                                : cache_line(&sm->l1d, set, (uint32_t)present);
    const uint8_t has = there(line);

    entry->sectors = needed | (granularity->sectors(granularity->self, &entry->first, needed, set,
                                                    present, has, &entry->first.note) &
                               (uint8_t)~has);
    keep_there(sm, entry, line, needed & has);
    return entry->sectors & (uint8_t)~entry->came;
}

bool l1d_ask_more(struct sm *sm, uint32_t at, uint8_t more)
{
    struct mshr_entry *entry = &sm->mshr.entry[at];
    const struct cache_line *line = l1d_copy(sm, entry->first.block);
    const uint8_t has = there(line) & more;
    struct exchange *exchange;

    entry->sectors |= more;
    keep_there(sm, entry, line, has);
    if (!(more & ~has)) {
        return false;
    }
    exchange = l1d_new_request(sm, MSG_READ, &entry->first);
    l1d_answers_to(exchange, TO_MSHR, at);
    exchange->request.sectors = more & (uint8_t)~has;
    l1d_send(sm, exchange, 0, NULL);
    return true;
}

/* What was kept comes to the reply. */
static void fold(struct mshr_entry *entry, struct reply *reply)
{
    struct exchange *parts = entry->parts;

    if (parts) {
        take(exchange_of_reply(&reply->packet), parts->data, parts->reply.sectors);
        exchange_release(parts);
        entry->parts = NULL;
    }
}

bool l1d_gather(struct mshr_entry *entry, struct reply *reply)
{
    entry->came |= reply->sectors;
    fold(entry, reply);
    if (entry->returned) {
        entry->parts = exchange_of_reply(&reply->packet);
    }
    return !entry->returned;
}

bool l1d_goes_on(struct mshr_entry *entry, struct reply *reply, bool *serves)
{
    const bool awaits = entry->sectors & ~entry->came;

    fold(entry, reply);
    if (!awaits && !entry->kept) {
        return false;
    }
    entry->n_targets = entry->kept;
    entry->served = entry->kept = 0;
    *serves = !awaits;
    if (awaits) {
        entry->returned = false;
        entry->parts = exchange_of_reply(&reply->packet);
    }
    return true;
}

void l1d_tell_read(const struct sm *sm, const struct mshr_entry *entry, uint8_t sectors)
{
    const struct granularity_socket *granularity = &sm->sockets.granularity;
    const uint32_t set = l1d_set(sm, entry->first.block);
    const int way = cache_find(&sm->l1d, set, entry->first.block);

    if (way >= 0) {
        granularity->read(granularity->self, set, (uint32_t)way,
                          sectors & there(cache_line(&sm->l1d, set, (uint32_t)way)));
    }
}
