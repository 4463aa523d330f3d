/* coherence_history.c - see coherence_history.h.  A tree of blocks (tsearch). */
#include "mechanisms/coherence/coherence_history.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "machine/config/config.h"

struct history {
    void *blocks;
};

static int by_block(const void *a, const void *b)
{
    const struct history_block *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

static void free_block(void *block)
{
    free(((struct history_block *)block)->version);
    free(block);
}

struct history *history_new(void)
{
    return calloc(1, sizeof(struct history));
}

void history_clear(struct history *history)
{
    tdestroy(history->blocks, free_block);
    history->blocks = NULL;
}

void history_free(struct history *history)
{
    if (history != NULL) {
        history_clear(history);
    }
    free(history);
}

const struct history_block *history_find(const struct history *history, uint64_t block)
{
    const struct history_block key = {.block = block};
    struct history_block **found = tfind(&key, &history->blocks, by_block);
    return found != NULL ? *found : NULL;
}

struct history_block *history_of(struct history *history, uint64_t block)
{
    struct history_block *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        return NULL;
    }
    fresh->block = block;
    struct history_block **at = tsearch(fresh, &history->blocks, by_block);
    if (at == NULL || *at != fresh) {
        free(fresh);
    }
    return at != NULL ? *at : NULL;
}

bool history_add(struct history_block *of, uint64_t time, uint64_t hash)
{
    if (of->n == of->room) {
        const uint32_t room = of->room > 0 ? 2 * of->room : 4;
        struct history_version *more = realloc(of->version, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        of->version = more;
        of->room = room;
    }
    of->version[of->n++] = (struct history_version){time, hash};
    return true;
}

uint64_t history_at(const struct history_block *of, uint64_t time)
{
    uint32_t at = of->n - 1;
    while (at > 0 && of->version[at].time > time) {
        at--;
    }
    return of->version[at].hash;
}

bool history_has(const struct history_block *of, uint64_t hash)
{
    for (uint32_t at = of->n; at-- > 0;) {
        if (of->version[at].hash == hash) {
            return true;
        }
    }
    return false;
}

uint64_t history_hash(const uint8_t *bytes)
{
    uint64_t hash = 0;
    for (uint32_t at = 0; at < BLOCK_BYTES; at += sizeof hash) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}
