/* sm_l1d_sectors.c - see sm_l1d_sectors.h. */
#include "machine/sm/sm_l1d_sectors.h"

#include <stdlib.h>

#include "machine/plug/sockets_base.h"

/* Places of the miss queue that a load needs beyond a hit, and a store; and messages that have left
 * the queue, but are in the memory port until the network has taken them, two cycles later. */
enum { PLACES_OF_LOAD = 2, PLACES_OF_STORE = 1, LEAVING = 2 };

struct sector_cache *sm_sectors_new(const struct gpu_config *config)
{
    struct sector_cache *cache = calloc(1, sizeof *cache);

    if (cache && sector_cache_init(cache, config->l1d_sets, config->l1d_ways) != 0) {
        sm_sectors_free(cache);
        return NULL;
    }
    return cache;
}

void sm_sectors_free(struct sector_cache *cache)
{
    if (cache) {
        sector_cache_free(cache);
    }
    free(cache);
}

/* Ways that shared memory leaves: it comes in steps of kilobytes, those of Volta. */
static uint32_t ways_left(const struct sm *sm)
{
    static const uint32_t STEPS_KB[] = {0, 8, 16, 32, 64};
    const struct gpu_config *c = sm->config;
    const uint32_t all_bytes = c->l1d_sets * c->l1d_ways * BLOCK_BYTES;
    const uint32_t needed = sm->facts->shared_bytes * sm->facts->ctas_per_sm;
    uint32_t taken = c->sm_shared_bytes;

    if (!c->l1d_carveout) {
        return c->l1d_ways;
    }
    for (size_t s = sizeof STEPS_KB / sizeof *STEPS_KB; s-- > 0;) {
        taken = needed <= STEPS_KB[s] * 1024 ? STEPS_KB[s] * 1024 : taken;
    }
    return (uint32_t)((uint64_t)c->l1d_ways * (all_bytes - taken) / all_bytes);
}

void sm_sectors_start(struct sm *sm)
{
    sector_cache_clear(sm->sectors, ways_left(sm));
}

const char *sm_sectors_cannot(const struct sm *sm)
{
    const struct sm_sockets *s = &sm->sockets;

    for (uint32_t seam = 0; seam < CORE_SEAMS; seam++) {
        if (seam != SEAM_SCHEDULER && (s->owner[seam] || s->around[seam])) {
            return s->owner[seam] ? s->owner[seam] : s->around[seam];
        }
    }
    for (uint32_t o = 0; o < s->n_observers; o++) {
        const struct observer *observer = &s->observer[o];

        if (observer->line || observer->write_result) {
            return "who watches the lines of an L1D";
        }
    }
    return s->n_clocked             ? "a unit clocked with the L1D"
           : s->inclusion.copy_back ? "an inclusion policy"
           : s->granularity.sectors ? "another granularity"
                                    : NULL;
}

/* ---- what an access is about ---- */

/* The pieces of the sector around those that it touches. */
static uint8_t sector_around(const struct sm *sm, uint8_t pieces)
{
    const uint32_t n = sm->config->l1d_sector_bytes / SECTOR_BYTES;
    const uint32_t first = (uint32_t)__builtin_ctz(pieces) / n * n;

    return (uint8_t)(((1u << n) - 1) << first);
}

static uint64_t sector_address(uint64_t block, uint8_t sector)
{
    return block + SECTOR_BYTES * (uint64_t)__builtin_ctz(sector);
}

/* The line that the block has, or else may get; -1: none now. */
static int line_for(const struct sm *sm, uint64_t block, bool *present)
{
    const uint32_t set = l1d_set(sm, block);
    const int line = sector_cache_find(sm->sectors, set, block);

    *present = line >= 0;
    return *present ? line : sector_cache_victim(sm->sectors, set, sm->config->l1d_dirty_percent);
}

static void use(struct sm *sm, uint32_t line, uint64_t block, bool present)
{
    if (!present) {
        sm->stats.l1d_evictions += sm->sectors->tag[line] != SECTOR_NO_TAG;
        sector_cache_place(sm->sectors, line, block);
    }
    sm->sectors->line[line].used = sm->now;
}

/* Through the miss queue, which takes a cycle more than the way past it. */
static void send(struct sm *sm, struct exchange *exchange, uint32_t payload)
{
    l1d_send(sm, exchange, payload, NULL);
    exchange->request.packet.ready_at++;
}

static bool has_places(const struct sm *sm, uint32_t n)
{
    return sm->port.out.count + n <= sm->config->l1d_miss_queue + LEAVING;
}

/* ---- loads ---- */

static void hit(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                const struct access_info *info, uint32_t line)
{
    sm->sectors->line[line].used = sm->now;
    sm_load_bytes(sm, inst, access->lanes, sector_cache_data(sm->sectors, line));
    l1d_note(sm, inst, info, l1d_set(sm, info->block), RESULT_HIT);
    sm_request_done(sm, inst, sm->now + sm->config->l1d_hit_cycles);
}

