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
    net->inject_at = aligned_alloc(WAKE_ALIGN_BYTES,
                                   wake_padded(n_sources) * sizeof *net->inject_at);
    if (!net->inject || !net->inject_at) {
        return -1;
    }
    net->n_inject = n_sources;
    for (uint32_t s = 0; s < wake_padded(n_sources); s++) {
        net->inject_at[s] = CYCLE_NEVER;
    }
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
    free(net->inject_at);
}

/* From when on the oldest packet of a sender fits whole into its queue.  Flits wait there that have not
 * had their tick, and those that the buffer has no room for: these only a packet that leaves it helps. */
static uint64_t fits_at(const struct network *net, const struct net_inject *inject)
{
    const uint32_t most = net->config->icnt_inject_flits, room = net->config->icnt_input_flits;
    const struct packet *packet = ring_head(inject->from);
    const uint32_t flits = packet_flits(packet, net->config);
    const uint64_t passed = inject->passed_at + flits;

    if (inject->from->count > 1) { /* by its turn it would be out of the host's cache */
        __builtin_prefetch(ring_at(inject->from, 1));
    }
    if (inject->flits > room && inject->flits - room + flits > most) {
        return CYCLE_NEVER;
    }
    return cycle_later(packet->ready_at, passed > most ? passed - most : 0);
}

static void take(struct network *net, uint32_t s, uint64_t now)
{
    struct net_inject *inject = &net->inject[s];
    struct packet *packet;
    uint32_t flits;

    if (inject->wake && (!inject->wake_if_full || ring_full(inject->from))) {
        cycle_advance(inject->wake, now + 1);
    }
    packet = ring_pop(inject->from);
    flits = packet_flits(packet, net->config);
    packet->flits = (uint8_t)flits;
    packet->ready_at = cycle_later(inject->passed_at, now);
    inject->passed_at = packet->ready_at + flits;
    inject->flits += flits;
    network_count(net, packet, flits);
    ring_push(&inject->buffer, packet);
    if (inject->buffer.count == 1) {
        network_look_at_head(net, &net->router[0], s);
    }
}

bool network_inject(struct network *net, uint64_t now)
{
    bool moved = false;

    for (uint64_t due = wake_due(net->inject_at, net->n_inject, now); due; due &= due - 1) {
        const uint32_t s = (uint32_t)__builtin_ctzll(due);
        struct net_inject *inject = &net->inject[s];

        net->inject_at[s] = fits_at(net, inject);
        if (net->inject_at[s] > now) {
            continue;
        }
        take(net, s, now);
        moved = true;
        if (inject->from->count) {
            net->inject_at[s] = cycle_later(fits_at(net, inject), now + 1);
        } else {
            net->inject_at[s] = CYCLE_NEVER;
            net->offered &= ~(UINT64_C(1) << s);
        }
    }
    return moved;
}

void network_inject_left(struct network *net, uint32_t s, uint32_t flits, uint64_t now)
{
    net->inject[s].flits -= flits;
    if (net->offered >> s & 1) {
        cycle_advance(&net->inject_at[s], now + 1);
    }
}
