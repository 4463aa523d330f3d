/* packet.h - what a network moves, and the rings it waits in.
 *
 * A message of any kind begins with its packet.  It must not know what messages mean.
 */
#ifndef WARPLOCK_MACHINE_PACKET_H
#define WARPLOCK_MACHINE_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/config/config.h"

struct packet {
    uint64_t ready_at;     /* core cycle from which the next station may take it */
    uint64_t block;        /* byte address of the 128-byte block it is about */
    uint16_t source, dest; /* node numbers in the network it travels */
    uint16_t size_bytes;   /* header included; flits follow from it */
    uint8_t type;          /* below NET_PACKET_TYPES (stats.h): what it is counted as */
    uint8_t flits;         /* while an injection queue or what is behind it has it */
};

static inline uint32_t packet_flits(const struct packet *packet, const struct gpu_config *config)
{
    uint32_t flits = (packet->size_bytes + config->icnt_flit_bytes - 1) / config->icnt_flit_bytes;

    return flits ? flits : 1;
}

/* FIFO of packets with a fixed capacity.  Its reader may run ahead of its writer: bit i of
 * `taken` says that a place is free for the writer only from cycle `taken_from` + i. */
struct ring {
    struct packet **slot;
    uint32_t head, count, capacity;
    uint64_t taken, taken_from;
};

/* Returns 0, or -1 when out of memory. */
int ring_init(struct ring *ring, uint32_t capacity);
void ring_free(struct ring *ring);

static inline bool ring_full(const struct ring *ring)
{
    return ring->count == ring->capacity;
}

/* Is it full for a writer in cycle `now`? */
static inline bool ring_full_at(const struct ring *ring, uint64_t now)
{
    uint64_t past = now + 1 - ring->taken_from;

    if (!ring->taken || past >= 64) {
        return ring_full(ring);
    }
    return ring->count + (uint32_t)__builtin_popcountll(ring->taken >> past) >= ring->capacity;
}

/* A packet was taken in cycle `at`, and the writer is still at cycle `now` <= at < now + 64. */
static inline void ring_taken_ahead(struct ring *ring, uint64_t at, uint64_t now)
{
    uint64_t past = now - ring->taken_from;

    ring->taken = (past < 64 ? ring->taken >> past : 0) | UINT64_C(1) << (at - now);
    ring->taken_from = now;
}

static inline struct packet *ring_head(const struct ring *ring)
{
    return ring->slot[ring->head];
}

/* The packet with so many older ones before it. */
static inline struct packet *ring_at(const struct ring *ring, uint32_t older)
{
    uint32_t at = ring->head + older;

    return ring->slot[at >= ring->capacity ? at - ring->capacity : at];
}

static inline void ring_push(struct ring *ring, struct packet *packet)
{
    uint32_t at = ring->head + ring->count++;

    ring->slot[at >= ring->capacity ? at - ring->capacity : at] = packet;
}

static inline struct packet *ring_pop(struct ring *ring)
{
    struct packet *packet = ring->slot[ring->head];

    if (++ring->head == ring->capacity) {
        ring->head = 0;
    }
    ring->count--;
    return packet;
}

#endif
