/* network_packets.c - see network_packets.h. */
#include "machine/noc/network_packets.h"

#include <stdlib.h>

static struct net_packets *new_packets(uint32_t n_sources, uint32_t n_sinks)
{
    struct net_packets *packets = calloc(1, sizeof *packets);

    if (!packets) {
        return NULL;
    }
    packets->source = calloc(n_sources, sizeof *packets->source);
    packets->sink = calloc(n_sinks, sizeof *packets->sink);
    if (!packets->source || !packets->sink) {
        network_packets_free(packets);
        return NULL;
    }
    packets->n_sinks = n_sinks;
    return packets;
}

struct net_packets *network_packets_new(const struct gpu_config *config,
                                        const struct net_end *sources, uint32_t n_sources,
                                        const struct net_end *sinks, uint32_t n_sinks)
{
    struct net_packets *packets = new_packets(n_sources, n_sinks);

    for (uint32_t s = 0; packets && s < n_sources; s++) {
        struct packet_source *source = &packets->source[s];

        if (ring_init(&source->queue, config->icnt_packet_queue) != 0) {
            network_packets_free(packets);
            return NULL;
        }
        packets->n_sources++;
        source->from = sources[s].ring;
        source->wake = sources[s].wake;
        source->wake_if_full = sources[s].wake_if_full;
    }
    for (uint32_t s = 0; packets && s < n_sinks; s++) {
        packets->sink[s] = (struct packet_sink){.ring = sinks[s].ring,
                                                .delay = sinks[s].delay,
                                                .wake = sinks[s].wake,
                                                .expect = sinks[s].expect,
                                                .expects = sinks[s].expects,
                                                .last = n_sources - 1};
        packets->sink_of[sinks[s].node] = (uint8_t)s;
    }
    return packets;
}

void network_packets_free(struct net_packets *packets)
{
    if (packets) {
        for (uint32_t s = 0; s < packets->n_sources; s++) {
            ring_free(&packets->source[s].queue);
        }
        free(packets->source);
        free(packets->sink);
    }
    free(packets);
}

void network_packets_offer(struct network *net, uint32_t number)
{
    set_add(&net->packets->offered, number);
    cycle_advance(&net->wake, ring_head(net->packets->source[number].from)->ready_at);
}

/* The head of a queue, if there is one, says which destination it is for. */
static void show_head(struct net_packets *packets, uint32_t s)
{
    const struct ring *queue = &packets->source[s].queue;

    if (queue->count) {
        const uint32_t to = packets->sink_of[ring_head(queue)->dest];

        set_add(&packets->sink[to].heads, s);
        set_add(&packets->wanted, to);
    }
}

/* ---- into the queues ---- */

static bool take(struct network *net, uint32_t s, uint64_t now)
{
    struct packet_source *source = &net->packets->source[s];
    const bool wakes = source->wake && (!source->wake_if_full || ring_full(source->from));
    struct packet *packet;

    if (ring_head(source->from)->ready_at > now || ring_full(&source->queue)) {
        return false;
    }
    packet = ring_pop(source->from);
    if (!source->from->count) {
        set_remove(&net->packets->offered, s);
    }
    network_count(net, packet, packet_flits(packet, net->config));
    if (wakes) {
        cycle_advance(source->wake, now + 1);
    }
    ring_push(&source->queue, packet);
    if (source->queue.count == 1) {
        show_head(net->packets, s);
    }
    return true;
}

/* ---- through the crossbar ---- */

static bool serve(struct network *net, uint32_t to, uint64_t tick, uint64_t now)
{
    struct net_packets *packets = net->packets;
    struct packet_sink *sink = &packets->sink[to];
    struct packet *packet;
    int from;

    if (ring_full_at(sink->ring, now)) {
        return false;
    }
    from = set_from(&sink->heads, sink->last + 1);
    from = from >= 0 ? from : set_from(&sink->heads, 0);
    packet = ring_pop(&packets->source[from].queue);
    sink->last = (uint32_t)from;
    set_remove(&sink->heads, (uint32_t)from);
    if (!set_any(&sink->heads)) {
        set_remove(&packets->wanted, to);
    }
    show_head(packets, (uint32_t)from);
    packet->ready_at = clock_core(&net->clock, tick + net->config->icnt_latency) + sink->delay;
    ring_push(sink->ring, packet);
    if (sink->expect) {
        sink->expect(sink->expects, packet);
    }
    if (sink->wake) {
        cycle_advance(sink->wake, packet->ready_at);
    }
    return true;
}

/* A destination whose turn is still to come may be wanted by the next head of a source. */
static bool serve_all(struct network *net, uint64_t tick, uint64_t now)
{
    const struct set *wanted = &net->packets->wanted;
    bool moved = false;

    for (int to = set_from(wanted, 0); to >= 0; to = set_from(wanted, (uint32_t)to + 1)) {
        moved |= serve(net, (uint32_t)to, tick, now);
    }
    return moved;
}

/* ---- one core cycle ---- */

static uint64_t next_wake(const struct net_packets *packets, uint64_t now)
{
    const struct set *offered = &packets->offered;
    uint64_t next = CYCLE_NEVER;

    if (set_any(&packets->wanted)) {
        return now + 1;
    }
    for (int s = set_from(offered, 0); s >= 0; s = set_from(offered, (uint32_t)s + 1)) {
        cycle_advance(&next, ring_head(packets->source[s].from)->ready_at);
    }
    return next == CYCLE_NEVER ? next : cycle_later(next, now + 1);
}

bool network_packets_step(struct network *net, uint64_t now)
{
    const struct set *offered = &net->packets->offered;
    const uint64_t end = clock_ticks(&net->clock, now + 1);
    bool moved = false;

    for (int s = set_from(offered, 0); s >= 0; s = set_from(offered, (uint32_t)s + 1)) {
        moved |= take(net, (uint32_t)s, now);
    }
    for (uint64_t tick = clock_ticks(&net->clock, now); tick < end; tick++) {
        moved |= serve_all(net, tick, now);
    }
    net->wake = next_wake(net->packets, now);
    return moved;
}

uint32_t network_packets_waiting(const struct net_packets *packets)
{
    uint32_t waiting = 0;

    for (uint32_t s = 0; s < packets->n_sources; s++) {
        waiting += packets->source[s].from->count + packets->source[s].queue.count;
    }
    return waiting;
}
