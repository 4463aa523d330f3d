/* sm_l1d.c - the L1D of an SM: hits, merges, misses, bypasses, evictions.
 *
 * Works after wang2015-divergence 3.1 (D-BASE-1..7), aci-iacm-blpp 3.8 (fills use the
 * location stored with the request), tabbakh2018-coherence 2.1 and
 * lakshminarayana2014-graph 2.1 (the other write and fill policies).
 * It must not know index functions, replacement policies or protocols (sockets).
 *
 * A later load of the same block does not merge into a miss that a store has passed
 * (killed): it would return bytes older than the warp's own store.  It waits.
 */

#include "machine/sm/sm_l1d.h"

void sm_count_mshrs(struct sm *sm, uint64_t end)
{
    uint64_t cycles = end - sm->mshrs_counted;

    sm->stats.mshr_occupancy[sm->mshr.used] += cycles;
    sm->stats.mshr_cycles += cycles * sm->mshr.used;
    sm->mshrs_counted = end;
}

void l1d_note(struct sm *sm, struct mem_inst *inst, const struct access_info *info, uint32_t set,
              enum access_result result)
{
    bool divergent = info->n_requests > 2;
    struct sm_stats *s = &sm->stats;
#define AT(name) offsetof(struct sm_stats, name)
    static const uint16_t counter[2][4] = {
        {AT(load_hits_coherent), AT(load_merges_coherent), AT(load_misses_coherent),
         AT(load_bypasses_coherent)},
        {AT(load_hits_divergent), AT(load_merges_divergent), AT(load_misses_divergent),
         AT(load_bypasses_divergent)},
    };
#undef AT
    uint64_t bit = UINT64_C(1) << (set % 64);

    ++*(divergent ? &s->load_accesses_divergent : &s->load_accesses_coherent);
    ++*(uint64_t *)(void *)((uint8_t *)s + counter[divergent][result]);
    inst->misses = (uint8_t)(inst->misses + (result != RESULT_HIT));
    if (!(inst->sets_touched[set / 64] & bit)) {
        inst->sets_touched[set / 64] |= bit;
        inst->n_sets++;
    }
    s->set_accesses[set]++;
    if (sm->sockets.speculation.accepted && !info->local) {
        sm->sockets.speculation.accepted(sm->sockets.speculation.self, inst, info, result);
    }
    OBSERVE(sm->sockets, acc_result, sm->id, info, set, result);
}

uint32_t l1d_set(const struct sm *sm, uint64_t block)
{
    return sm->sockets.index.set(sm->sockets.index.self, block);
}

void l1d_look_ahead(const struct sm *sm, uint64_t block)
{
    uint32_t set;
    int way;

    if (sm->sectors || sm->sockets.owner[SEAM_INDEX]) {
        return; /* an index of a mechanism may count */
    }
    set = l1d_set(sm, block);
    way = cache_find(&sm->l1d, set, block);
    if (way >= 0) {
        cache_prefetch_line(&sm->l1d, set, (uint32_t)way);
    }
}

/* A demand load meets what a prefetch brought or is bringing. */
static void prefetch_was_used(struct sm *sm, uint32_t issued)
{
    sm->stats.prefetch_used++;
    sm->stats.prefetch_distance += (uint32_t)sm->now - issued;
}

/* ---- eviction ---- */

/* Messages that replacing any line of the cache may need. */
uint32_t l1d_eviction_room(const struct sm *sm, const struct cache_line *victim)
{
    return victim && victim->state == LINE_VALID &&
           (sm->sockets.inclusion.copy_back || (victim->dirty[0] | victim->dirty[1]));
}

void l1d_count_eviction(struct sm *sm, const struct cache_line *line, bool by_demand)
{
    sm->stats.l1d_evictions++;
    if (line->prefetched) {
        ++*(by_demand ? &sm->stats.prefetch_evicted_early : &sm->stats.prefetch_evicted_other);
    }
}

