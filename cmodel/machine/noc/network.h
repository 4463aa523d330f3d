/* network.h - one unidirectional interconnect: routers, flits, back-pressure.
 *
 * Works after wang2015-divergence 1.1 and 2.1 (two unidirectional networks, 32-byte
 * channels; a one-stage butterfly is a crossbar), tabbakh2018-coherence 2.2 (2D mesh).
 * Virtual cut-through: a message moves when its output link is free and the next
 * buffer has room for it; it holds input and output for one tick per flit.  Messages
 * between one source and one destination stay in order.
 * It must not know what messages mean.
 */
#ifndef WARPLOCK_GPU_NETWORK_H
#define WARPLOCK_GPU_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/cycle.h"
#include "base/wake.h"
#include "machine/config/config.h"
#include "machine/noc/packet.h"
#include "machine/stats/stats.h"

enum { NET_MAX_PORTS = 64, NET_MAX_NODES = 64 + 64 };

struct net_packets;
struct net_router;

struct net_port {
    struct ring *in;         /* buffer of this input port; NULL: unused */
    uint64_t in_busy;        /* tick from which the input may send again */
    uint16_t group;          /* inputs of one group share one physical port */
    bool shared;             /* there are others in the group */
    struct ring *out;        /* where the output link ends; NULL: unused */
    struct net_router *next; /* the router whose input `next_port` that is, or NULL */
    uint8_t next_port;
    uint64_t sink_delay; /* core cycles added for a final destination */
    uint64_t *wake;      /* of the final destination, or NULL */
    void (*expect)(const void *self, const struct packet *packet); /* see struct net_end, or NULL */
    const void *expects;
    uint64_t free_tick;    /* of an output: its link is free, at the tick of the switch */
    uint64_t *source_wake; /* of the component behind a source port, or NULL */
    bool wake_if_full;     /* it waits for the ring only when that is full */
    uint16_t last;         /* input served last, for round robin */
};

/* What a tick looks at is in arrays of its own, so that it stays in the host's cache. */
struct net_router {
    uint32_t n_ports;
    uint64_t occupied; /* inputs in which a message waits */
    /* Tick from which the oldest message of an input may go: the input and the output it
     * wants are free.  CYCLE_NEVER where none waits (wake.h). */
    uint64_t head_tick[NET_MAX_PORTS] __attribute__((aligned(WAKE_ALIGN_BYTES)));
    uint64_t out_busy[NET_MAX_PORTS]; /* tick from which an output may send again */
    uint64_t head_to[NET_MAX_PORTS];  /* of an output: inputs whose oldest message wants it */
    uint8_t head_out[NET_MAX_PORTS];  /* of occupied inputs: that output */
    uint8_t route[NET_MAX_NODES];     /* destination node to output port */
    struct net_port port[NET_MAX_PORTS];
};

/* Where a source was attached. */
struct net_place {
    uint16_t router, port;
};

/* The queue of a source in front of its input buffer (network_inject.c). */
struct net_inject {
    struct ring *from, buffer; /* the sender's ring; what is in the queue, then in the buffer */
    uint64_t *wake;            /* of the sender, or NULL */
    bool wake_if_full;         /* it waits for its ring only when that is full */
    uint64_t passed_at;        /* core cycle in which the queue will have passed its last flit on */
    uint32_t flits;            /* in queue and buffer */
};

struct network {
    const struct gpu_config *config;
    bool to_memory; /* from SMs; else to SMs, from memory nodes */
    struct clock_domain clock;
    uint32_t n_routers, n_nodes, n_buffers;
    struct net_router *router;
    struct net_place source[NET_MAX_NODES]; /* by order in network_init */
    struct ring *buffer;                    /* between mesh routers */
    struct net_inject *inject;              /* of each source; NULL: without such queues */
    uint32_t n_inject;
    /* Core cycle from which the next packet of each may go into its queue; CYCLE_NEVER: there is none,
     * or a packet must leave first (wake.h). */
    uint64_t *inject_at;
    struct net_packets *packets; /* instead of routers: a crossbar of whole packets; or NULL */
    uint64_t offered;            /* sources whose senders have packets for them */
    uint64_t next_tick;          /* first tick not yet run */
    uint64_t wake;               /* core cycle of the next possible change */
    struct net_stats stats;
};

/* A source or a destination to attach.  `node` is a network-wide number below
 * NET_MAX_NODES; sources of one `group` share a physical port. */
struct net_end {
    struct ring *ring;
    uint16_t node, group;
    uint64_t delay;    /* destinations: core cycles added on arrival */
    uint64_t *wake;    /* destinations: lowered to the arrival; sources: to when a slot is free */
    bool wake_if_full; /* sources: only if none was */
    /* Destinations, or NULL: `expects` is told what is in its ring now and ready later.  It must change
     * nothing, but may have the host's cache fetch what it will need. */
    void (*expect)(const void *self, const struct packet *packet);
    const void *expects;
};

/* `to_memory`: the sources are SMs, the destinations memory nodes; else the other way round.
 * `place` gives each group or destination its node position for the mesh: position p is
 * row p / width, column p mod width.  Returns 0, or -1 when out of memory. */
int network_init(struct network *net, const struct gpu_config *config, bool to_memory,
                 const struct net_end *sources, const uint16_t *source_place, uint32_t n_sources,
                 const struct net_end *sinks, const uint16_t *sink_place, uint32_t n_sinks,
                 uint32_t n_places);
void network_free(struct network *net);

/* A packet enters the network, where it is counted once. */
static inline void network_count(struct network *net, const struct packet *packet, uint32_t flits)
{
    net->stats.messages[packet->type]++;
    net->stats.flits[packet->type] += flits;
    net->stats.bytes[packet->type] += packet->size_bytes;
}

/* Note the oldest message of an input: where it wants to go, and from when it may. */
void network_look_at_head(const struct network *net, struct net_router *router, uint32_t port);

/* Queues in front of the input buffers of a crossbar: 0, or -1 when out of memory; one core cycle,
 * true when a packet was taken; the next in which one may be, seen after it. */
int network_inject_init(struct network *net, uint32_t n_sources);
void network_inject_free(struct network *net);
bool network_inject(struct network *net, uint64_t now);
/* A packet of source `s` has left its buffer. */
void network_inject_left(struct network *net, uint32_t s, uint32_t flits, uint64_t now);
static inline uint64_t network_inject_next(const struct network *net)
{
    return wake_first(net->inject_at, net->n_inject);
}

/* Where packets are moved whole (network_packets.h). */
void network_packets_offer(struct network *net, uint32_t number);

/* Messages were put into the ring of source `number`, with their destinations.  Must be said
 * before the next network_step; again does no harm. */
static inline void network_offer(struct network *net, uint32_t number)
{
    const struct net_place *place = &net->source[number];
    struct net_router *router;

    if (net->packets) {
        network_packets_offer(net, number);
        return;
    }
    if (net->inject) {
        if (!(net->offered >> number & 1)) {
            net->offered |= UINT64_C(1) << number;
            net->inject_at[number] = ring_head(net->inject[number].from)->ready_at;
            cycle_advance(&net->wake, net->inject_at[number]);
        }
        return;
    }
    router = &net->router[place->router];
    if (!(router->occupied >> place->port & 1)) {
        network_look_at_head(net, router, place->port);
        cycle_advance(&net->wake, ring_head(router->port[place->port].in)->ready_at);
    }
}

/* Run the ticks of core cycle `now`; true when a message moved. */
bool network_step(struct network *net, uint64_t now);
uint32_t network_waiting(const struct network *net);

#endif
