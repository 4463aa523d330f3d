/* sm_l1d_prefetch.c - a prefetch at the L1D: sent, refused, or of no use.
 *
 * Works after caps-prefetch 3.1 (prefetches use the L1D in cycles without demand).  It must not
 * know who asks for it.
 */
#include "machine/sm/sm_l1d.h"

/* Done with the prefetcher's oldest request, whose fate is `counter`. */
static bool end_prefetch(struct sm *sm, uint64_t *counter, bool issued)
{
    sm->stats.prefetch_accesses++;
    ++*counter;
    sm->sockets.prefetch.pop(sm->sockets.prefetch.self, issued);
    return true;
}

/* Pages are placed by those who need them, and host memory is not cached. */
static bool out_of_reach(const struct sm *sm, uint64_t block)
{
    return (sm->ldst.demand_paging && !memory_is_open(sm->memory, block)) ||
           (memory_has_remote(sm->memory) && memory_node_of(sm->memory, block) == MEMORY_NODE_HOST);
}

bool sm_l1d_prefetch(struct sm *sm, const struct prefetch_request *request)
{
    struct access_info info = {.block = request->block & ~(uint64_t)(BLOCK_BYTES - 1),
                               .pc = request->pc,
                               .sm = (uint16_t)sm->id,
                               .kind = ACCESS_PREFETCH,
                               .warp_slot = (uint8_t)request->warp_slot,
                               .n_requests = 1,
                               .cycle = sm->now};
    uint32_t set = l1d_set(sm, info.block), at, hint = 0;
    int result;

    if (cache_find(&sm->l1d, set, info.block) >= 0 || mshr_find(&sm->mshr, info.block) >= 0 ||
        !memory_find(sm->memory, info.block, &hint)) {
        return end_prefetch(sm, &sm->stats.prefetch_duplicates, false);
    }
    if (out_of_reach(sm, info.block)) {
        return end_prefetch(sm, &sm->stats.prefetch_refused, false);
    }
    result = l1d_start_miss(sm, &info, (1u << SECTORS) - 1, set, -1, &at);
    if (result == POLICY_BYPASS ||
        (result != ACCESS_TAKEN && sm->config->l1d_prefetch_stall == PREFETCH_DROP)) {
        return end_prefetch(sm, &sm->stats.prefetch_refused, false);
    }
    if (result != ACCESS_TAKEN) {
        return false;
    }
    OBSERVE(sm->sockets, prefetch, sm->id, &info, set);
    return end_prefetch(sm, &sm->stats.prefetch_issued, true);
}