void l1d_evict(struct sm *sm, uint32_t set, uint32_t way, bool by_demand)
{
    struct cache_line *line = cache_line(&sm->l1d, set, way);
    struct inclusion_l1_socket *inclusion = &sm->sockets.inclusion;
    uint64_t block = cache_tag(&sm->l1d, set, way);
    bool dirty = line->dirty[0] | line->dirty[1];

    if (line->state != LINE_VALID) {
        return;
    }
    l1d_count_eviction(sm, line, by_demand);
    if (!dirty && inclusion->keep && l1d_is_whole(line)) {
        l1d_to_victims(sm, block, line, cache_data(&sm->l1d, set, way));
        return;
    }
    if (!dirty && !(inclusion->copy_back && inclusion->copy_back(inclusion->self, block, line))) {
        return;
    }
    l1d_write_down(sm, set, way);
}

void l1d_drop(struct sm *sm, uint32_t set, uint32_t way)
{
    struct policy_socket *policy = &sm->sockets.policy;

    if (cache_line(&sm->l1d, set, way)->prefetched) {
        sm->stats.prefetch_evicted_other++;
    }
    cache_invalidate(&sm->l1d, set, way);
    if (policy->invalidate) {
        policy->invalidate(policy->self, set, way);
    }
}

/* ---- loads ---- */

bool l1d_may_send(const struct sm *sm, const struct access_info *info, struct cache_line *line)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;

    return !protocol->may_send || info->local || protocol->may_send(protocol->self, info, line);
}

bool l1d_caching(const struct sm *sm, const struct mem_inst *inst, uint64_t block)
{
    const struct filter_socket *filter = &sm->sockets.filter;
    enum memory_node node = MEMORY_NODE_GPU;

    if (inst->op.space == ISA_SPACE_LOCAL || !inst->cacheable) {
        return inst->cacheable;
    }
    if (memory_has_remote(sm->memory)) {
        node = memory_node_of(sm->memory, block);
    }
    return filter->cacheable ? filter->cacheable(filter->self, node) : node == MEMORY_NODE_GPU;
}

/* Read without a line or an MSHR entry: only the touched sectors, straight to the instruction. */
int l1d_bypass(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
               const struct access_info *info, uint32_t set)
{
    struct exchange *exchange;

    if (!sm_port_room(sm, 1)) {
        return STALL_PORT;
    }
    exchange = l1d_new_request(sm, MSG_READ, info);
    l1d_answers_to_lanes(sm, exchange, inst, access->lanes);
    exchange->request.sectors = access->sectors;
    l1d_send(sm, exchange, 0, NULL);
    l1d_note(sm, inst, info, set, RESULT_BYPASS);
    return ACCESS_TAKEN;
}

static int past_l1d(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                    const struct access_info *info, uint32_t set)
{
    struct access_info direct = *info;

    direct.past_l1d = true;
    return l1d_may_send(sm, &direct, NULL) ? l1d_bypass(sm, inst, access, info, set)
                                           : STALL_PROTOCOL;
}

static int merge(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                 const struct access_info *info, uint32_t set, int way, uint32_t at)
{
    struct mshr_entry *entry = &sm->mshr.entry[at];
    bool prefetch = entry->first.kind == ACCESS_PREFETCH && entry->n_targets == 0;
    const uint8_t more = access->sectors & (uint8_t)~entry->sectors;

    if (more && l1d_by_sectors(sm) && !entry->killed && !sm_port_room(sm, 1)) {
        return STALL_PORT;
    }
    if (entry->killed || (more && !l1d_by_sectors(sm)) ||
        !mshr_merge(&sm->mshr, at, inst, access->lanes)) {
        return STALL_MSHR;
    }
    entry->target[entry->n_targets - 1].sectors = access->sectors;
    if (prefetch) {
        sm->stats.prefetch_late++;
        prefetch_was_used(sm, (uint32_t)entry->first.cycle);
    }
    if (way >= 0) {
        sm->sockets.policy.touch(sm->sockets.policy.self, set, (uint32_t)way, info);
    }
    l1d_note(sm, inst, info, set,
             more && l1d_ask_more(sm, at, more) ? RESULT_MISS : RESULT_HIT_RESERVED);
    return ACCESS_TAKEN;
}

