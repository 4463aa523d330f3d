/* network.c - see network.h.  One router step serves crossbar and mesh alike. */
#include "gpu/network.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/l2.h"
#include "gpu/sm.h"

enum { MESH_EAST, MESH_WEST, MESH_SOUTH, MESH_NORTH, MESH_LOCAL };

/* ---- construction ---- */

static struct net_port *new_port(struct net_router *router)
{
    struct net_port *port = &router->port[router->n_ports++];

    port->group = (uint16_t)(router->n_ports - 1);
    return port;
}

static void attach_source(struct network *net, uint32_t number, uint32_t at,
                          const struct net_end *end)
{
    struct net_port *port = new_port(&net->router[at]);

    port->in = end->ring;
    port->group = end->group;
    port->source_wake = end->wake;
    net->source[number] = (struct net_place){
        .router = (uint16_t)at, .port = (uint16_t)(net->router[at].n_ports - 1)
    };
}

static void attach_sink(struct net_router *router, const struct net_end *end)
{
    struct net_port *port = new_port(router);

    port->out = end->ring;
    port->sink_delay = end->delay;
    port->wake = end->wake;
    router->route[end->node] = (uint8_t)(router->n_ports - 1);
}

/* In a crossbar inputs and outputs are ports of one router; an input's `group` is the
 * SM cluster that shares it.  Ports of sinks follow, so sinks first keeps routes small. */
static void build_crossbar(struct network *net, const struct net_end *sources, uint32_t n_sources,
                           const struct net_end *sinks, uint32_t n_sinks)
{
    uint32_t most = n_sources > n_sinks ? n_sources : n_sinks;
    struct net_router *router = &net->router[0];

    for (uint32_t p = 0; p < most; p++) {
        struct net_port *port = new_port(router);

        if (p < n_sources) {
            port->in = sources[p].ring;
            port->group = sources[p].group;
            port->source_wake = sources[p].wake;
            net->source[p] = (struct net_place){ .router = 0, .port = (uint16_t)p };
        }
        if (p < n_sinks) {
            port->out = sinks[p].ring;
            port->sink_delay = sinks[p].delay;
            port->wake = sinks[p].wake;
            router->route[sinks[p].node] = (uint8_t)p;
        }
    }
}

static int mesh_direction(uint32_t from, uint32_t to, uint32_t width)
{
    if (from % width != to % width)
        return from % width < to % width ? MESH_EAST : MESH_WEST;
    if (from / width != to / width)
        return from / width < to / width ? MESH_SOUTH : MESH_NORTH;
    return MESH_LOCAL;
}

static uint32_t mesh_neighbour(uint32_t at, int direction, uint32_t width)
{
    switch (direction) {
    case MESH_EAST: return at + 1;
    case MESH_WEST: return at - 1;
    case MESH_SOUTH: return at + width;
    default: return at - width;
    }
}

static bool mesh_has(uint32_t at, int direction, uint32_t width, uint32_t n)
{
    switch (direction) {
    case MESH_EAST: return (at + 1) % width != 0 && at + 1 < n;
    case MESH_WEST: return at % width != 0;
    case MESH_SOUTH: return at + width < n;
    default: return at >= width;
    }
}

/* Four ports to the neighbours; port d receives from the neighbour in direction d. */
static int link_mesh(struct network *net, uint32_t width)
{
    static const int opposite[4] = { MESH_WEST, MESH_EAST, MESH_NORTH, MESH_SOUTH };
    uint32_t n = net->n_routers;

    net->n_buffers = 4 * n;
    net->buffer = calloc(net->n_buffers, sizeof *net->buffer);
    if (!net->buffer)
        return -1;
    for (uint32_t b = 0; b < net->n_buffers; b++)
        if (ring_init(&net->buffer[b], net->config->icnt_buffer) != 0)
            return -1;
    for (uint32_t r = 0; r < n; r++)
        for (int d = 0; d < 4; d++) {
            struct net_port *port = new_port(&net->router[r]);

            if (!mesh_has(r, d, width, n))
                continue;
            port->in = &net->buffer[4 * r + (uint32_t)d];
            port->out = &net->buffer[4 * mesh_neighbour(r, d, width) + (uint32_t)opposite[d]];
            port->next = &net->router[mesh_neighbour(r, d, width)];
            port->next_port = (uint8_t)opposite[d];
        }
    return 0;
}

