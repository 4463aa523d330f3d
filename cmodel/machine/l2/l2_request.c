/* l2_request.c - what a request meets in an L2 bank: hits, fetches, writes, copies back.
 *
 * Works after the same sections as l2.h.  A request that cannot go on leaves no trace, and is
 * tried again.  It must not know when it is tried (l2_step.c).
 */
#include "machine/l2/l2_request.h"

#include <string.h>

#include "machine/l2/perform.h"

static void evict(struct l2_bank *bank, uint32_t set, uint32_t way, uint64_t now)
{
    struct cache_line *line = cache_line(&bank->cache, set, way);
    struct coherence_l2_socket *protocol = &bank->sockets.coherence;
    uint64_t block = cache_tag(&bank->cache, set, way);

    if (line->state != LINE_VALID) {
        return;
    }
    bank->stats.evictions++;
    if (protocol->evict) {
        protocol->evict(protocol->self, block, line);
    }
    if (l2_is_dirty(line)) {
        l2_write_memory(bank, block, cache_data(&bank->cache, set, way), line->dirty, now);
    }
}

void l2_perform(struct l2_bank *bank, struct exchange *exchange, struct cache_line *line,
                uint8_t *data, uint64_t now)
{
    const struct coherence_l2_socket *protocol = &bank->sockets.coherence;
    const struct request *request = &exchange->request;
    struct reply *reply = &exchange->reply;
    uint64_t written[2];
    uint32_t payload;

    if (request->packet.type == MSG_ATOMIC) {
        bank->stats.atomic_lanes += (uint64_t)__builtin_popcount(request->ticket.lanes);
    }
    payload = perform(exchange, bank->config, (uint16_t)bank->id, bank->valued ? data : NULL,
                      written, &bank->values);
    for (unsigned word = 0; word < 2; word++) {
        line->dirty[word] |= written[word];
        line->valid[word] |= written[word];
    }
    if (protocol->performed && !request->ticket.local) {
        protocol->performed(protocol->self, request, reply, line, now);
        reply->packet.size_bytes = msg_size_bytes(bank->config, reply->no_data ? 0 : payload,
                                                  reply->proto_bytes);
    }
}

void l2_send(struct l2_bank *bank, struct exchange *exchange, uint64_t now)
{
    exchange->reply.packet.ready_at = now + 1;
    bank->stats.replies++;
    ring_push(&bank->out, &exchange->reply.packet);
}

void l2_answer(struct l2_bank *bank, struct exchange *exchange, struct cache_line *line,
               uint8_t *data, uint64_t tick, uint64_t now)
{
    bank->busy_until = tick + perform_ticks(&exchange->request, bank->config);
    l2_perform(bank, exchange, line, data, now);
    l2_send(bank, exchange, now);
}

/* The lines of `set` that may go, as far as the protocol lets them. */
static uint32_t replaceable(const struct l2_bank *bank, uint32_t set, uint64_t now)
{
    const struct coherence_l2_socket *protocol = &bank->sockets.coherence;
    uint32_t mask = cache_replaceable(&bank->cache, set);

    for (uint32_t left = protocol->may_evict ? mask : 0; left; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(left);
        if (!protocol->may_evict(protocol->self, cache_line(&bank->cache, set, way), now)) {
            mask &= ~(UINT32_C(1) << way);
        }
    }
    return mask;
}

/* A way for `access` in `set`, its old content evicted; else the reason why not, as a
 * negative number: -L2_FAIL_LINE, -L2_FAIL_PROTOCOL, -L2_FAIL_DRAM, or WAY_BYPASS. */
enum { WAY_BYPASS = -100 };
static int make_room(struct l2_bank *bank, uint32_t set, const struct access_info *access,
                     uint32_t extra_room, uint64_t now)
{
    struct policy_socket *policy = &bank->sockets.policy;
    int way = policy->victim(policy->self, set, bank->cache.invalid[set],
                             replaceable(bank, set, now), access);
    struct cache_line *line = way < 0 ? NULL : cache_line(&bank->cache, set, (uint32_t)way);

    if (way < 0) {
        return way == POLICY_BYPASS                ? WAY_BYPASS
               : bank->sockets.coherence.may_evict ? -L2_FAIL_PROTOCOL /* until a lease ends */
                                                   : -L2_FAIL_LINE;
    }
    if (l2_miss_room(bank) < extra_room + (line->state == LINE_VALID && l2_is_dirty(line))) {
        return -L2_FAIL_DRAM;
    }
    evict(bank, set, (uint32_t)way, now);
    return way;
}