/* The protocol makes the load wait: in the block's MSHR entry, or in one without a request. */
static int park(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                const struct access_info *info, uint32_t set, int way)
{
    int waiting = mshr_find(&sm->mshr, info->block);
    struct mshr_entry *entry;
    uint32_t at;

    if (waiting >= 0) {
        return merge(sm, inst, access, info, set, way, (uint32_t)waiting);
    }
    if (mshr_full(&sm->mshr)) {
        return STALL_MSHR;
    }
    sm_count_mshrs(sm, sm->now + 1);
    at = mshr_allocate(&sm->mshr, info);
    entry = &sm->mshr.entry[at];
    entry->sectors = (1u << SECTORS) - 1;
    entry->parked = true;
    mshr_merge(&sm->mshr, at, inst, access->lanes);
    l1d_note(sm, inst, info, set, RESULT_MISS);
    return ACCESS_TAKEN;
}

static void hit(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                const struct access_info *info, uint32_t set, uint32_t way)
{
    const struct granularity_socket *granularity = &sm->sockets.granularity;
    struct cache_line *line = cache_line(&sm->l1d, set, way);

    sm->sockets.policy.touch(sm->sockets.policy.self, set, way, info);
    if (line->prefetched) {
        prefetch_was_used(sm, line->prefetch_cycle);
    }
    line->prefetched = false;
    if (granularity->read && !info->local) {
        granularity->read(granularity->self, set, way, access->sectors);
    }
    sm_load_bytes(sm, inst, access->lanes, cache_data(&sm->l1d, set, way));
    l1d_note(sm, inst, info, set, RESULT_HIT);
    sm_request_done(sm, inst, sm->now + sm->config->l1d_hit_cycles);
}

int l1d_start_miss(struct sm *sm, const struct access_info *info, uint8_t needed, uint32_t set,
                   int present, uint32_t *at)
{
    struct policy_socket *policy = &sm->sockets.policy;
    bool reserve = sm->config->l1d_allocate == ALLOCATE_ON_MISS && present < 0;
    struct cache_line *line = present < 0 ? NULL : cache_line(&sm->l1d, set, (uint32_t)present);
    struct mshr_entry *entry;
    struct exchange *exchange;
    uint32_t room;
    uint8_t asked;
    int way = -1;

    if (reserve) {
        way = policy->victim(policy->self, set, sm->l1d.invalid[set],
                             cache_replaceable(&sm->l1d, set), info);
        if (way < 0) {
            return way == POLICY_BYPASS ? POLICY_BYPASS : STALL_LINE;
        }
    }
    if (mshr_full(&sm->mshr)) {
        return STALL_MSHR;
    }
    room = reserve ? l1d_eviction_room(sm, cache_line(&sm->l1d, set, (uint32_t)way)) : 0;
    if (!sm_port_room(sm, 1 + room)) {
        return STALL_PORT;
    }
    sm_count_mshrs(sm, sm->now + 1);
    *at = mshr_allocate(&sm->mshr, info);
    entry = &sm->mshr.entry[*at];
    asked = entry->sectors = (1u << SECTORS) - 1;
    if (l1d_by_sectors(sm) && info->kind == ACCESS_LOAD && !info->local) {
        asked = l1d_choose_sectors(sm, *at, needed, set, present);
    }
    if (reserve) {
        l1d_evict(sm, set, (uint32_t)way, info->kind != ACCESS_PREFETCH);
        cache_place(&sm->l1d, set, (uint32_t)way, info->block, LINE_RESERVED);
        cache_line(&sm->l1d, set, (uint32_t)way)->mshr = (uint16_t)*at;
        policy->insert(policy->self, set, (uint32_t)way, info);
        OBSERVE(sm->sockets, line, sm->id, set, (uint32_t)way, LINE_RESERVE, false);
        entry->has_line = true;
        entry->set = (uint16_t)set;
        entry->way = (uint16_t)way;
    }
    exchange = l1d_new_request(sm, info->kind == ACCESS_PREFETCH ? MSG_PREFETCH : MSG_READ, info);
    l1d_answers_to(exchange, TO_MSHR, *at);
    exchange->request.sectors = asked;
    l1d_send(sm, exchange, 0, line);
    return ACCESS_TAKEN;
}

struct cache_line *l1d_copy(const struct sm *sm, uint64_t block)
{
    uint32_t set = l1d_set(sm, block);
    int way = cache_find(&sm->l1d, set, block);

