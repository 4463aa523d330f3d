/* l2_sector_request.c - what a request of one sector meets in an L2 bank that works by sectors.
 *
 * A request that cannot go on leaves no trace, and is tried again.  See l2_sector.h.
 */
#include "machine/l2/l2_request.h"
#include "machine/l2/l2_sector.h"

/* Places of the miss queue that a miss may need: for a victim and for its own request. */
enum { PLACES_OF_READ = 2, PLACES_OF_WRITE = 1 };

static bool has_places(const struct l2_bank *bank, uint32_t n)
{
    return dram_queue_room(&bank->sectors->miss) >= n;
}

static void evict(struct l2_bank *bank, uint32_t set, uint32_t way, uint64_t tick, uint64_t now)
{
    const struct cache_line *line = cache_line(&bank->cache, set, way);

    if (line->state != LINE_VALID) {
        return;
    }
    bank->stats.evictions++;
    if (line->written) {
        l2_write_sectors(bank, cache_tag(&bank->cache, set, way),
                         cache_data(&bank->cache, set, way), line->dirty, line->written, now);
        bank->busy_until = tick +
                           (sectors_size_bytes(line->written) + bank->config->l2_port_bytes - 1) /
                               bank->config->l2_port_bytes;
    }
}

/* The way that the request's block has or may get; or -1, as long as all are on their way. */
static int way_for(struct l2_bank *bank, const struct access_info *access, uint32_t set)
{
    const struct policy_socket *policy = &bank->sockets.policy;
    const int way = cache_find(&bank->cache, set, access->block);

    return way >= 0 ? way
                    : policy->victim(policy->self, set, bank->cache.invalid[set],
                                     cache_replaceable(&bank->cache, set), access);
}

/* The block is used in that way, which gives up what it had. */
static void use(struct l2_bank *bank, const struct access_info *access, uint32_t set, uint32_t way,
                uint64_t tick, uint64_t now)
{
    const struct policy_socket *policy = &bank->sockets.policy;

    if (cache_tag(&bank->cache, set, way) == access->block) {
        policy->touch(policy->self, set, way, access);
        return;
    }
    evict(bank, set, way, tick, now);
    cache_place(&bank->cache, set, way, access->block, LINE_VALID);
    policy->insert(policy->self, set, way, access);
    OBSERVE(bank->sockets, line, bank->id, set, way, LINE_RESERVE, false);
}

static void mark_written(struct l2_bank *bank, const struct request *request, uint32_t set,
                         uint32_t way)
{
    struct cache_line *line = cache_line(&bank->cache, set, way);

    if (request->packet.type != MSG_WRITE && request->packet.type != MSG_ATOMIC) {
        return;
    }
    if (!line->written) {
        OBSERVE(bank->sockets, line, bank->id, set, way, LINE_WRITE, true);
    }
    line->written |= request->sectors;
}

void l2_sector_answer(struct l2_bank *bank, struct exchange *exchange, uint64_t now)
{
    if (request_is_silent(bank->config, &exchange->request)) {
        exchange_release(exchange);
    } else {
        l2_send(bank, exchange, now);
    }
}

static enum l2_verdict serve(struct l2_bank *bank, struct exchange *exchange,
                             const struct access_info *access, uint32_t set, uint32_t way,
                             uint64_t now)
{
    bank->sockets.policy.touch(bank->sockets.policy.self, set, way, access);
    l2_perform(bank, exchange, cache_line(&bank->cache, set, way),
               cache_data(&bank->cache, set, way), now);
    mark_written(bank, &exchange->request, set, way);
    l2_sector_answer(bank, exchange, now);
    return L2_DONE;
}

static enum l2_verdict merge(struct l2_bank *bank, struct exchange *exchange,
                             const struct access_info *access, uint64_t sector, uint32_t set,
                             uint32_t way)
{
    const int at = mshr_find(&bank->mshr, sector);

    if (!has_places(bank, PLACES_OF_READ)) {
        return L2_FAIL_DRAM;
    }
    if (!mshr_merge(&bank->mshr, (uint32_t)at, exchange, 0)) {
        return L2_FAIL_MSHR;
    }
    bank->sockets.policy.touch(bank->sockets.policy.self, set, way, access);
    mark_written(bank, &exchange->request, set, way);
    return L2_DONE;
}

