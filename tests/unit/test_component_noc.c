/* A network by itself: packets in, packets out.
 *
 * A packet of f flits that is ready in cycle t, and finds its way free, arrives at
 * t + f - 1 + icnt.latency; each router of a mesh takes that long.  A link moves one flit a
 * cycle.  Inputs that want one output have it in turn.  Packets of one source and one
 * destination keep their order, also when each is delayed at random.
 *
 * Of whole packets every destination takes one a cycle, whatever its flits, in order of their
 * numbers; a source is served by several in one cycle as far as its successive heads are for
 * destinations whose turn is still to come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine/noc/network.h"

enum { SOURCES = 4, SINKS = 3, RING = 8, PACKETS = 600, LATENCY = 4 };

struct bench {
    struct gpu_config config;
    struct network net;
    struct ring in[SOURCES], out[SINKS];
    uint64_t wake[SINKS];
    struct packet packet[PACKETS];
    uint32_t sent;
};

static void make_switch(struct bench *b, uint32_t topology, uint32_t way)
{
    struct net_end source[SOURCES] = {0}, sink[SINKS] = {0};
    uint16_t source_place[SOURCES], sink_place[SINKS];

    *b = (struct bench){0};
    config_defaults(&b->config);
    b->config.clock_icnt_khz = b->config.clock_core_khz;
    b->config.icnt_latency = LATENCY;
    b->config.icnt_topology = topology;
    b->config.icnt_switch = way;
    b->config.icnt_mesh_width = 4;
    for (uint16_t s = 0; s < SOURCES; s++) {
        assert_int_equal(ring_init(&b->in[s], PACKETS), 0);
        source[s] = (struct net_end){.ring = &b->in[s], .node = s, .group = s};
        source_place[s] = s; /* the first row of the mesh */
    }
    for (uint16_t s = 0; s < SINKS; s++) {
        assert_int_equal(ring_init(&b->out[s], RING), 0);
        sink[s] = (struct net_end){.ring = &b->out[s], .node = s, .wake = &b->wake[s]};
        sink_place[s] = (uint16_t)(SOURCES + s); /* the second */
    }
    assert_int_equal(network_init(&b->net, &b->config, true, source, source_place, SOURCES, sink,
                                  sink_place, SINKS, SOURCES + SINKS),
                     0);
}

static void make(struct bench *b, uint32_t topology)
{
    make_switch(b, topology, SWITCH_FLITS);
}

static void unmake(struct bench *b)
{
    network_free(&b->net);
    for (uint32_t s = 0; s < SOURCES; s++) {
        ring_free(&b->in[s]);
    }
    for (uint32_t s = 0; s < SINKS; s++) {
        ring_free(&b->out[s]);
    }
}

/* A packet of so many bytes, ready in that cycle; its `block` is its number. */
static struct packet *send(struct bench *b, uint16_t source, uint16_t dest, uint16_t bytes,
                           uint64_t ready)
{
    struct packet *packet = &b->packet[b->sent];

    *packet = (struct packet){
        .ready_at = ready, .block = b->sent++, .source = source, .dest = dest, .size_bytes = bytes};
    ring_push(&b->in[source], packet);
    network_offer(&b->net, source);
    return packet;
}

/* Run until the destination holds a packet; it is taken. */
static struct packet *receive(struct bench *b, uint32_t sink, uint64_t *now)
{
    for (uint64_t end = *now + 1000; *now < end; ++*now) {
        if (b->out[sink].count) {
            return ring_pop(&b->out[sink]);
        }
        network_step(&b->net, *now);
    }
    fail_msg("no packet came");
    return NULL;
}

static void latency(void **state)
{
    static const struct {
        uint16_t bytes;
        uint32_t flits;
    } cases[] = {{8, 1}, {32, 1}, {33, 2}, {136, 5}};
    (void)state;
    for (uint32_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct bench b;
        uint64_t now = 0;

        make(&b, TOPOLOGY_CROSSBAR);
        send(&b, 1, 2, cases[c].bytes, 10);
        assert_int_equal(b.net.wake, 10);
        assert_int_equal(receive(&b, 2, &now)->ready_at, 10 + cases[c].flits - 1 + LATENCY);
        unmake(&b);
    }
}

/* From node 0 to node 6 of a mesh four wide: two columns and a row away, so four routers. */
static void latency_of_mesh(void **state)
{
    struct bench b;
    uint64_t now = 0;

    (void)state;
    make(&b, TOPOLOGY_MESH);
    send(&b, 0, 2, 64, 10);
    assert_int_equal(receive(&b, 2, &now)->ready_at, 10 + 4 * (2 - 1 + LATENCY));
    unmake(&b);
}

/* One link moves a flit a cycle: the n-th packet of f flits is there f cycles after the one
 * before it. */
