/* network.c - see network.h.  One router step serves crossbar and mesh alike. */
#include "machine/noc/network.h"

#include "machine/noc/network_packets.h"

void network_look_at_head(const struct network *net, struct net_router *router, uint32_t p)
{
    const struct net_port *port = &router->port[p];
    uint64_t bit = UINT64_C(1) << p, ready;
    const struct packet *head;
    uint32_t to;

    router->head_to[router->head_out[p]] &= ~bit;
    if (!port->in->count) {
        router->occupied &= ~bit;
        router->head_tick[p] = CYCLE_NEVER;
        return;
    }
    head = ring_head(port->in);
    if (port->in->count > 1) { /* by its turn it would be out of the host's cache */
        __builtin_prefetch(ring_at(port->in, 1));
    }
    to = router->route[head->dest];
    ready = head->ready_at == CYCLE_NEVER ? CYCLE_NEVER : clock_ticks(&net->clock, head->ready_at);
    ready = cycle_later(ready, port->in_busy);
    router->occupied |= bit;
    router->head_out[p] = (uint8_t)to;
    router->head_to[to] |= bit;
    router->head_tick[p] = cycle_later(ready, router->out_busy[to]);
}

/* Input `from` sends until `free_tick`, and so do the inputs of its group. */
static void occupy_input(struct net_router *router, uint32_t from, uint64_t free_tick)
{
    const struct net_port *in = &router->port[from];

    router->port[from].in_busy = free_tick;
    for (uint32_t p = 0; in->shared && p < router->n_ports; p++) {
        if (router->port[p].group != in->group) {
            continue;
        }
        router->port[p].in_busy = free_tick;
        router->head_tick[p] = cycle_later(router->head_tick[p], free_tick);
    }
}

/* Output `to` sends until `free_tick`: whoever wants it waits. */
static void occupy_output(struct net_router *router, uint32_t to, uint64_t free_tick)
{
    router->out_busy[to] = free_tick;
    for (uint64_t left = router->head_to[to]; left; left &= left - 1) {
        uint64_t *tick = &router->head_tick[__builtin_ctzll(left)];

        *tick = cycle_later(*tick, free_tick);
    }
}

static uint16_t sm_of(const struct network *net, const struct packet *packet)
{
    return net->to_memory ? packet->source : packet->dest;
}

/* A delay in 0..icnt.jitter, a function of the seed, the packet and the cycle alone. */
static uint64_t jitter(const struct network *net, const struct packet *packet, uint64_t now)
{
    uint64_t x = net->config->icnt_jitter_seed * UINT64_C(0x9e3779b97f4a7c15) ^ packet->block ^
                 (uint64_t)sm_of(net, packet) << 48 ^ now << 8;

    for (int round = 0; round < 2; round++) {
        x ^= x >> 31;
        x *= UINT64_C(0xbf58476d1ce4e5b9);
    }
    return (x >> 32) % (net->config->icnt_jitter + 1u);
}

/* Is it on the one path that is slower than the others? */
static bool is_slow(const struct network *net, const struct packet *packet)
{
    uint16_t node = net->to_memory ? packet->dest : packet->source;

    return sm_of(net, packet) == net->config->icnt_slow_sm &&
           node / net->config->l2_banks == net->config->icnt_slow_partition;
}

static bool same_way(const struct packet *a, const struct packet *b)
{
    return a->source == b->source && a->dest == b->dest;
}

/* Out of the network, delayed at random or on the slow path: messages between the same two
 * nodes keep their order, others go by the time at which they are ready. */
static void push_delayed(struct network *net, struct ring *ring, struct packet *packet,
                         uint64_t now)
{
    uint32_t at = ring->head + ring->count;

    packet->ready_at += jitter(net, packet, now);
    packet->ready_at += is_slow(net, packet) ? net->config->icnt_slow_cycles : 0;
    ring_push(ring, packet);
    for (uint32_t left = ring->count - 1; left > 0; left--, at--) {
        struct packet **here = &ring->slot[at % ring->capacity];
        struct packet **before = &ring->slot[(at - 1) % ring->capacity];

        if ((*before)->ready_at <= packet->ready_at || same_way(*before, packet)) {
            return;
        }
        *here = *before;
        *before = packet;
    }
}

