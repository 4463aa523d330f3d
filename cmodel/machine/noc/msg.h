/* msg.h - messages between SMs and memory, the rings they wait in, the pools they live in.
 *
 * Works after wang2015-divergence 3.1 (memory port), aci-iacm-blpp 3.8.4 (physical
 * location in the packet).  A request turns into its own reply on the far side, so
 * every message belongs to the pool of the SM that sent it.
 * It must not know who sends or receives.
 */
#ifndef WARPLOCK_GPU_MSG_H
#define WARPLOCK_GPU_MSG_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/config/config.h"

enum msg_type {
    MSG_READ,
    MSG_WRITE,
    MSG_ATOMIC,   /* operands in the sender's mem_inst */
    MSG_COPYBACK, /* a clean line going down; no reply */
    MSG_PREFETCH, /* a read that nobody waits for */
    MSG_READ_REPLY,
    MSG_WRITE_ACK,
    MSG_ATOMIC_REPLY, /* old values are in the mem_inst */
    MSG_TYPES
};

enum { MSG_NO_MSHR = 0xffff };

struct mem_inst;
struct msg_pool;

/* What every station looks at comes first, in one line of the host's cache. */
struct msg {
    uint64_t ready_at; /* core cycle from which the next station may take it */
    uint64_t block;    /* byte address of the 128-byte block */
    uint64_t
        bytes[2]; /* mask of the bytes that `data` carries, byte b at bit b mod 64 of word b / 64 */
    uint32_t lanes; /* of an instruction's direct reply, or of an atomic */
    uint32_t pc;
    uint16_t sm, dest;    /* dest: node number in the network it travels */
    uint16_t mshr;        /* entry of the sender, or MSG_NO_MSHR */
    uint16_t set, way;    /* physical location reserved in the sender's cache */
    uint16_t size_bytes;  /* header included; flits follow from it */
    uint16_t proto_bytes; /* counted in size_bytes */
    uint8_t type;         /* enum msg_type */
    uint8_t sectors;      /* 32-byte sectors asked for or carried */
    uint8_t warp_slot;
    uint8_t no_data;       /* reply without data (a renewal) */
    bool local;            /* of local memory: coherence protocols leave it alone */
    uint64_t proto[3];     /* a coherence protocol's own fields */
    uint64_t born;         /* core cycle of its sending */
    struct mem_inst *inst; /* replies that go straight to an instruction; else NULL */
    struct msg_pool *pool; /* where it lives */
    struct msg *next;      /* in the free list */
    uint8_t data[BLOCK_BYTES];
} __attribute__((aligned(64)));

/* FIFO of messages with a fixed capacity.  Its reader may run ahead of its writer: bit i of
 * `taken` says that a place is free for the writer only from cycle `taken_from` + i. */
struct ring {
    struct msg **slot;
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

/* A message was taken in cycle `at`, and the writer is still at cycle `now` <= at < now + 64. */
static inline void ring_taken_ahead(struct ring *ring, uint64_t at, uint64_t now)
{
    uint64_t past = now - ring->taken_from;

    ring->taken = (past < 64 ? ring->taken >> past : 0) | UINT64_C(1) << (at - now);
    ring->taken_from = now;
}

static inline uint32_t ring_room(const struct ring *ring)
{
    return ring->capacity - ring->count;
}

static inline struct msg *ring_head(const struct ring *ring)
{
    return ring->slot[ring->head];
}

/* The message with so many older ones before it. */
static inline struct msg *ring_at(const struct ring *ring, uint32_t older)
{
    uint32_t at = ring->head + older;

    return ring->slot[at >= ring->capacity ? at - ring->capacity : at];
}

static inline void ring_push(struct ring *ring, struct msg *msg)
{
    uint32_t at = ring->head + ring->count++;

    ring->slot[at >= ring->capacity ? at - ring->capacity : at] = msg;
}

static inline struct msg *ring_pop(struct ring *ring)
{
    struct msg *msg = ring->slot[ring->head];

    if (++ring->head == ring->capacity) {
        ring->head = 0;
    }
    ring->count--;
    return msg;
}

struct msg_chunk;
struct msg_pool {
    struct msg *free;
    struct msg_chunk *chunks;
    uint64_t in_use;
};

/* An empty message, or NULL when out of memory. */
struct msg *msg_new(struct msg_pool *pool);
/* Back to its pool; never while the pool's SM runs on another thread. */
void msg_release(struct msg *msg);
void msg_pool_free(struct msg_pool *pool);

/* Bytes of the sectors in `sectors`, as a byte mask. */
static inline void sector_bytes(uint8_t sectors, uint64_t bytes[2])
{
    static const uint64_t pair[4] = {0, UINT64_C(0xffffffff), UINT64_C(0xffffffff00000000),
                                     UINT64_MAX};

    bytes[0] = pair[sectors & 3];
    bytes[1] = pair[(sectors >> 2) & 3];
}

/* Sectors that have a byte in the mask. */
static inline uint8_t bytes_sectors(const uint64_t bytes[2])
{
    return (uint8_t)(((uint32_t)bytes[0] != 0) | ((bytes[0] >> 32) != 0) << 1 |
                     ((uint32_t)bytes[1] != 0) << 2 | ((bytes[1] >> 32) != 0) << 3);
}

/* Copy the bytes of `mask` from one block image to another. */
void bytes_copy(uint8_t *to, const uint8_t *from, const uint64_t mask[2]);

/* Is any byte of `mask` another in the two block images? */
bool bytes_differ(const uint8_t *a, const uint8_t *b, const uint64_t mask[2]);

/* Set the message's size from what it carries: header, `payload` data bytes, protocol fields. */
static inline void msg_size(struct msg *msg, const struct gpu_config *config, uint32_t payload)
{
    msg->size_bytes = (uint16_t)(config->icnt_header_bytes + payload + msg->proto_bytes);
}

static inline uint32_t msg_flits(const struct msg *msg, const struct gpu_config *config)
{
    uint32_t flits = (msg->size_bytes + config->icnt_flit_bytes - 1) / config->icnt_flit_bytes;

    return flits ? flits : 1;
}

#endif
