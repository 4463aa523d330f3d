/* message.h - what SMs ask of memory, what they are answered, and where both are stored.
 *
 * Works after wang2015-divergence 3.1 (memory port).  A request and its reply are an exchange,
 * whose storage belongs to the pool of the SM that asks; the bytes that travel are in it
 * too, and go down with the request or up with the reply.  Nothing in an exchange points into
 * an SM: the ticket says, in numbers that only the asker understands, who waits.
 * It must not know who sends or receives.
 */
#ifndef WARPLOCK_MACHINE_MESSAGE_H
#define WARPLOCK_MACHINE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/config/config.h"
#include "machine/noc/packet.h"

enum { MSG_MAX_LANES = 32 };

enum msg_type {
    MSG_READ,
    MSG_WRITE,
    MSG_ATOMIC,
    MSG_COPYBACK, /* a clean line going down; no reply */
    MSG_PREFETCH, /* a read that nobody waits for */
    MSG_READ_REPLY,
    MSG_WRITE_ACK,
    MSG_ATOMIC_REPLY,
    MSG_TYPES
};

/* Who in the SM waits for the reply. */
enum ticket_to {
    TO_NOBODY,
    TO_WARP,        /* a store of it is performed */
    TO_INSTRUCTION, /* it takes its lanes' bytes out of the reply */
    TO_MSHR,        /* the reply fills a line, and serves whoever waits in the entry */
    TO_FETCH        /* the reply is code */
};

/* What the asker knows the reply by: travels with the request, comes back as it was. */
struct ticket {
    uint32_t lanes;  /* of an instruction: those that are served */
    uint16_t number; /* of the instruction, or of the MSHR entry */
    uint8_t to;      /* enum ticket_to */
    uint8_t warp_slot;
    bool local; /* of local memory: coherence protocols leave it alone */
};

struct request {
    struct packet packet;
    struct ticket ticket;
    uint32_t pc;
    uint8_t sectors;                     /* 32-byte sectors asked for, or carried */
    uint8_t atom, number, operand_bytes; /* of an atomic: enum isa_atom, isa_number, a lane's */
    bool returns;                        /* an atomic: its old values are wanted */
    uint16_t proto_bytes;                /* counted in packet.size_bytes */
    uint64_t bytes[2]; /* mask of the bytes it writes; of a copy back, of those it carries */
    uint64_t proto[3]; /* a coherence protocol's own fields */
};

struct reply {
    struct packet packet;
    struct ticket ticket;
    uint8_t sectors; /* 32-byte sectors carried */
    bool no_data;    /* of a read: the asker's copy is good (a renewal) */
    uint16_t proto_bytes;
    uint64_t proto[3]; /* those of the request, unless the protocol has changed them */
};

/* The lanes of an atomic, those of ticket.lanes in ascending order. */
struct atomic_lanes {
    uint8_t offset[MSG_MAX_LANES]; /* in the block */
    struct {
        uint8_t value[8]; /* down: the operand; up: the old value */
        uint8_t swap[8];  /* of a compare-and-swap: what to store */
    } lane[MSG_MAX_LANES];
};

struct exchange_pool;

/* By lines of the host's cache: the list and what every station reads of the request, the rest of
 * it, the reply, the bytes. */
struct exchange {
    struct exchange *next;      /* in a list of its owner */
    struct exchange_pool *pool; /* where it lives */
    struct request request;
    struct atomic_lanes *atomic; /* of an atomic (exchange_lanes) */
    struct reply reply __attribute__((aligned(64)));
    uint8_t data[BLOCK_BYTES]
        __attribute__((aligned(64))); /* a block, as far as mask or sectors say */
} __attribute__((aligned(64)));

/* Has it no reply?  A copy back; where L2 banks work by sectors, dirty bytes that nobody waits for,
 * too. */
static inline bool request_is_silent(const struct gpu_config *config, const struct request *request)
{
    return request->packet.type == MSG_COPYBACK ||
           (config->l2_sectors && request->packet.type == MSG_WRITE &&
            request->ticket.to == TO_NOBODY);
}

static inline struct exchange *exchange_of_request(struct packet *packet)
{
    return (struct exchange *)(void *)((uint8_t *)packet - offsetof(struct exchange, request));
}

static inline struct exchange *exchange_of_reply(struct packet *packet)
{
    return (struct exchange *)(void *)((uint8_t *)packet - offsetof(struct exchange, reply));
}

/* The bytes that come with a read's reply. */
static inline const uint8_t *reply_data(const struct reply *reply)
{
    return (const uint8_t *)reply - offsetof(struct exchange, reply) +
           offsetof(struct exchange, data);
}

/* Bytes of a message: header, `payload` data bytes, protocol fields. */
static inline uint16_t msg_size_bytes(const struct gpu_config *config, uint32_t payload,
                                      uint32_t proto_bytes)
{
    return (uint16_t)(config->icnt_header_bytes + payload + proto_bytes);
}

struct exchange_chunk;
struct exchange_pool {
    struct exchange *free;
    struct exchange_chunk *chunks;
    uint64_t in_use;
};

/* One with an empty request.  Ends the program when out of memory. */
struct exchange *exchange_new(struct exchange_pool *pool);
/* Its lanes, whatever they held before.  Ends the program when out of memory. */
struct atomic_lanes *exchange_lanes(struct exchange *exchange);
/* Back to its pool; never while the pool's SM runs on another thread. */
void exchange_release(struct exchange *exchange);
void exchange_pool_free(struct exchange_pool *pool);

#endif
