/* hostmem.c - see hostmem.h. */
#include "machine/memory/hostmem.h"

#include "base/cycle.h"
#include "machine/cache/bytes.h"
#include "machine/config/address_map.h"
#include "machine/l2/perform.h"

int hostmem_init(struct hostmem *host, const struct gpu_config *config, struct memory *memory)
{
    *host = (struct hostmem){
        .config = config, .memory = memory, .last = config->host_ports - 1, .wake = CYCLE_NEVER};
    for (uint32_t p = 0; p < config->host_ports; p++) {
        if (ring_init(&host->in[p], config->host_queue) != 0 ||
            ring_init(&host->out[p], config->host_queue) != 0) {
            return -1;
        }
    }
    return 0;
}

void hostmem_free(struct hostmem *host)
{
    for (uint32_t p = 0; p < HOST_MAX_PORTS; p++) {
        ring_free(&host->in[p]);
        ring_free(&host->out[p]);
    }
}

uint32_t hostmem_waiting(const struct hostmem *host)
{
    uint32_t n = 0;

    for (uint32_t p = 0; p < host->config->host_ports; p++) {
        n += host->in[p].count;
    }
    return n;
}

uint32_t hostmem_replies(const struct hostmem *host)
{
    uint32_t n = 0;

    for (uint32_t p = 0; p < host->config->host_ports; p++) {
        n += host->out[p].count;
    }
    return n;
}

/* Core cycles, in 1/1024, that `bytes` take. */
static uint64_t cost_q10(const struct hostmem *host, uint64_t bytes, uint32_t mbps)
{
    return mbps ? (bytes * host->config->clock_core_khz << 10) / ((uint64_t)mbps * 1000) : 0;
}

/* A message of `bytes` enters a way of the link at `at_q10`, or when that is free; when it is over. */
static uint64_t cross(const struct hostmem *host, uint64_t *way_q10, uint64_t at_q10,
                      uint64_t bytes)
{
    *way_q10 = cycle_later(*way_q10, at_q10) + cost_q10(host, bytes, host->config->host_link_mbps);
    return *way_q10;
}

/* The data of a reply leave when memory and both ways of the link have had their time. */
static uint64_t answered_at(struct hostmem *host, uint64_t bytes)
{
    const uint64_t latency = host->config->host_latency + host->config->host_link_latency;

    host->up_bytes += bytes;
    return (cross(host, &host->link_up_q10, host->free_q10, bytes) >> 10) + latency;
}

static void serve(struct hostmem *host, uint32_t port, uint64_t now)
{
    struct exchange *exchange = exchange_of_request(ring_pop(&host->in[port]));
    const struct request *request = &exchange->request;
    const uint32_t bytes = sectors_size_bytes(request->sectors);
    const uint64_t over = cross(host, &host->link_down_q10, now << 10, request->packet.size_bytes);
    uint8_t *block = memory_block(host->memory, request->packet.block);
    uint64_t written[2];

    host->free_q10 = cycle_later(host->free_q10, over) +
                     cost_q10(host, bytes, host->config->host_bandwidth_mbps);
    host->requests++;
    host->bytes += bytes;
    host->down_bytes += request->packet.size_bytes;
    if (request->packet.type == MSG_COPYBACK || !block) {
        exchange_release(exchange);
        return;
    }
    perform(exchange, host->config, (uint16_t)(node_of_host(host->config) + port), block, written,
            &host->values);
    if (request_is_silent(host->config, request)) {
        exchange_release(exchange);
        return;
    }
    exchange->reply.packet.ready_at = answered_at(host, exchange->reply.packet.size_bytes);
    ring_push(&host->out[port], &exchange->reply.packet);
}

/* Is the bus free, and the way to it?  Replies may wait for the way back. */
static bool is_free(const struct hostmem *host, uint64_t now)
{
    return host->free_q10 >> 10 <= now && host->link_down_q10 >> 10 <= now;
}

static bool can_serve(const struct hostmem *host, uint32_t port, uint64_t now)
{
    const struct ring *in = &host->in[port];

    return in->count && ring_head(in)->ready_at <= now && !ring_full(&host->out[port]);
}

/* The next port that has something to serve, after the one served last; host_ports: none. */
static uint32_t next_port(const struct hostmem *host, uint64_t now)
{
    const uint32_t n = host->config->host_ports;

    for (uint32_t i = 1; i <= n; i++) {
        const uint32_t port = (host->last + i) % n;

        if (can_serve(host, port, now)) {
            return port;
        }
    }
    return n;
}

static uint64_t next_wake(const struct hostmem *host, uint64_t now)
{
    uint64_t at = CYCLE_NEVER;

    for (uint32_t p = 0; p < host->config->host_ports; p++) {
        if (host->in[p].count) {
            cycle_advance(&at, ring_head(&host->in[p])->ready_at);
        }
    }
    if (at == CYCLE_NEVER) {
        return at;
    }
    at = cycle_later(at, host->free_q10 >> 10);
    return cycle_later(cycle_later(at, host->link_down_q10 >> 10), now + 1);
}

bool hostmem_step(struct hostmem *host, uint64_t now)
{
    bool moved = false;
    uint32_t port;

    while (is_free(host, now) && (port = next_port(host, now)) < host->config->host_ports) {
        serve(host, port, now);
        host->last = port;
        moved = true;
    }
    host->wake = next_wake(host, now);
    return moved;
}
