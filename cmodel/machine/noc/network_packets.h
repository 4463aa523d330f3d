/* network_packets.h - a crossbar that moves whole packets (icnt.switch = packets).
 *
 * A sender hands one packet a core cycle over to its queue.  In a tick every destination, in order of
 * number, takes the head of one queue, in turn from the source after the one that it served last; a
 * source can serve several of them in a tick, with one head after the other.  What a destination has
 * taken is there a tick later.  Flits are counted, and play no part.
 * It must not know what packets mean.
 */
#ifndef WARPLOCK_MACHINE_NETWORK_PACKETS_H
#define WARPLOCK_MACHINE_NETWORK_PACKETS_H

#include "base/set.h"
#include "machine/noc/network.h"

struct net_packets {
    uint32_t n_sources, n_sinks;
    struct set offered; /* sources whose senders have packets for them */
    struct set wanted;  /* destinations that a head is for */
    struct packet_source {
        struct ring *from, queue; /* the sender's ring; what is in the queue */
        uint64_t *wake;           /* of the sender, or NULL */
        bool wake_if_full;        /* it waits for its ring only when that is full */
    } *source;
    struct packet_sink {
        struct ring *ring;
        uint64_t delay; /* core cycles added on arrival */
        uint64_t *wake; /* or NULL */
        void (*expect)(const void *self, const struct packet *packet); /* struct net_end, or NULL */
        const void *expects;
        uint32_t last; /* the source served last */
        struct set heads;
    } *sink;
    uint8_t sink_of[NET_MAX_NODES];
};

/* NULL when out of memory. */
struct net_packets *network_packets_new(const struct gpu_config *config,
                                        const struct net_end *sources, uint32_t n_sources,
                                        const struct net_end *sinks, uint32_t n_sinks);
void network_packets_free(struct net_packets *packets);
/* As network_step, network_waiting. */
bool network_packets_step(struct network *net, uint64_t now);
uint32_t network_packets_waiting(const struct net_packets *packets);

#endif