static void fetch(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                  const struct access_info *info, uint32_t line, uint8_t sector)
{
    struct access_info first = *info;
    struct exchange *exchange;
    uint32_t at;

    first.block = sector_address(info->block, sector);
    sm_count_mshrs(sm, sm->now + 1);
    at = mshr_allocate(&sm->mshr, &first);
    sm->mshr.entry[at].sectors = sector;
    mshr_merge(&sm->mshr, at, inst, access->lanes);
    sector_cache_await(sm->sectors, line, sector);
    exchange = l1d_new_request(sm, MSG_READ, info);
    l1d_answers_to(exchange, TO_MSHR, at);
    exchange->request.sectors = sector;
    send(sm, exchange, 0);
}

int sm_sectors_load(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                    const struct access_info *info)
{
    const uint8_t sector = sector_around(sm, access->sectors);
    const uint32_t set = l1d_set(sm, info->block);
    struct mshr_entry *entry;
    bool present;
    int line, at;

    if (!l1d_caching(sm, inst, info->block)) {
        return l1d_bypass(sm, inst, access, info, set);
    }
    line = line_for(sm, info->block, &present);
    if (present && sector_cache_has(sm->sectors, (uint32_t)line, sector)) {
        hit(sm, inst, access, info, (uint32_t)line);
        return ACCESS_TAKEN;
    }
    if (line < 0) {
        return STALL_LINE;
    }
    if (!has_places(sm, PLACES_OF_LOAD)) {
        return STALL_PORT;
    }
    at = mshr_find(&sm->mshr, sector_address(info->block, sector));
    entry = at < 0 ? NULL : &sm->mshr.entry[at];
    if (entry ? entry->killed || !mshr_merge(&sm->mshr, (uint32_t)at, inst, access->lanes)
              : mshr_full(&sm->mshr)) {
        return STALL_MSHR;
    }
    use(sm, (uint32_t)line, info->block, present);
    if (!entry) {
        fetch(sm, inst, access, info, (uint32_t)line, sector);
    }
    l1d_note(sm, inst, info, set, entry ? RESULT_HIT_RESERVED : RESULT_MISS);
    return ACCESS_TAKEN;
}

/* ---- stores and atomics ---- */

/* A load that comes later must not merge into an older miss: it would miss what was written. */
static void kill_pending(struct sm *sm, uint64_t block, uint8_t sector)
{
    const int at = mshr_find(&sm->mshr, sector_address(block, sector));

    if (at >= 0) {
        sm->mshr.entry[at].killed = true;
    }
}

int sm_sectors_store(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                     const struct access_info *info)
{
    const uint8_t sector = sector_around(sm, access->sectors);
    const bool caching = l1d_caching(sm, inst, info->block);
    struct exchange *exchange;
    bool present;
    int line = line_for(sm, info->block, &present);

    if (caching && line < 0) {
        return STALL_LINE;
    }
    if (!has_places(sm, PLACES_OF_STORE)) {
        return STALL_PORT;
    }
    sm->stats.store_accesses++;
    sm->stats.store_hits += present && (sm->sectors->line[line].written & sector) == sector;
    exchange = l1d_store_message(sm, inst, access, info);
    kill_pending(sm, info->block, sector);
    if (caching) {
        use(sm, (uint32_t)line, info->block, present);
        sector_cache_write(sm->sectors, (uint32_t)line, sm->valued ? exchange->data : NULL,
                           exchange->request.bytes);
    } else if (present) {
        sector_cache_drop(sm->sectors, (uint32_t)line, sector);
    }
    send(sm, exchange, sectors_size_bytes(exchange->request.sectors));
    return ACCESS_TAKEN;
}

int sm_sectors_atomic(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                      const struct access_info *info)
{
    const uint8_t sector = sector_around(sm, access->sectors);
    const int line = sector_cache_find(sm->sectors, l1d_set(sm, info->block), info->block);

    if (!sm_port_room(sm, 1)) {
        return STALL_PORT;
    }
    sm->stats.atomic_accesses++;
    kill_pending(sm, info->block, sector);
    if (line >= 0) {
        sector_cache_drop(sm->sectors, (uint32_t)line, sector);
    }
    l1d_send_atomic(sm, inst, access, info);
    return ACCESS_TAKEN;
}

/* ---- what comes, what goes ---- */

void sm_sectors_fill(struct sm *sm, const struct mshr_entry *entry, const struct reply *reply)
{
    const uint64_t block = entry->first.block & ~(uint64_t)(BLOCK_BYTES - 1);
    const int line = sector_cache_find(sm->sectors, l1d_set(sm, block), block);

    OBSERVE(sm->sockets, fill, sm->id, block);
    sm->stats.l1d_killed_fills += entry->killed;
    if (line >= 0 && (sm->sectors->line[line].pending & entry->sectors)) {
        sector_cache_fill(sm->sectors, (uint32_t)line, entry->sectors,
                          sm->valued ? reply_data(reply) : NULL);
    }
}

void sm_sectors_drop_all(struct sm *sm)
{
    sector_cache_clear(sm->sectors, sm->sectors->ways);
    for (uint32_t at = 0; at < sm->mshr.n; at++) {
        sm->mshr.entry[at].killed = true; /* of a free one it says nothing */
    }
}

const uint8_t *sm_sectors_bytes(const struct sm *sm, uint64_t block)
{
    const int line = sector_cache_find(sm->sectors, l1d_set(sm, block), block);

    return line < 0 ? NULL : sector_cache_data(sm->sectors, (uint32_t)line);
}