static void move(struct network *net, struct net_router *router, uint32_t from, uint32_t to,
                 uint64_t tick, uint64_t now)
{
    struct net_port *in = &router->port[from], *out = &router->port[to];
    bool wakes = in->source_wake && (!in->wake_if_full || ring_full(in->in));
    struct packet *packet = ring_pop(in->in);
    uint32_t flits = net->inject ? packet->flits : packet_flits(packet, net->config);
    const uint32_t speedup = net->config->icnt_speedup;
    uint64_t start = cycle_later(tick, out->free_tick);

    out->free_tick = start + (uint64_t)flits * speedup;
    if (net->inject) {
        network_inject_left(net, from, flits, now);
    }
    /* A faster switch gives a channel to the next packet when the tail has passed: one tick more. */
    occupy_input(router, from, tick + flits + speedup - 1);
    occupy_output(router, to, tick + flits + speedup - 1);
    network_look_at_head(net, router, from);
    out->last = (uint16_t)from;
    packet->ready_at = clock_core(&net->clock,
                                  start + (flits - 1 + net->config->icnt_latency) * speedup) +
                       out->sink_delay;
    if (wakes && *in->source_wake > now + 1) {
        *in->source_wake = now + 1;
    }
    if (in->source_wake) { /* not between routers */
        network_count(net, packet, flits);
    }
    if (out->wake && (net->config->icnt_jitter || net->config->icnt_slow_cycles)) {
        push_delayed(net, out->out, packet, now);
    } else {
        ring_push(out->out, packet);
    }
    if (out->expect) {
        out->expect(out->expects, packet);
    }
    if (out->next) {
        network_look_at_head(net, out->next, out->next_port);
    }
    if (out->wake && *out->wake > packet->ready_at) {
        *out->wake = packet->ready_at;
    }
}

/* Inputs that want each output this tick; returns the mask of wanted outputs. */
static uint64_t collect(const struct net_router *router, uint64_t tick, uint64_t now,
                        uint64_t *want)
{
    uint64_t outputs = 0;

    for (uint64_t free = wake_due(router->head_tick, router->n_ports, tick); free;
         free &= free - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(free), to = router->head_out[p];

        if (ring_full_at(router->port[to].out, now)) {
            continue;
        }
        if (!(outputs >> to & 1)) {
            want[to] = 0;
        }
        outputs |= UINT64_C(1) << to;
        want[to] |= UINT64_C(1) << p;
    }
    return outputs;
}

static uint32_t next_in_turn(uint64_t want, uint32_t last)
{
    uint64_t later = last >= 63 ? 0 : want & (UINT64_MAX << (last + 1));

    return (uint32_t)__builtin_ctzll(later ? later : want);
}

static bool router_tick(struct network *net, struct net_router *router, uint64_t tick, uint64_t now)
{
    uint64_t want[NET_MAX_PORTS];
    uint64_t outputs = collect(router, tick, now, want);
    bool moved = false;

    for (; outputs; outputs &= outputs - 1) {
        uint32_t to = (uint32_t)__builtin_ctzll(outputs);

        while (want[to]) {
            uint32_t from = next_in_turn(want[to], router->port[to].last);

            want[to] &= ~(UINT64_C(1) << from);
            /* Another input of the same group may have gone first in this tick. */
            if (router->port[from].in_busy > tick) {
                continue;
            }
            move(net, router, from, to, tick, now);
            moved = true;
            break;
        }
    }
    return moved;
}

/* The next core cycle at which a waiting message could move, seen from `now`; the next one
 * when one is blocked by a full buffer or out-arbitrated. */
static uint64_t next_change(const struct network *net, uint64_t now)
{
    uint64_t first = CYCLE_NEVER, at;

    for (uint32_t r = 0; r < net->n_routers; r++) {
        uint64_t tick = wake_first(net->router[r].head_tick, net->router[r].n_ports);

        first = tick < first ? tick : first;
    }
    if (first == CYCLE_NEVER) {
        return CYCLE_NEVER;
    }
    at = clock_core(&net->clock, first);
    return at > now ? at : now + 1;
}

bool network_step(struct network *net, uint64_t now)
{
    uint64_t end = clock_ticks(&net->clock, now + 1);
    bool moved;

    if (net->packets) {
        return network_packets_step(net, now);
    }
    moved = net->inject && network_inject(net, now);

    for (uint64_t tick = clock_ticks(&net->clock, now); tick < end; tick++) {
        for (uint32_t r = 0; r < net->n_routers; r++) {
            moved |= router_tick(net, &net->router[r], tick, now);
        }
    }
    net->wake = next_change(net, now);
    if (net->inject) {
        cycle_advance(&net->wake, network_inject_next(net));
    }
    return moved;
}

uint32_t network_waiting(const struct network *net)
{
    uint32_t waiting = net->packets ? network_packets_waiting(net->packets) : 0;

    for (uint32_t s = 0; s < net->n_inject; s++) {
        waiting += net->inject[s].from->count;
    }
    for (uint32_t r = 0; r < net->n_routers; r++) {
        for (uint32_t p = 0; p < net->router[r].n_ports; p++) {
            if (net->router[r].port[p].in) {
                waiting += net->router[r].port[p].in->count;
            }
        }
    }
    return waiting;
}