static int build_mesh(struct network *net, const struct net_end *sources,
                      const uint16_t *source_place, uint32_t n_sources,
                      const struct net_end *sinks, const uint16_t *sink_place, uint32_t n_sinks,
                      uint32_t width)
{
    if (link_mesh(net, width) != 0)
        return -1;
    for (uint32_t s = 0; s < n_sources; s++) {
        struct net_router *router = &net->router[source_place[s]];

        attach_source(net, s, source_place[s], &sources[s]);
        /* Sources of one cluster meet at one router: the first one's port number is the group. */
        router->port[router->n_ports - 1].group = 4;
    }
    for (uint32_t s = 0; s < n_sinks; s++) {
        attach_sink(&net->router[sink_place[s]], &sinks[s]);
        for (uint32_t r = 0; r < net->n_routers; r++)
            if (r != sink_place[s])
                net->router[r].route[sinks[s].node] =
                    (uint8_t)mesh_direction(r, sink_place[s], width);
    }
    return 0;
}

static uint32_t mesh_columns(const struct gpu_config *config, uint32_t n_places)
{
    uint32_t width = 1;

    if (config->icnt_mesh_width)
        return config->icnt_mesh_width;
    while (width * width < n_places)
        width++;
    return width;
}

static void find_shared_ports(struct net_router *router)
{
    for (uint32_t p = 0; p < router->n_ports; p++)
        for (uint32_t other = 0; other < router->n_ports; other++)
            router->port[p].shared |= other != p &&
                                      router->port[p].group == router->port[other].group;
}

int network_init(struct network *net, const struct gpu_config *config,
                 const struct net_end *sources, const uint16_t *source_place, uint32_t n_sources,
                 const struct net_end *sinks, const uint16_t *sink_place, uint32_t n_sinks,
                 uint32_t n_places)
{
    bool mesh = config->icnt_topology == TOPOLOGY_MESH;
    uint32_t width = mesh_columns(config, n_places);

    *net = (struct network){ .config = config, .wake = CYCLE_NEVER,
                             .clock = clock_ratio(config->clock_icnt_khz, config->clock_core_khz) };
    net->n_routers = mesh ? (n_places + width - 1) / width * width : 1;
    net->router = aligned_alloc(WAKE_ALIGN_BYTES, net->n_routers * sizeof *net->router);
    if (!net->router)
        return -1;
    memset(net->router, 0, net->n_routers * sizeof *net->router);
    for (uint32_t r = 0; r < net->n_routers; r++)
        for (uint32_t p = 0; p < NET_MAX_PORTS; p++)
            net->router[r].head_tick[p] = CYCLE_NEVER;
    if (!mesh)
        build_crossbar(net, sources, n_sources, sinks, n_sinks);
    else if (build_mesh(net, sources, source_place, n_sources, sinks, sink_place, n_sinks, width))
        return -1;
    for (uint32_t r = 0; r < net->n_routers; r++)
        find_shared_ports(&net->router[r]);
    return 0;
}

void network_free(struct network *net)
{
    for (uint32_t b = 0; b < net->n_buffers; b++)
        ring_free(&net->buffer[b]);
    free(net->buffer);
    free(net->router);
    *net = (struct network){ 0 };
}

/* ---- one tick ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void network_look_at_head(const struct network *net, struct net_router *router, uint32_t p)
{
    const struct net_port *port = &router->port[p];
    uint64_t bit = UINT64_C(1) << p, ready;
    const struct msg *head;
    uint32_t to;

    router->head_to[router->head_out[p]] &= ~bit;
    if (!port->in->count) {
        router->occupied &= ~bit;
        router->head_tick[p] = CYCLE_NEVER;
        return;
    }
    head = ring_head(port->in);
    to = router->route[head->dest];
    ready = head->ready_at == CYCLE_NEVER ? CYCLE_NEVER : clock_ticks(&net->clock, head->ready_at);
    ready = later(ready, port->in_busy);
    router->occupied |= bit;
    router->head_out[p] = (uint8_t)to;
    router->head_to[to] |= bit;
    router->head_tick[p] = later(ready, router->out_busy[to]);
}

/* Input `from` sends until `free_tick`, and so do the inputs of its group. */
static void occupy_input(struct net_router *router, uint32_t from, uint64_t free_tick)
{
    const struct net_port *in = &router->port[from];

    router->port[from].in_busy = free_tick;
    for (uint32_t p = 0; in->shared && p < router->n_ports; p++) {
        if (router->port[p].group != in->group)
            continue;
        router->port[p].in_busy = free_tick;
        router->head_tick[p] = later(router->head_tick[p], free_tick);
    }
}

/* Output `to` sends until `free_tick`: whoever wants it waits. */
static void occupy_output(struct net_router *router, uint32_t to, uint64_t free_tick)
{
    router->out_busy[to] = free_tick;
    for (uint64_t left = router->head_to[to]; left; left &= left - 1) {
        uint64_t *tick = &router->head_tick[__builtin_ctzll(left)];

        *tick = later(*tick, free_tick);
    }
}

