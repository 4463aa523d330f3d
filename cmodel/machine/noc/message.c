/* message.c - the pools that exchanges live in.  See message.h. */
#include "machine/noc/message.h"

#include <stdlib.h>

enum { CHUNK_EXCHANGES = 64 };

struct exchange_chunk {
    struct exchange_chunk *next;
    struct exchange exchange[CHUNK_EXCHANGES];
};

static int grow(struct exchange_pool *pool)
{
    struct exchange_chunk *chunk = aligned_alloc(_Alignof(struct exchange_chunk), sizeof *chunk);

    if (!chunk) {
        return -1;
    }
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    for (size_t e = 0; e < CHUNK_EXCHANGES; e++) {
        chunk->exchange[e].pool = pool;
        chunk->exchange[e].next = pool->free;
        pool->free = &chunk->exchange[e];
    }
    return 0;
}

struct exchange *exchange_new(struct exchange_pool *pool)
{
    struct exchange *exchange;

    if (!pool->free && grow(pool) != 0) {
        return NULL;
    }
    exchange = pool->free;
    pool->free = exchange->next;
    pool->in_use++;
    exchange->request = (struct request){0}; /* bytes are guarded by mask or sectors */
    return exchange;
}

void exchange_release(struct exchange *exchange)
{
    struct exchange_pool *pool = exchange->pool;

    exchange->next = pool->free;
    pool->free = exchange;
    pool->in_use--;
}

void exchange_pool_free(struct exchange_pool *pool)
{
    while (pool->chunks) {
        struct exchange_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
    pool->free = NULL;
}
