/* sm_l1d_victim.c - lines move between the L1D and a victim cache beside it.
 *
 * Works after lakshminarayana2014 3.3.2: whole clean lines that leave the L1D stay near it for a
 * while, and a load that finds one swaps it with the line that gives way.  It must not know how the
 * victim cache is built, nor which lines are copied back (sockets).
 */
#include "machine/sm/sm_l1d.h"

static const uint64_t whole[2] = {UINT64_MAX, UINT64_MAX};

void l1d_to_victims(struct sm *sm, uint64_t block, struct cache_line *line, const uint8_t *data)
{
    const struct inclusion_l1_socket *inclusion = &sm->sockets.inclusion;
    uint8_t bytes[BLOCK_BYTES];

    bytes_copy(bytes, data, whole);
    if (inclusion->keep(inclusion->self, &block, line, bytes)) {
        l1d_send_down(sm, block, bytes, whole, false, NULL);
    }
}

int l1d_from_victims(struct sm *sm, const struct access_info *info, uint32_t set, int *way)
{
    const struct inclusion_l1_socket *inclusion = &sm->sockets.inclusion;
    const struct policy_socket *policy = &sm->sockets.policy;
    struct access_info returning = *info;
    uint8_t bytes[BLOCK_BYTES];
    struct cache_line *line;
    bool swaps;

    *way = policy->victim(policy->self, set, sm->l1d.invalid[set], cache_replaceable(&sm->l1d, set),
                          info);
    if (*way < 0) {
        return *way == POLICY_BYPASS ? POLICY_BYPASS : STALL_LINE;
    }
    line = cache_line(&sm->l1d, set, (uint32_t)*way);
    swaps = line->state == LINE_VALID && !(line->dirty[0] | line->dirty[1]) && l1d_is_whole(line);
    if (!swaps && !sm_port_room(sm, l1d_eviction_room(sm, line))) {
        return STALL_PORT;
    }
    returning.answer = inclusion->swap(
        inclusion->self, info->block, bytes, cache_tag(&sm->l1d, set, (uint32_t)*way),
        swaps ? line : NULL, cache_data(&sm->l1d, set, (uint32_t)*way));
    if (!swaps) {
        l1d_evict(sm, set, (uint32_t)*way, true);
    } else {
        l1d_count_eviction(sm, line, true);
    }
    cache_place(&sm->l1d, set, (uint32_t)*way, info->block, LINE_VALID);
    policy->insert(policy->self, set, (uint32_t)*way, &returning);
    OBSERVE(sm->sockets, line, sm->id, set, (uint32_t)*way, LINE_RESERVE, false);
    bytes_copy(cache_data(&sm->l1d, set, (uint32_t)*way), bytes, whole);
    line->valid[0] = line->valid[1] = UINT64_MAX;
    line->pc = info->pc;
    line->warp_slot = info->warp_slot;
    OBSERVE(sm->sockets, line, sm->id, set, (uint32_t)*way, LINE_FILL, false);
    return ACCESS_TAKEN;
}
