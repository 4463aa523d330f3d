/* perform.c - see perform.h.  Works after tabbakh2018-coherence 2.1 (atomics at the L2). */
#include "machine/l2/perform.h"

#include <string.h>

#include "base/minmax.h"
#include "machine/cache/bytes.h"
#include "machine/l2/atomic.h"

static void perform_atomic(struct exchange *exchange, uint8_t *block, uint64_t written[2],
                           struct values *values)
{
    const struct request *request = &exchange->request;
    struct atomic_lanes *atomic = exchange->atomic;
    uint32_t n = (uint32_t)__builtin_popcount(request->ticket.lanes);

    for (uint32_t l = 0; l < n && !block; l++) {
        bytes_span(written, atomic->offset[l], request->operand_bytes);
    }
    for (uint32_t l = 0; l < n && block; l++) {
        uint8_t *location = block + atomic->offset[l], old[8];

        atomic_apply(request->atom, request->number, location, atomic->lane[l].value,
                     atomic->lane[l].swap, old);
        values->changed = values->changed || memcmp(old, location, request->operand_bytes) != 0;
        values_add(values, request->packet.block + atomic->offset[l], location,
                   request->operand_bytes);
        memcpy(atomic->lane[l].value, old, sizeof old);
        bytes_span(written, atomic->offset[l], request->operand_bytes);
    }
}

/* Words of which only a part is written are noted whole. */
static void note_store(const struct request *request, const uint8_t *block, struct values *values)
{
    for (uint32_t at = 0; at < BLOCK_BYTES && !values->full; at += VALUES_WORD_BYTES) {
        if (request->bytes[at / 64] >> at % 64 & ((1u << VALUES_WORD_BYTES) - 1)) {
            values_add(values, request->packet.block + at, block + at, VALUES_WORD_BYTES);
        }
    }
}

static enum msg_type reply_type(const struct request *request)
{
    switch (request->packet.type) {
    case MSG_WRITE: return MSG_WRITE_ACK;
    case MSG_ATOMIC: return MSG_ATOMIC_REPLY;
    default: return MSG_READ_REPLY;
    }
}

static uint32_t reply_payload(const struct request *request)
{
    switch (request->packet.type) {
    case MSG_WRITE: return 0;
    case MSG_ATOMIC:
        return request->returns
                   ? (uint32_t)__builtin_popcount(request->ticket.lanes) * request->operand_bytes
                   : 0;
    default: return sectors_size_bytes(request->sectors);
    }
}

static void make_reply(struct exchange *exchange, const struct gpu_config *config, uint16_t node,
                       uint32_t payload)
{
    const struct request *request = &exchange->request;
    struct reply *reply = &exchange->reply;

    reply->packet.block = request->packet.block;
    reply->packet.source = node;
    reply->packet.dest = request->packet.source;
    reply->packet.size_bytes = msg_size_bytes(config, payload, 0);
    reply->packet.type = (uint8_t)reply_type(request);
    reply->ticket = request->ticket;
    reply->sectors = request->sectors;
    reply->no_data = false;
    reply->proto_bytes = 0;
    memcpy(reply->proto, request->proto, sizeof reply->proto);
}

uint32_t perform(struct exchange *exchange, const struct gpu_config *config, uint16_t node,
                 uint8_t *block, uint64_t written[2], struct values *values)
{
    const struct request *request = &exchange->request;
    uint32_t payload = reply_payload(request);
    uint64_t wanted[2];

    written[0] = written[1] = 0;
    switch (request->packet.type) {
    case MSG_WRITE:
        if (block) {
            values->changed = values->changed ||
                              bytes_differ(block, exchange->data, request->bytes);
            bytes_copy(block, exchange->data, request->bytes);
            note_store(request, block, values);
        }
        memcpy(written, request->bytes, sizeof request->bytes);
        break;
    case MSG_ATOMIC: perform_atomic(exchange, block, written, values); break;
    default:
        if (block) {
            sector_bytes(request->sectors, wanted);
            bytes_copy(exchange->data, block, wanted);
        }
        break;
    }
    make_reply(exchange, config, node, payload);
    return payload;
}

uint32_t perform_ticks(const struct request *request, const struct gpu_config *config)
{
    uint32_t bytes = sectors_size_bytes(request->sectors);
    uint32_t ticks = (bytes + config->l2_port_bytes - 1) / config->l2_port_bytes;
    uint32_t lanes = 0;

    if (request->packet.type == MSG_ATOMIC) {
        lanes = ((uint32_t)__builtin_popcount(request->ticket.lanes) + config->l2_atomic_lanes -
                 1) /
                config->l2_atomic_lanes;
    }
    return larger_u32(larger_u32(lanes, ticks), 1);
}