/* Start a fetch for `exchange` and queue it on the new entry. */
static enum l2_verdict start_fetch(struct l2_bank *bank, struct exchange *exchange,
                                   const struct access_info *access, uint32_t set, int way,
                                   uint64_t now)
{
    struct inclusion_l2_socket *inclusion = &bank->sockets.inclusion;
    bool read = access->kind == ACCESS_LOAD || access->kind == ACCESS_PREFETCH;
    bool line_wanted = !read || !inclusion->insert_on_fill ||
                       inclusion->insert_on_fill(inclusion->self, &exchange->request, set);
    struct access_info first = *access;
    struct mshr_entry *entry;
    uint8_t sectors;
    uint32_t at;

    if (mshr_full(&bank->mshr)) {
        return L2_FAIL_MSHR;
    }
    if (l2_miss_room(bank) < 1) {
        return L2_FAIL_DRAM;
    }
    if (way >= 0) {
        sectors = l2_choose_sectors(bank, &first, set, way);
        cache_reserve(&bank->cache, set, (uint32_t)way); /* keeps what it has */
    } else if (line_wanted) {
        way = make_room(bank, set, access, 1, now);
        if (way == WAY_BYPASS && !read) {
            return L2_FAIL_LINE; /* only reads can do without a line */
        }
        if (way < 0 && way != WAY_BYPASS) {
            return (enum l2_verdict) - way;
        }
        sectors = l2_choose_sectors(bank, &first, set, -1);
        if (way >= 0) {
            cache_place(&bank->cache, set, (uint32_t)way, access->block, LINE_RESERVED);
            bank->sockets.policy.insert(bank->sockets.policy.self, set, (uint32_t)way, &first);
        }
    } else {
        sectors = l2_choose_sectors(bank, &first, set, -1);
    }
    at = mshr_allocate(&bank->mshr, &first);
    if (way >= 0) {
        OBSERVE(bank->sockets, line, bank->id, set, (uint32_t)way, LINE_RESERVE, false);
    }
    entry = &bank->mshr.entry[at];
    entry->has_line = way >= 0;
    entry->set = (uint16_t)set;
    entry->way = (uint16_t)(way < 0 ? 0 : way);
    entry->sectors = sectors;
    mshr_merge(&bank->mshr, at, exchange, 0);
    l2_push_miss(bank, access->block, entry->sectors, (uint16_t)at, false, now);
    return L2_DONE;
}

/* A read joined a fetch that takes no line, but wants one: where there is room it gets one. */
static void give_line(struct l2_bank *bank, struct mshr_entry *entry,
                      const struct exchange *exchange, const struct access_info *access,
                      uint32_t set, uint64_t now)
{
    struct inclusion_l2_socket *inclusion = &bank->sockets.inclusion;
    int way;

    if (!inclusion->insert_on_fill ||
        !inclusion->insert_on_fill(inclusion->self, &exchange->request, set) ||
        (way = make_room(bank, set, access, 0, now)) < 0) {
        return;
    }
    cache_place(&bank->cache, set, (uint32_t)way, access->block, LINE_RESERVED);
    bank->sockets.policy.insert(bank->sockets.policy.self, set, (uint32_t)way, access);
    OBSERVE(bank->sockets, line, bank->id, set, (uint32_t)way, LINE_RESERVE, false);
    entry->has_line = true;
    entry->set = (uint16_t)set;
    entry->way = (uint16_t)way;
}

/* A line has come into being without a fetch. */
static void tell_placed(struct l2_bank *bank, uint32_t set, uint32_t way)
{
    OBSERVE(bank->sockets, line, bank->id, set, way, LINE_RESERVE, false);
    OBSERVE(bank->sockets, line, bank->id, set, way, LINE_FILL,
            l2_is_dirty(cache_line(&bank->cache, set, way)));
}

