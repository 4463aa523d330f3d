/* hostmem.c - see hostmem.h. */
#include "machine/memory/hostmem.h"

#include "base/cycle.h"
#include "machine/cache/bytes.h"
#include "machine/config/address_map.h"
#include "machine/l2/perform.h"

int hostmem_init(struct hostmem *host, const struct gpu_config *config, struct memory *memory)
{
    *host = (struct hostmem){.config = config, .memory = memory, .wake = CYCLE_NEVER};
    return ring_init(&host->in, config->host_queue) || ring_init(&host->out, config->host_queue)
               ? -1
               : 0;
}

void hostmem_free(struct hostmem *host)
{
    ring_free(&host->in);
    ring_free(&host->out);
}

static void serve(struct hostmem *host, struct exchange *exchange, uint64_t now)
{
    const struct request *request = &exchange->request;
    uint32_t bytes = sectors_size_bytes(request->sectors);
    uint64_t cost = ((uint64_t)bytes * host->config->clock_core_khz << 10) /
                    ((uint64_t)host->config->host_bandwidth_mbps * 1000);
    uint8_t *block = memory_block(host->memory, request->packet.block);
    uint64_t written[2];

    host->free_q10 = cycle_later(host->free_q10, now << 10) + cost;
    host->requests++;
    host->bytes += bytes;
    if (request->packet.type == MSG_COPYBACK || !block) {
        exchange_release(exchange);
        return;
    }
    perform(exchange, host->config, node_of_host(host->config), block, written, &host->values);
    if (request_is_silent(host->config, request)) {
        exchange_release(exchange);
        return;
    }
    exchange->reply.packet.ready_at = (host->free_q10 >> 10) + host->config->host_latency;
    ring_push(&host->out, &exchange->reply.packet);
}

bool hostmem_step(struct hostmem *host, uint64_t now)
{
    bool moved = false;

    while (host->in.count && ring_head(&host->in)->ready_at <= now && host->free_q10 >> 10 <= now &&
           !ring_full(&host->out)) {
        serve(host, exchange_of_request(ring_pop(&host->in)), now);
        moved = true;
    }
    host->wake = CYCLE_NEVER;
    if (host->in.count) {
        uint64_t at = ring_head(&host->in)->ready_at, bus = host->free_q10 >> 10;

        host->wake = cycle_later(cycle_later(at, bus), now + 1);
    }
    return moved;
}