    if (way < 0 || cache_line(&sm->l1d, set, (uint32_t)way)->state != LINE_VALID) {
        return NULL;
    }
    return cache_line(&sm->l1d, set, (uint32_t)way);
}

static bool passes(const struct sm *sm, const struct access_info *info)
{
    const struct filter_socket *filter = &sm->sockets.filter;

    return filter->passes && !info->local && filter->passes(filter->self, info);
}

/* The protocol asks about a copy that a load may use meanwhile; one request of the block is enough. */
static int ask_beside(struct sm *sm, const struct mem_access *access,
                      const struct access_info *info, uint32_t set, int way)
{
    uint32_t at;

    if (mshr_find(&sm->mshr, info->block) >= 0) {
        return ACCESS_TAKEN;
    }
    if (!l1d_may_send(sm, info, cache_line(&sm->l1d, set, (uint32_t)way))) {
        return STALL_PROTOCOL;
    }
    return l1d_start_miss(sm, info, access->sectors, set, way, &at);
}

int sm_l1d_load(struct sm *sm, struct mem_inst *inst, const struct mem_access *access,
                const struct access_info *info)
{
    struct coherence_l1_socket *protocol = &sm->sockets.coherence;
    uint32_t set = l1d_set(sm, info->block), at;
    int way = cache_find(&sm->l1d, set, info->block), entry, result;
    struct cache_line *line = way < 0 ? NULL : cache_line(&sm->l1d, set, (uint32_t)way);
    const struct speculation_socket *speculation = &sm->sockets.speculation;
    uint64_t need[2];

    if (speculation->room && !info->local && !speculation->room(speculation->self, info)) {
        return STALL_PROTOCOL;
    }
    if (!l1d_caching(sm, inst, info->block)) {
        return past_l1d(sm, inst, access, info, set);
    }
    sector_bytes(access->sectors, need);
    if (line && line->state == LINE_VALID && bytes_cover(line->valid, need)) {
        enum coherence_probe probe = protocol->load && !info->local
                                         ? protocol->load(protocol->self, info, line)
                                         : COHERENCE_HIT;
        if (probe == COHERENCE_WAIT) {
            return park(sm, inst, access, info, set, way);
        }
        if (probe == COHERENCE_CHECK) {
            result = ask_beside(sm, access, info, set, way);
            if (result != ACCESS_TAKEN) {
                return result;
            }
        }
        if (probe == COHERENCE_HIT || probe == COHERENCE_CHECK) {
            hit(sm, inst, access, info, set, (uint32_t)way);
            return ACCESS_TAKEN;
        }
        if (line->dirty[0] | line->dirty[1]) { /* what is below is older */
            if (!sm_port_room(sm, 2)) {
                return STALL_PORT;
            }
            sm_l1d_write_back(sm, set, (uint32_t)way);
        }
    }
    if (!l1d_may_send(sm, info, line)) {
        return park(sm, inst, access, info, set, way);
    }
    if (!line && passes(sm, info)) {
        return past_l1d(sm, inst, access, info, set);
    }
    entry = line && line->state == LINE_RESERVED ? line->mshr : mshr_find(&sm->mshr, info->block);
    if (entry >= 0) {
        return merge(sm, inst, access, info, set, way, (uint32_t)entry);
    }
    if (way < 0 && sm->sockets.inclusion.has &&
        sm->sockets.inclusion.has(sm->sockets.inclusion.self, info->block)) {
        result = l1d_from_victims(sm, info, set, &way);
        if (result == ACCESS_TAKEN) {
            hit(sm, inst, access, info, set, (uint32_t)way);
        }
        return result == POLICY_BYPASS ? l1d_bypass(sm, inst, access, info, set) : result;
    }
    result = l1d_start_miss(sm, info, access->sectors, set, way, &at);
    if (result == POLICY_BYPASS) {
        return l1d_bypass(sm, inst, access, info, set);
    }
    if (result != ACCESS_TAKEN) {
        return result;
    }
    mshr_merge(&sm->mshr, at, inst, access->lanes);
    sm->mshr.entry[at].target[0].sectors = access->sectors;
    l1d_note(sm, inst, info, set, RESULT_MISS);
    return ACCESS_TAKEN;
}
