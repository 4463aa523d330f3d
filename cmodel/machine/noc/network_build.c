/* network_build.c - the routers of a network and how they are linked: crossbar or mesh.
 *
 * See network.h.  How messages move is in network.c.
 */
#include "machine/noc/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/cycle.h"
#include "machine/noc/network_packets.h"

enum { MESH_EAST, MESH_WEST, MESH_SOUTH, MESH_NORTH, MESH_LOCAL };

static struct net_port *new_port(struct net_router *router)
{
    struct net_port *port = &router->port[router->n_ports++];

    port->group = (uint16_t)(router->n_ports - 1);
    return port;
}

static void connect_source(struct net_port *port, const struct net_end *end)
{
    port->in = end->ring;
    port->group = end->group;
    port->source_wake = end->wake;
    port->wake_if_full = end->wake_if_full;
}

static void connect_sink(struct net_port *port, const struct net_end *end)
{
    port->out = end->ring;
    port->sink_delay = end->delay;
    port->wake = end->wake;
    port->expect = end->expect;
    port->expects = end->expects;
}

static void attach_source(struct network *net, uint32_t number, uint32_t at,
                          const struct net_end *end)
{
    connect_source(new_port(&net->router[at]), end);
    net->source[number] = (struct net_place){.router = (uint16_t)at,
                                             .port = (uint16_t)(net->router[at].n_ports - 1)};
}

static void attach_sink(struct net_router *router, const struct net_end *end)
{
    connect_sink(new_port(router), end);
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
            connect_source(port, &sources[p]);
            net->source[p] = (struct net_place){.router = 0, .port = (uint16_t)p};
        }
        if (p < n_sinks) {
            connect_sink(port, &sinks[p]);
            router->route[sinks[p].node] = (uint8_t)p;
        }
    }
}

static int mesh_direction(uint32_t from, uint32_t to, uint32_t width)
{
    if (from % width != to % width) {
        return from % width < to % width ? MESH_EAST : MESH_WEST;
    }
    if (from / width != to / width) {
        return from / width < to / width ? MESH_SOUTH : MESH_NORTH;
    }
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
    static const int opposite[4] = {MESH_WEST, MESH_EAST, MESH_NORTH, MESH_SOUTH};
    uint32_t n = net->n_routers;

    net->n_buffers = 4 * n;
    net->buffer = calloc(net->n_buffers, sizeof *net->buffer);
    if (!net->buffer) {
        return -1;
    }
    for (uint32_t b = 0; b < net->n_buffers; b++) {
        if (ring_init(&net->buffer[b], net->config->icnt_buffer) != 0) {
            return -1;
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        for (int d = 0; d < 4; d++) {
            struct net_port *port = new_port(&net->router[r]);

            if (!mesh_has(r, d, width, n)) {
                continue;
            }
            port->in = &net->buffer[4 * r + (uint32_t)d];
            port->out = &net->buffer[4 * mesh_neighbour(r, d, width) + (uint32_t)opposite[d]];
            port->next = &net->router[mesh_neighbour(r, d, width)];
            port->next_port = (uint8_t)opposite[d];
        }
    }
    return 0;
}

static int build_mesh(struct network *net, const struct net_end *sources,
                      const uint16_t *source_place, uint32_t n_sources, const struct net_end *sinks,
                      const uint16_t *sink_place, uint32_t n_sinks, uint32_t width)
{
    if (link_mesh(net, width) != 0) {
        return -1;
    }
    for (uint32_t s = 0; s < n_sources; s++) {
        struct net_router *router = &net->router[source_place[s]];

        attach_source(net, s, source_place[s], &sources[s]);
        /* Sources of one cluster meet at one router: the first one's port number is the group. */
        router->port[router->n_ports - 1].group = 4;
    }
    for (uint32_t s = 0; s < n_sinks; s++) {
        attach_sink(&net->router[sink_place[s]], &sinks[s]);
        for (uint32_t r = 0; r < net->n_routers; r++) {
            if (r != sink_place[s]) {
                net->router[r].route[sinks[s].node] = (uint8_t)mesh_direction(r, sink_place[s],
                                                                              width);
            }
        }
    }
    return 0;
}

static uint32_t mesh_columns(const struct gpu_config *config, uint32_t n_places)
{
    uint32_t width = 1;

    if (config->icnt_mesh_width) {
        return config->icnt_mesh_width;
    }
    while (width * width < n_places) {
        width++;
    }
    return width;
}

static void find_shared_ports(struct net_router *router)
{
    for (uint32_t p = 0; p < router->n_ports; p++) {
        for (uint32_t other = 0; other < router->n_ports; other++) {
            router->port[p].shared |= other != p &&
                                      router->port[p].group == router->port[other].group;
        }
    }
}

int network_init(struct network *net, const struct gpu_config *config, bool to_memory,
                 const struct net_end *sources, const uint16_t *source_place, uint32_t n_sources,
                 const struct net_end *sinks, const uint16_t *sink_place, uint32_t n_sinks,
                 uint32_t n_places)
{
    bool mesh = config->icnt_topology == TOPOLOGY_MESH;
    uint32_t width = mesh_columns(config, n_places);

    *net = (struct network){.config = config,
                            .to_memory = to_memory,
                            .wake = CYCLE_NEVER,
                            .clock = clock_ratio(config->clock_icnt_khz * config->icnt_speedup,
                                                 config->clock_core_khz)};
    if (config->icnt_switch == SWITCH_PACKETS) {
        net->packets = network_packets_new(config, sources, n_sources, sinks, n_sinks);
        return net->packets ? 0 : -1;
    }
    net->n_routers = mesh ? (n_places + width - 1) / width * width : 1;
    net->router = aligned_alloc(WAKE_ALIGN_BYTES, net->n_routers * sizeof *net->router);
    if (!net->router) {
        return -1;
    }
    memset(net->router, 0, net->n_routers * sizeof *net->router);
    for (uint32_t r = 0; r < net->n_routers; r++) {
        for (uint32_t p = 0; p < NET_MAX_PORTS; p++) {
            net->router[r].head_tick[p] = CYCLE_NEVER;
        }
    }
    if (!mesh) {
        build_crossbar(net, sources, n_sources, sinks, n_sinks);
    } else if (build_mesh(net, sources, source_place, n_sources, sinks, sink_place, n_sinks,
                          width)) {
        return -1;
    }
    for (uint32_t r = 0; r < net->n_routers; r++) {
        find_shared_ports(&net->router[r]);
    }
    return network_inject_init(net, n_sources);
}

void network_free(struct network *net)
{
    for (uint32_t b = 0; b < net->n_buffers; b++) {
        ring_free(&net->buffer[b]);
    }
    network_inject_free(net);
    network_packets_free(net->packets);
    free(net->buffer);
    free(net->router);
    *net = (struct network){0};
}
