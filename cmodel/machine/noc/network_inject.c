/* network_inject.c - the queues between senders and the input buffers of a crossbar.
 *
 * With icnt.inject_flits a sender hands over one packet a cycle, if it fits whole into its queue,
 * which passes one flit a tick of the links on to the router's input buffer.  A full buffer stops the
 * queue.  See network.h.
 */
#include <stdlib.h>

#include "machine/noc/network.h"

int network_inject_init(struct network *net, uint32_t n_sources)
{
    const struct gpu_config *c = net->config;

    if (!c->icnt_inject_flits) {
        return 0;
    }
    net->inject = calloc(n_sources, sizeof *net->inject);
    if (!net->inject) {
        return -1;
    }
    net->n_inject = n_sources;
    for (uint32_t s = 0; s < n_sources; s++) {
        struct net_inject *inject = &net->inject[s];
        struct net_port *port = &net->router[0].port[s];

        if (ring_init(&inject->buffer, c->icnt_inject_flits + c->icnt_input_flits) != 0) {
            return -1;
        }
        inject->from = port->in;
        inject->wake = port->source_wake;
        inject->wake_if_full = port->wake_if_full;
        port->in = &inject->buffer;
        port->source_wake = NULL;
    }
    return 0;
}

void network_inject_free(struct network *net)
{
    for (uint32_t s = 0; s < net->n_inject; s++) {
        ring_free(&net->inject[s].buffer);
    }
    free(net->inject);
}

/* Flits that still wait in the queue: those that have not had their tick, and those that the buffer
 * has no room for. */
static uint32_t queued(const struct network *net, const struct net_inject *inject, uint64_t now)
{
    const uint64_t by_time = inject->passed_at > now ? inject->passed_at - now : 0;
    const uint32_t most = net->config->icnt_input_flits;
    const uint32_t by_room = inject->flits > most ? inject->flits - most : 0;

    return by_time > by_room ? (uint32_t)by_time : by_room;
}

static bool take(struct network *net, uint32_t s, uint64_t now)
{
    struct net_inject *inject = &net->inject[s];
    struct packet *packet = inject->from->count ? ring_head(inject->from) : NULL;
    uint32_t flits;

    if (!packet || packet->ready_at > now) {
        return false;
    }
    flits = packet_flits(packet, net->config);
    if (queued(net, inject, now) + flits > net->config->icnt_inject_flits) {
        return false;
    }
    if (inject->wake && (!inject->wake_if_full || ring_full(inject->from))) {
        cycle_advance(inject->wake, now + 1);
    }
    ring_pop(inject->from);
    packet->flits = (uint8_t)flits;
    packet->ready_at = cycle_later(inject->passed_at, now);
    inject->passed_at = packet->ready_at + flits;
    inject->flits += flits;
    network_count(net, packet, flits);
    ring_push(&inject->buffer, packet);
    if (inject->buffer.count == 1) {
        network_look_at_head(net, &net->router[0], s);
    }
    return true;
}

bool network_inject(struct network *net, uint64_t now)
{
    bool moved = false;

    for (uint64_t left = net->offered; left; left &= left - 1) {
        const uint32_t s = (uint32_t)__builtin_ctzll(left);

        moved |= take(net, s, now);
        if (!net->inject[s].from->count) {
            net->offered &= ~(UINT64_C(1) << s);
        }
    }
    return moved;
}

uint64_t network_inject_next(const struct network *net, uint64_t now)
{
    uint64_t next = CYCLE_NEVER;

    for (uint64_t left = net->offered; left; left &= left - 1) {
        cycle_advance(&next, ring_head(net->inject[__builtin_ctzll(left)].from)->ready_at);
    }
    return next == CYCLE_NEVER ? next : cycle_later(next, now + 1);
}