/* A store without fetching: into the line by byte mask, or through to DRAM. */
static enum l2_verdict write_absent(struct l2_bank *bank, struct exchange *exchange,
                                    const struct access_info *access, uint32_t set, uint64_t tick,
                                    uint64_t now)
{
    struct cache_line through = {.state = LINE_VALID};
    uint8_t data[BLOCK_BYTES];
    int way;

    if (bank->config->l2_write == L2_WRITE_EVICT) {
        if (l2_miss_room(bank) < 1) {
            return L2_FAIL_DRAM;
        }
        l2_write_memory(bank, exchange->request.packet.block, exchange->data,
                        exchange->request.bytes, now);
        memcpy(data, exchange->data, BLOCK_BYTES);
        l2_answer(bank, exchange, &through, data, tick, now);
        return L2_DONE;
    }
    way = make_room(bank, set, access, 0, now);
    if (way < 0) {
        return way == WAY_BYPASS ? L2_FAIL_LINE : (enum l2_verdict) - way;
    }
    cache_place(&bank->cache, set, (uint32_t)way, exchange->request.packet.block, LINE_VALID);
    bank->sockets.policy.insert(bank->sockets.policy.self, set, (uint32_t)way, access);
    l2_answer(bank, exchange, cache_line(&bank->cache, set, (uint32_t)way),
              cache_data(&bank->cache, set, (uint32_t)way), tick, now);
    tell_placed(bank, set, (uint32_t)way);
    return L2_DONE;
}

/* Write-evict: what the line had dirty (atomics) and the store go down together. */
static enum l2_verdict write_evicting(struct l2_bank *bank, struct exchange *exchange, uint32_t set,
                                      uint32_t way, uint64_t tick, uint64_t now)
{
    struct cache_line *line = cache_line(&bank->cache, set, way), through;
    uint8_t *data = cache_data(&bank->cache, set, way);

    if (l2_miss_room(bank) < 1) {
        return L2_FAIL_DRAM;
    }
    l2_answer(bank, exchange, line, data, tick, now);
    through = *line;
    l2_write_memory(bank, cache_tag(&bank->cache, set, way), data, through.dirty, now);
    OBSERVE(bank->sockets, line, bank->id, set, way, LINE_DROP, false);
    l2_drop_line(bank, set, way);
    return L2_DONE;
}

static enum l2_verdict copy_back(struct l2_bank *bank, struct exchange *exchange,
                                 const struct access_info *access, uint32_t set, int way,
                                 uint64_t now)
{
    struct inclusion_l2_socket *inclusion = &bank->sockets.inclusion;
    enum copy_back_answer answer = COPY_BACK_DROP;
    const uint64_t block = exchange->request.packet.block;
    struct cache_line *line;

    bank->stats.copy_backs++;
    if (way < 0 && mshr_find(&bank->mshr, block) < 0) {
        answer = inclusion->insert_copy_back
                     ? inclusion->insert_copy_back(inclusion->self, &exchange->request, set)
                     : COPY_BACK_TAKE;
    }
    way = answer != COPY_BACK_DROP ? make_room(bank, set, access, 0, now) : -1;
    if (way >= 0) {
        cache_place(&bank->cache, set, (uint32_t)way, block, LINE_VALID);
        bank->sockets.policy.insert(bank->sockets.policy.self, set, (uint32_t)way, access);
        line = cache_line(&bank->cache, set, (uint32_t)way);
        memcpy(line->valid, exchange->request.bytes, sizeof line->valid);
        bytes_copy(cache_data(&bank->cache, set, (uint32_t)way),
                   answer == COPY_BACK_REFRESH && bank->valued ? memory_block(bank->memory, block)
                                                               : exchange->data,
                   exchange->request.bytes);
        bank->stats.copy_backs_inserted++;
        tell_placed(bank, set, (uint32_t)way);
    }
    exchange_release(exchange);
    return L2_DONE;
}

