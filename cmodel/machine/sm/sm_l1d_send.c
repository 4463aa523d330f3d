/* sm_l1d_send.c - requests of an SM: made, addressed and put into the memory port.
 *
 * Works after wang2015-divergence 3.1 (memory port).  It must not know why anybody asks.
 */
#include <string.h>

#include "machine/config/address_map.h"
#include "machine/sm/sm_l1d.h"

struct exchange *l1d_new_request(struct sm *sm, enum msg_type type, const struct access_info *info)
{
    struct exchange *exchange = exchange_new(&sm->port.pool);
    struct request *request = &exchange->request;

    request->packet.type = (uint8_t)type;
    request->packet.block = info->block;
    request->packet.source = (uint16_t)sm->id;
    request->pc = info->pc;
    request->ticket.warp_slot = info->warp_slot;
    request->ticket.local = info->local;
    return exchange;
}

/* The memory node that holds the block. */
static uint16_t home_of(const struct sm *sm, uint64_t block)
{
    if (memory_has_remote(sm->memory) && memory_node_of(sm->memory, block) == MEMORY_NODE_HOST) {
        return (uint16_t)(node_of_host(sm->config) + host_port_of(sm->config, block));
    }
    return (uint16_t)l2_bank_of(sm->config, block);
}

/* A bank that works by sectors answers for each. */
static uint32_t replies_to(const struct sm *sm, const struct request *request)
{
    if (!sm->config->l2_sectors || request->packet.dest >= node_of_host(sm->config)) {
        return 1;
    }
    return (uint32_t)__builtin_popcount(request->sectors);
}

void l1d_send(struct sm *sm, struct exchange *exchange, uint32_t payload, struct cache_line *line)
{
    struct request *request = &exchange->request;
    uint32_t parts;

    if (sm->sockets.coherence.send && !request->ticket.local) {
        sm->sockets.coherence.send(sm->sockets.coherence.self, request, line);
    }
    request->packet.dest = home_of(sm, request->packet.block);
    request->packet.size_bytes = msg_size_bytes(sm->config, payload, request->proto_bytes);
    request->packet.ready_at = sm->now + 1;
    parts = replies_to(sm, request);
    sm->stats.requests_sent += parts;
    if (request->ticket.to == TO_WARP) { /* it waits for all parts */
        sm->warps.stores[request->ticket.warp_slot] += parts - 1;
    } else if (request->ticket.to == TO_INSTRUCTION) {
        struct mem_inst *inst = &sm->ldst.inst[request->ticket.number];

        inst->pending = (uint8_t)(inst->pending + parts - 1);
    }
    sm->stats.requests_unanswered += request_is_silent(sm->config, request) ? parts : 0;
    OBSERVE(sm->sockets, message, sm->id, request->packet.size_bytes, sm->now);
    ring_push(&sm->port.out, &request->packet);
}

void l1d_send_down(struct sm *sm, uint64_t block, const uint8_t *data, const uint64_t bytes[2],
                   bool dirty, struct cache_line *line)
{
    struct access_info info = {.block = block, .warp_slot = UINT8_MAX, .local = dirty};
    struct exchange *exchange = l1d_new_request(sm, dirty ? MSG_WRITE : MSG_COPYBACK, &info);
    struct request *request = &exchange->request;

    memcpy(request->bytes, bytes, sizeof request->bytes);
    memcpy(exchange->data, data, BLOCK_BYTES);
    request->sectors = bytes_sectors(request->bytes);
    l1d_send(sm, exchange, sectors_size_bytes(request->sectors), line);
}

void l1d_write_down(struct sm *sm, uint32_t set, uint32_t way)
{
    struct cache_line *line = cache_line(&sm->l1d, set, way);
    bool dirty = line->dirty[0] | line->dirty[1]; /* only local memory is written back */

    l1d_send_down(sm, cache_tag(&sm->l1d, set, way), cache_data(&sm->l1d, set, way),
                  dirty ? line->dirty : line->valid, dirty, line);
}

void l1d_ask_again(struct sm *sm, uint32_t at)
{
    struct mshr_entry *entry = &sm->mshr.entry[at];
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;
    const struct mem_inst *first = entry->target[0].who;
    struct exchange *exchange;

    entry->has_line = false; /* what was reserved is VALID, or has gone */
    entry->killed = false;
    entry->returned = false;
    entry->parked = protocol->may_ask && !entry->first.local &&
                    !protocol->may_ask(protocol->self, first->slot,
                                       l1d_copy(sm, entry->first.block));
    if (entry->parked) {
        return;
    }
    exchange = l1d_new_request(sm, MSG_READ, &entry->first);
    exchange->request.ticket.warp_slot = first->slot;
    l1d_answers_to(exchange, TO_MSHR, at);
    exchange->request.sectors = entry->sectors;
    l1d_send(sm, exchange, 0, l1d_copy(sm, entry->first.block));
}
