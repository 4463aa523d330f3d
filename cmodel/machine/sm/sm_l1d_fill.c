/* sm_l1d_fill.c - a reply reaches the L1D: where its line goes, and whether it stays.
 *
 * Works after wang2015-divergence 3.1 (D-BASE-5, D-BASE-7) and aci-iacm-blpp 3.8 (the
 * physical location that travelled with the request is used, never a recomputed one).
 */
#include "machine/sm/sm_l1d.h"

/* The way for a fill: the reserved one, the one that holds the block, or a new victim. */
static int place_for_fill(struct sm *sm, struct mshr_entry *entry, const struct reply *reply,
                          uint32_t *set)
{
    struct policy_socket *policy = &sm->sockets.policy;
    int way;

    *set = entry->set;
    if (entry->has_line) {
        return entry->way;
    }
    *set = l1d_set(sm, entry->first.block);
    way = cache_find(&sm->l1d, *set, entry->first.block);
    if (way >= 0 || reply->no_data) {
        return way;
    }
    way = policy->victim(policy->self, *set, sm->l1d.invalid[*set],
                         cache_replaceable(&sm->l1d, *set), &entry->first);
    if (way < 0 ||
        !sm_port_room(sm, l1d_eviction_room(sm, cache_line(&sm->l1d, *set, (uint32_t)way)))) {
        sm->stats.l1d_unplaced_fills++;
        return -1;
    }
    l1d_evict(sm, *set, (uint32_t)way, entry->first.kind != ACCESS_PREFETCH);
    cache_place(&sm->l1d, *set, (uint32_t)way, entry->first.block, LINE_VALID);
    policy->insert(policy->self, *set, (uint32_t)way, &entry->first);
    OBSERVE(sm->sockets, line, sm->id, *set, (uint32_t)way, LINE_RESERVE, false);
    return way;
}

void sm_l1d_fill(struct sm *sm, struct mshr_entry *entry, struct reply *reply)
{
    struct coherence_l1_socket *protocol = &sm->sockets.coherence;
    const struct granularity_socket *granularity = &sm->sockets.granularity;
    uint32_t set = 0;
    enum coherence_reply verdict = COHERENCE_INSTALL;
    uint8_t *data = exchange_of_reply(&reply->packet)->data;
    uint64_t carried[2], fresh[2];
    struct cache_line *line;
    bool drop;
    int way;

    entry->first.answer = (uint8_t)reply->proto[0];
    way = entry->killed && !entry->has_line ? -1 : place_for_fill(sm, entry, reply, &set);
    line = way < 0 ? NULL : cache_line(&sm->l1d, set, (uint32_t)way);
    drop = entry->killed || (line && line->doomed);
    OBSERVE(sm->sockets, fill, sm->id, entry->first.block);
    if (protocol->reply && !reply->ticket.local) {
        verdict = protocol->reply(protocol->self, reply, line);
    }
    drop |= verdict == COHERENCE_DROP;
    sm->stats.l1d_killed_fills += entry->killed;
    entry->no_bytes = reply->no_data && (!line || entry->has_line || entry->killed);
    if (reply->no_data && !entry->no_bytes) { /* a renewal: waiters read the copy here */
        bytes_copy(data, cache_data(&sm->l1d, set, (uint32_t)way), line->valid);
    }
    if (!line || verdict == COHERENCE_IGNORE) {
        return;
    }
    OBSERVE(sm->sockets, line, sm->id, set, (uint32_t)way, LINE_FILL,
            line->dirty[0] | line->dirty[1]);
    if (drop || (reply->no_data && entry->has_line)) {
        l1d_drop(sm, set, (uint32_t)way);
        return;
    }
    cache_set_valid(&sm->l1d, set, (uint32_t)way);
    sector_bytes(reply->no_data ? 0 : reply->sectors, carried);
    for (unsigned word = 0; word < 2; word++) {
        fresh[word] = carried[word] & ~line->dirty[word];
    }
    if (sm->valued) {
        bytes_copy(cache_data(&sm->l1d, set, (uint32_t)way), data, fresh);
    }
    line->valid[0] |= fresh[0];
    line->valid[1] |= fresh[1];
    line->pc = entry->first.pc;
    line->warp_slot = entry->first.warp_slot;
    line->prefetched = entry->first.kind == ACCESS_PREFETCH && entry->n_targets == 0;
    line->prefetch_cycle = (uint32_t)entry->first.cycle;
    if (granularity->filled && !entry->first.local) {
        granularity->filled(granularity->self, set, (uint32_t)way,
                            bytes_whole_sectors(line->valid));
    }
}