static enum l2_verdict on_hit(struct l2_bank *bank, struct exchange *exchange,
                              const struct access_info *access, uint32_t set, uint32_t way,
                              uint64_t tick, uint64_t now)
{
    struct coherence_l2_socket *protocol = &bank->sockets.coherence;
    struct inclusion_l2_socket *inclusion = &bank->sockets.inclusion;
    struct cache_line *line = cache_line(&bank->cache, set, way);
    bool keep = true, was_dirty = l2_is_dirty(line);

    if (ring_full(&bank->out)) {
        return L2_FAIL_REPLY;
    }
    if (protocol->admit && !exchange->request.ticket.local &&
        protocol->admit(protocol->self, &exchange->request, line, now) > now) {
        return L2_FAIL_PROTOCOL;
    }
    if (exchange->request.packet.type == MSG_WRITE && bank->config->l2_write == L2_WRITE_EVICT) {
        return write_evicting(bank, exchange, set, way, tick, now);
    }
    if (access->kind == ACCESS_LOAD && inclusion->keep_on_read) {
        keep = inclusion->keep_on_read(inclusion->self, &exchange->request, set, way) ||
               l2_is_dirty(line);
    }
    bank->sockets.policy.touch(bank->sockets.policy.self, set, way, access);
    l2_answer(bank, exchange, line, cache_data(&bank->cache, set, way), tick, now);
    if (l2_by_sectors(bank)) {
        l2_tell_granularity(bank, &exchange->request, set, way);
    }
    if (!keep) {
        OBSERVE(bank->sockets, line, bank->id, set, way, LINE_DROP, false);
        l2_drop_line(bank, set, way);
    } else if (!was_dirty && l2_is_dirty(line)) {
        OBSERVE(bank->sockets, line, bank->id, set, way, LINE_WRITE, true);
    }
    return L2_DONE;
}

/* The block is being fetched: the request waits for that, and for more of it if need be. */
static enum l2_verdict join(struct l2_bank *bank, struct exchange *exchange,
                            const struct access_info *access, uint32_t set, uint32_t at,
                            uint64_t now)
{
    const bool read = access->kind == ACCESS_LOAD || access->kind == ACCESS_PREFETCH;
    struct mshr_entry *entry = &bank->mshr.entry[at];
    const uint8_t more = l2_joins_for(bank, entry, &exchange->request);

    if (more && l2_miss_room(bank) < 1) {
        return L2_FAIL_DRAM;
    }
    if ((!entry->has_line && !read) || !mshr_merge(&bank->mshr, at, exchange, 0)) {
        return L2_FAIL_MSHR;
    }
    if (more) {
        entry->sectors |= more;
        l2_push_miss(bank, access->block, more, (uint16_t)at, false, now);
    }
    if (read && !entry->has_line && !entry->came && (int)at != bank->serving) {
        give_line(bank, entry, exchange, access, set, now);
    }
    return L2_DONE;
}

enum l2_verdict l2_request(struct l2_bank *bank, struct exchange *exchange, uint64_t tick,
                           uint64_t now)
{
    struct access_info access;
    uint32_t set = exchange->request.packet.block == bank->known_block
                       ? bank->known_set
                       : l2_set_of(bank, exchange->request.packet.block);
    int way = cache_find(&bank->cache, set, exchange->request.packet.block), entry;
    bool write = exchange->request.packet.type == MSG_WRITE;
    enum access_result result = RESULT_MISS;
    enum l2_verdict verdict;
    uint64_t need[2];

    l2_describe(&exchange->request, now, &access);
    entry = mshr_find(&bank->mshr, exchange->request.packet.block);
    if (exchange->request.packet.type == MSG_COPYBACK) {
        return copy_back(bank, exchange, &access, set, way, now);
    }
    sector_bytes(exchange->request.sectors, need);
    if (entry >= 0 && !l2_reads_beside(bank, &bank->mshr.entry[entry], &exchange->request)) {
        result = RESULT_HIT_RESERVED;
        verdict = join(bank, exchange, &access, set, (uint32_t)entry, now);
    } else if (way >= 0 &&
               (bytes_cover(cache_line(&bank->cache, set, (uint32_t)way)->valid, need) ||
                (write && bank->config->l2_write != L2_WRITE_BACK_FETCH))) {
        result = RESULT_HIT;
        verdict = on_hit(bank, exchange, &access, set, (uint32_t)way, tick, now);
    } else if (write && bank->config->l2_write != L2_WRITE_BACK_FETCH) {
        verdict = ring_full(&bank->out) ? L2_FAIL_REPLY
                                        : write_absent(bank, exchange, &access, set, tick, now);
    } else {
        verdict = start_fetch(bank, exchange, &access, set, way, now);
        if (verdict == L2_DONE &&
            !bank->mshr.entry[mshr_find(&bank->mshr, exchange->request.packet.block)].has_line) {
            result = RESULT_BYPASS;
        }
    }
    if (verdict == L2_DONE) {
        l2_count(bank, &access, set, result);
    }
    return verdict;
}