static void bandwidth(void **state)
{
    struct bench b;
    uint64_t now = 0, first;

    (void)state;
    make(&b, TOPOLOGY_CROSSBAR);
    for (uint32_t n = 0; n < 50; n++) {
        send(&b, 0, 1, 136, 0);
    }
    first = receive(&b, 1, &now)->ready_at;
    for (uint64_t n = 1; n < 50; n++) {
        struct packet *packet = receive(&b, 1, &now);

        assert_int_equal(packet->block, n);
        assert_int_equal(packet->ready_at, first + 5 * n);
    }
    assert_int_equal(b.net.stats.messages[0], 0); /* counted for sources that sleep on a port */
    unmake(&b);
}

/* All sources want one destination: they have it in turn, and it never rests. */
static void round_robin(void **state)
{
    struct bench b;
    uint64_t now = 0;
    const struct packet *last;

    (void)state;
    make(&b, TOPOLOGY_CROSSBAR);
    for (uint32_t n = 0; n < 40; n++) {
        for (uint16_t s = 0; s < SOURCES; s++) {
            send(&b, s, 0, (uint16_t)(s % 2 ? 8 : 100), 0);
        }
    }
    last = receive(&b, 0, &now);
    for (uint32_t n = 1; n < 40 * SOURCES; n++) {
        const struct packet *packet = receive(&b, 0, &now);

        assert_int_equal(packet->source, (last->source + 1) % SOURCES);
        assert_int_equal(packet->ready_at, last->ready_at + packet_flits(packet, &b.config));
        last = packet;
    }
    unmake(&b);
}

/* ---- a crossbar in a few lines, by the words of network.h ---- */

struct crossbar {
    uint32_t head[SOURCES]; /* packets that left each source */
    uint64_t in_busy[SOURCES], out_busy[SINKS];
    uint32_t last[SINKS];      /* source served last */
    uint64_t arrives[PACKETS]; /* by number; 0: not yet on its way */
};

/* The packet at the head of a source's queue; NULL when all have left. */
static const struct packet *head_of(const struct bench *b, const struct crossbar *x,
                                    uint16_t source)
{
    uint32_t nth = 0;

    for (uint32_t n = 0; n < b->sent; n++) {
        if (b->packet[n].source == source && nth++ == x->head[source]) {
            return &b->packet[n];
        }
    }
    return NULL;
}

/* The first source behind the one served last that has a packet for the output and may send. */
static const struct packet *next_for(const struct bench *b, const struct crossbar *x,
                                     const uint64_t *ready, uint32_t to, uint64_t now)
{
    for (uint32_t turn = 1; turn <= SOURCES; turn++) {
        const uint16_t from = (uint16_t)((x->last[to] + turn) % SOURCES);
        const struct packet *head = head_of(b, x, from);

        if (head && head->dest == to && ready[head->block] <= now && x->in_busy[from] <= now) {
            return head;
        }
    }
    return NULL;
}

static void crossbar_step(const struct bench *b, struct crossbar *x, const uint64_t *ready,
                          uint64_t now)
{
    for (uint32_t to = 0; to < SINKS; to++) {
        const struct packet *packet = x->out_busy[to] > now ? NULL : next_for(b, x, ready, to, now);
        if (packet) {
            const uint32_t flits = (packet->size_bytes + 31u) / 32;

            x->head[packet->source]++;
            x->in_busy[packet->source] = x->out_busy[to] = now + flits;
            x->last[to] = packet->source;
            x->arrives[packet->block] = now + flits - 1 + LATENCY;
        }
    }
}

/* Sources with more and with less to send, at any time: each output serves them in turn, from the
 * one behind the last served on, and every packet arrives in the cycle that follows from it. */
static void turns(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct crossbar x = {0};
        uint64_t ready[PACKETS];
        uint32_t received = 0;
        struct bench b;

        make(&b, TOPOLOGY_CROSSBAR);
        srand(seed);
        for (uint64_t now = 0; received < PACKETS / 2; now++) {
            for (uint16_t s = 0; s < SOURCES && b.sent < PACKETS / 2; s++) {
                if (rand() % (4 * SOURCES) < (int)(seed % 5 + s)) {
                    ready[b.sent] = now;
                    send(&b, s, (uint16_t)(rand() % (seed % 2 ? SINKS : 2)),
                         (uint16_t)(1 + rand() % 200), now);
                }
            }
            crossbar_step(&b, &x, ready, now);
            network_step(&b.net, now);
            for (uint32_t s = 0; s < SINKS; s++) {
                while (b.out[s].count) { /* taken at once: never full */
                    const struct packet *packet = ring_pop(&b.out[s]);

                    assert_int_equal(packet->ready_at, x.arrives[packet->block]);
                    received++;
                }
            }
        }
        unmake(&b);
    }
}

