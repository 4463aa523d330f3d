/* message.c - the pools that exchanges live in.  See message.h. */
#include "machine/noc/message.h"

#include <stdlib.h>

enum { CHUNK_EXCHANGES = 64 };

struct exchange_chunk {
    struct exchange_chunk *next;
    struct exchange exchange[CHUNK_EXCHANGES];
};

static void grow(struct exchange_pool *pool)
{
    struct exchange_chunk *chunk = aligned_alloc(_Alignof(struct exchange_chunk), sizeof *chunk);

    if (!chunk) {
        abort(); /* some kilobytes: nothing else would work either */
    }
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    for (size_t e = 0; e < CHUNK_EXCHANGES; e++) {
        chunk->exchange[e].pool = pool;
        chunk->exchange[e].atomic = NULL;
        chunk->exchange[e].next = pool->free;
        pool->free = &chunk->exchange[e];
    }
}

struct exchange *exchange_new(struct exchange_pool *pool)
{
    struct exchange *exchange;

    if (!pool->free) {
        grow(pool);
    }
    exchange = pool->free;
    pool->free = exchange->next;
    __builtin_prefetch(pool->free, 1); /* it has been away for long */
    pool->in_use++;
    exchange->request = (struct request){0}; /* bytes are guarded by mask or sectors */
    return exchange;
}

struct atomic_lanes *exchange_lanes(struct exchange *exchange)
{
    if (!exchange->atomic) { /* kept for the next atomic here: others do not carry them along */
        exchange->atomic = malloc(sizeof *exchange->atomic);
        if (!exchange->atomic) {
            abort();
        }
    }
    return exchange->atomic;
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

        for (size_t e = 0; e < CHUNK_EXCHANGES; e++) {
            free(pool->chunks->exchange[e].atomic);
        }
        free(pool->chunks);
        pool->chunks = next;
    }
    pool->free = NULL;
}
