/* mshr.h - miss status holding registers: blocks in flight and who waits for each.
 *
 * Works after wang2015-divergence 3.1 and A.4 (fully associative, merging, targets
 * served one per cycle).  It must not know what a target is: it keeps a pointer and a
 * lane mask for its owner.
 */
#ifndef WARPLOCK_GPU_MSHR_H
#define WARPLOCK_GPU_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/plug/sockets.h"

struct mshr_target {
    void *who;
    uint32_t lanes;
    uint8_t sectors; /* by sectors: those it needs */
};

struct mshr_entry {
    struct access_info first; /* the access that allocated it (D-BASE-7) */
    struct mshr_target *target;
    void *parts; /* of replies that come sector by sector: what has come */
    uint16_t n_targets, served;
    uint16_t kept;     /* served ones that the reply does not cover: ask again */
    uint16_t set, way; /* the reserved line, when has_line */
    uint8_t sectors;   /* asked for */
    uint8_t came;      /* by sectors: of these, those that have come */
    bool has_line;
    bool killed;   /* a store passed while in flight: do not insert (D-BASE-5) */
    bool returned; /* the data have arrived; targets are being served */
    bool parked;   /* no request is out: the protocol makes the waiters wait */
    bool no_bytes; /* a renewal came back for a line that has gone */
};

enum { MSHR_BUCKETS = 256 };

struct mshr_file {
    uint32_t n, used, max_targets;
    uint64_t live[8];              /* mask of used entries */
    uint64_t *block;               /* [n]; never twice the same among the used ones */
    uint16_t bucket[MSHR_BUCKETS]; /* index + 1 of the first entry of a hash bucket, 0 none */
    uint16_t *next;                /* [n] the same for the next one of the bucket */
    struct mshr_entry *entry;
    struct mshr_target *targets;
};

/* n <= 512.  Returns 0, or -1 when out of memory. */
int mshr_init(struct mshr_file *file, uint32_t n, uint32_t max_targets);
void mshr_free(struct mshr_file *file);

static inline uint32_t mshr_bucket(uint64_t block)
{
    uint32_t line = (uint32_t)(block / BLOCK_BYTES);

    return (line ^ line >> 8) % MSHR_BUCKETS;
}

/* The entry for `block`, or -1. */
static inline int mshr_find(const struct mshr_file *file, uint64_t block)
{
    uint32_t at = file->bucket[mshr_bucket(block)];

    while (at && file->block[at - 1] != block) {
        at = file->next[at - 1];
    }
    return (int)at - 1;
}

static inline bool mshr_full(const struct mshr_file *file)
{
    return file->used == file->n;
}

/* Take the lowest free entry; there must be one. */
uint32_t mshr_allocate(struct mshr_file *file, const struct access_info *first);
/* Add a waiter; false when the entry has no free target. */
bool mshr_merge(struct mshr_file *file, uint32_t at, void *who, uint32_t lanes);
void mshr_release(struct mshr_file *file, uint32_t at);

#endif