/* Everything arrives once, in order between each two nodes, though the destinations are slow. */
static void check_order(uint32_t topology, uint32_t jitter)
{
    uint64_t seen[SOURCES][SINKS] = {{0}};
    struct bench b;
    uint32_t received = 0;

    make(&b, topology);
    b.config.icnt_jitter = jitter;
    srand(7);
    for (uint32_t n = 0; n < PACKETS; n++) {
        send(&b, (uint16_t)(rand() % SOURCES), (uint16_t)(rand() % SINKS),
             (uint16_t)(1 + rand() % 200), 0);
    }
    for (uint64_t now = 0; now < 100000 && received < PACKETS; now++) {
        network_step(&b.net, now);
        for (uint32_t s = 0; s < SINKS; s++) {
            struct packet *packet;

            assert_true(b.out[s].count <= RING);
            if (now % 3 || !b.out[s].count || ring_head(&b.out[s])->ready_at > now) {
                continue;
            }
            packet = ring_pop(&b.out[s]);
            assert_int_equal(packet->dest, s);
            assert_true(packet->block + 1 > seen[packet->source][s]);
            seen[packet->source][s] = packet->block + 1;
            received++;
        }
    }
    assert_int_equal(received, PACKETS);
    assert_int_equal(network_waiting(&b.net), 0);
    unmake(&b);
}

static void order(void **state)
{
    (void)state;
    check_order(TOPOLOGY_CROSSBAR, 0);
    check_order(TOPOLOGY_MESH, 0);
    check_order(TOPOLOGY_CROSSBAR, 50);
    check_order(TOPOLOGY_MESH, 50);
}

/* Five flits take no longer than one. */
static void whole_packets(void **state)
{
    struct bench b;

    (void)state;
    make_switch(&b, TOPOLOGY_CROSSBAR, SWITCH_PACKETS);
    send(&b, 1, 2, 136, 10);
    assert_int_equal(b.net.wake, 10);
    network_step(&b.net, 10);
    assert_int_equal(b.out[2].count, 1);
    assert_int_equal(ring_head(&b.out[2])->ready_at, 10 + LATENCY);
    unmake(&b);
}

/* One packet a cycle from the sender, one a cycle to the destination, sources in turn. */
static void packets_in_turn(void **state)
{
    static const uint16_t order[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    struct bench b;

    (void)state;
    make_switch(&b, TOPOLOGY_CROSSBAR, SWITCH_PACKETS);
    for (uint16_t n = 0; n < 3; n++) {
        for (uint16_t s = 0; s < 3; s++) {
            send(&b, s, 1, 40, 0);
        }
    }
    for (uint32_t n = 0; n < 9; n++) {
        assert_int_equal(network_waiting(&b.net), 9 - n);
        network_step(&b.net, n);
        assert_int_equal(b.out[1].count, 1);
        assert_int_equal(ring_pop(&b.out[1])->source, order[n]);
    }
    unmake(&b);
}

/* Packets of one source that wait behind a full destination: heads for 0, 1, 2 go in one cycle, for
 * 1, 0 in two. */
static void successive_heads(void **state)
{
    static const uint16_t to[] = {2, 0, 1, 2, 1, 0};
    struct bench b;

    (void)state;
    make_switch(&b, TOPOLOGY_CROSSBAR, SWITCH_PACKETS);
    for (uint32_t n = 0; n < RING; n++) { /* fill destination 2 */
        ring_push(&b.out[2], &b.packet[PACKETS - 1 - n]);
    }
    for (uint32_t n = 0; n < 6; n++) {
        send(&b, 0, to[n], 40, 0);
    }
    for (uint64_t now = 0; now < 6; now++) {
        network_step(&b.net, now);
        assert_int_equal(b.out[0].count + b.out[1].count, 0);
    }
    ring_pop(&b.out[2]);
    network_step(&b.net, 6); /* 2 is the last in turn */
    assert_int_equal(b.out[0].count + b.out[1].count, 0);
    ring_pop(&b.out[2]);
    network_step(&b.net, 7); /* 0, 1, 2 */
    assert_int_equal(b.out[0].count, 1);
    assert_int_equal(b.out[1].count, 1);
    assert_int_equal(b.out[2].count, RING);
    network_step(&b.net, 8); /* 1 */
    assert_int_equal(b.out[0].count, 1);
    assert_int_equal(b.out[1].count, 2);
    network_step(&b.net, 9);
    assert_int_equal(b.out[0].count, 2);
    unmake(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency),
        cmocka_unit_test(latency_of_mesh),
        cmocka_unit_test(bandwidth),
        cmocka_unit_test(round_robin),
        cmocka_unit_test(turns),
        cmocka_unit_test(order),
        cmocka_unit_test(whole_packets),
        cmocka_unit_test(packets_in_turn),
        cmocka_unit_test(successive_heads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
