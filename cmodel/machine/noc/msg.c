/* msg.c - see msg.h. */
#include "machine/noc/msg.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MESSAGES = 64 };

struct msg_chunk {
    struct msg_chunk *next;
    struct msg msg[CHUNK_MESSAGES];
};

int ring_init(struct ring *ring, uint32_t capacity)
{
    *ring = (struct ring){.slot = calloc(capacity, sizeof(struct msg *)), .capacity = capacity};
    return ring->slot ? 0 : -1;
}

void ring_free(struct ring *ring)
{
    free(ring->slot);
    ring->slot = NULL;
}

static int grow(struct msg_pool *pool)
{
    struct msg_chunk *chunk = aligned_alloc(_Alignof(struct msg_chunk), sizeof *chunk);

    if (!chunk) {
        return -1;
    }
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    for (size_t m = 0; m < CHUNK_MESSAGES; m++) {
        chunk->msg[m].next = pool->free;
        pool->free = &chunk->msg[m];
    }
    return 0;
}

struct msg *msg_new(struct msg_pool *pool)
{
    struct msg *msg;

    if (!pool->free && grow(pool) != 0) {
        return NULL;
    }
    msg = pool->free;
    pool->free = msg->next;
    pool->in_use++;
    memset(msg, 0, offsetof(struct msg, data)); /* data is guarded by the byte mask */
    msg->pool = pool;
    msg->mshr = MSG_NO_MSHR;
    return msg;
}

void msg_release(struct msg *msg)
{
    struct msg_pool *pool = msg->pool;

    msg->next = pool->free;
    pool->free = msg;
    pool->in_use--;
}

void msg_pool_free(struct msg_pool *pool)
{
    while (pool->chunks) {
        struct msg_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
    pool->free = NULL;
}

void bytes_copy(uint8_t *to, const uint8_t *from, const uint64_t mask[2])
{
    for (unsigned word = 0; word < 2; word++, to += 64, from += 64) {
        if (mask[word] == UINT64_MAX) {
            memcpy(to, from, 64);
            continue;
        }
        for (uint64_t left = mask[word]; left;) {
            unsigned first = (unsigned)__builtin_ctzll(left);
            uint64_t run = ~(left >> first);
            unsigned length = run ? (unsigned)__builtin_ctzll(run) : 64 - first;

            memcpy(to + first, from + first, length);
            left &= first + length >= 64 ? 0 : UINT64_MAX << (first + length);
        }
    }
}

bool bytes_differ(const uint8_t *a, const uint8_t *b, const uint64_t mask[2])
{
    for (unsigned at = 0; at < BLOCK_BYTES; at++) {
        if ((mask[at / 64] >> (at % 64) & 1) && a[at] != b[at]) {
            return true;
        }
    }
    return false;
}