static enum l2_verdict fetch(struct l2_bank *bank, struct exchange *exchange,
                             const struct access_info *access, uint64_t sector, uint32_t set,
                             uint64_t tick, uint64_t now)
{
    struct access_info first = *access;
    struct mshr_entry *entry;
    uint32_t at;
    int way;

    /* One that is being answered keeps its entry, though the line may have gone. */
    if (mshr_full(&bank->mshr) || mshr_find(&bank->mshr, sector) >= 0) {
        return L2_FAIL_MSHR;
    }
    if (!has_places(bank, PLACES_OF_READ)) {
        return L2_FAIL_DRAM;
    }
    way = way_for(bank, access, set);
    if (way < 0) {
        return L2_FAIL_LINE;
    }
    first.block = sector;
    at = mshr_allocate(&bank->mshr, &first);
    l2_push_miss(bank, access->block, exchange->request.sectors, (uint16_t)at, false, now);
    use(bank, access, set, (uint32_t)way, tick, now); /* what it had goes down behind the fetch */
    entry = &bank->mshr.entry[at];
    entry->has_line = true;
    entry->set = (uint16_t)set;
    entry->way = (uint16_t)way;
    entry->sectors = exchange->request.sectors;
    mshr_merge(&bank->mshr, at, exchange, 0);
    cache_await_sectors(&bank->cache, set, (uint32_t)way, entry->sectors);
    mark_written(bank, &exchange->request, set, (uint32_t)way);
    return L2_DONE;
}

/* A store of a sector that is not there: into a line, without a fetch. */
static enum l2_verdict place(struct l2_bank *bank, struct exchange *exchange,
                             const struct access_info *access, uint32_t set, uint64_t tick,
                             uint64_t now)
{
    int way;

    if (!has_places(bank, PLACES_OF_WRITE)) {
        return L2_FAIL_DRAM;
    }
    way = way_for(bank, access, set);
    if (way < 0) {
        return L2_FAIL_LINE;
    }
    use(bank, access, set, (uint32_t)way, tick, now);
    return serve(bank, exchange, access, set, (uint32_t)way, now);
}

enum l2_verdict l2_sector_request(struct l2_bank *bank, struct exchange *exchange, uint64_t tick,
                                  uint64_t now)
{
    const struct request *request = &exchange->request;
    const uint64_t block = request->packet.block;
    const uint64_t sector = block + SECTOR_BYTES * (uint64_t)__builtin_ctz(request->sectors);
    const uint32_t set = l2_set_of(bank, block);
    const int way = cache_find(&bank->cache, set, block);
    const struct cache_line *line = way < 0 ? NULL : cache_line(&bank->cache, set, (uint32_t)way);
    const bool write = request->packet.type == MSG_WRITE;
    const bool silent = request_is_silent(bank->config, request); /* after it, it may be gone */
    enum access_result result = RESULT_MISS;
    enum l2_verdict verdict;
    struct access_info access;
    uint64_t need[2];

    l2_describe(request, now, &access);
    sector_bytes(request->sectors, need);
    if (line && (line->pending & request->sectors)) {
        result = RESULT_HIT_RESERVED;
        verdict = merge(bank, exchange, &access, sector, set, (uint32_t)way);
    } else if (line &&
               (bytes_cover(line->valid, need) || (write && (line->written & request->sectors)))) {
        result = RESULT_HIT;
        verdict = serve(bank, exchange, &access, set, (uint32_t)way, now);
    } else if (write) {
        verdict = place(bank, exchange, &access, set, tick, now);
    } else {
        verdict = fetch(bank, exchange, &access, sector, set, tick, now);
    }
    if (verdict == L2_DONE && silent) {
        bank->stats.copy_backs++;
    } else if (verdict == L2_DONE) {
        l2_count(bank, &access, set, result);
    }
    return verdict;
}