/* A delay in 0..icnt.jitter, a function of the seed, the message and the cycle alone. */
static uint64_t jitter(const struct gpu_config *config, const struct msg *msg, uint64_t now)
{
    uint64_t x = config->icnt_jitter_seed * UINT64_C(0x9e3779b97f4a7c15) ^ msg->block ^
                 (uint64_t)msg->sm << 48 ^ now << 8;

    for (int round = 0; round < 2; round++) {
        x ^= x >> 31;
        x *= UINT64_C(0xbf58476d1ce4e5b9);
    }
    return (x >> 32) % (config->icnt_jitter + 1u);
}

static bool same_way(const struct gpu_config *config, const struct msg *a, const struct msg *b)
{
    return a->sm == b->sm && l2_bank_of(config, a->block) == l2_bank_of(config, b->block);
}

/* Out of the network, delayed at random: messages between the same two nodes keep their
 * order, others go by the time at which they are ready. */
static void push_jittered(struct network *net, struct ring *ring, struct msg *msg, uint64_t now)
{
    uint32_t at = ring->head + ring->count;

    msg->ready_at += jitter(net->config, msg, now);
    ring_push(ring, msg);
    for (uint32_t left = ring->count - 1; left > 0; left--, at--) {
        struct msg **here = &ring->slot[at % ring->capacity];
        struct msg **before = &ring->slot[(at - 1) % ring->capacity];

        if ((*before)->ready_at <= msg->ready_at || same_way(net->config, *before, msg))
            return;
        *here = *before;
        *before = msg;
    }
}

static void move(struct network *net, struct net_router *router, uint32_t from, uint32_t to,
                 uint64_t tick, uint64_t now)
{
    struct net_port *in = &router->port[from], *out = &router->port[to];
    struct msg *msg = ring_pop(in->in);
    uint32_t flits = msg_flits(msg, net->config);

    occupy_input(router, from, tick + flits);
    occupy_output(router, to, tick + flits);
    network_look_at_head(net, router, from);
    out->last = (uint16_t)from;
    msg->ready_at = clock_core(&net->clock, tick + flits - 1 + net->config->icnt_latency) +
                    out->sink_delay;
    if (in->source_wake && *in->source_wake > now + 1)
        *in->source_wake = now + 1;
    if (in->source_wake) { /* counted once, where it enters */
        net->stats.messages[msg->type]++;
        net->stats.flits[msg->type] += flits;
        net->stats.bytes[msg->type] += msg->size_bytes;
    }
    if (out->wake && net->config->icnt_jitter)
        push_jittered(net, out->out, msg, now);
    else
        ring_push(out->out, msg);
    if (out->next)
        network_look_at_head(net, out->next, out->next_port);
    if (out->wake && *out->wake > msg->ready_at)
        *out->wake = msg->ready_at;
}

/* Inputs that want each output this tick; returns the mask of wanted outputs. */
static uint64_t collect(const struct net_router *router, uint64_t tick, uint64_t *want)
{
    uint64_t outputs = 0;

    for (uint64_t free = wake_due(router->head_tick, router->n_ports, tick); free;
         free &= free - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(free), to = router->head_out[p];

        if (ring_full(router->port[to].out))
            continue;
        if (!(outputs >> to & 1))
            want[to] = 0;
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
    uint64_t outputs = collect(router, tick, want);
    bool moved = false;

    for (; outputs; outputs &= outputs - 1) {
        uint32_t to = (uint32_t)__builtin_ctzll(outputs);

        while (want[to]) {
            uint32_t from = next_in_turn(want[to], router->port[to].last);

            want[to] &= ~(UINT64_C(1) << from);
            /* Another input of the same group may have gone first in this tick. */
            if (router->port[from].in_busy > tick)
                continue;
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
    if (first == CYCLE_NEVER)
        return CYCLE_NEVER;
    at = clock_core(&net->clock, first);
    return at > now ? at : now + 1;
}

bool network_step(struct network *net, uint64_t now)
{
    uint64_t end = clock_ticks(&net->clock, now + 1);
    bool moved = false;

    for (uint64_t tick = clock_ticks(&net->clock, now); tick < end; tick++)
        for (uint32_t r = 0; r < net->n_routers; r++)
            moved |= router_tick(net, &net->router[r], tick, now);
    net->wake = next_change(net, now);
    return moved;
}

uint32_t network_waiting(const struct network *net)
{
    uint32_t waiting = 0;

    for (uint32_t r = 0; r < net->n_routers; r++)
        for (uint32_t p = 0; p < net->router[r].n_ports; p++)
            if (net->router[r].port[p].in)
                waiting += net->router[r].port[p].in->count;
    return waiting;
}
