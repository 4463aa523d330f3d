/* coherence_history.h - what one L2 bank did to each block: every version it held, as a hash
 * of the bytes with its logical time, and the leases it granted.  Kept by the protocol
 * checker, from replies alone.  Written while banks run, read while SMs run. */
#ifndef WARPLOCK_MECHANISMS_COHERENCE_HISTORY_H
#define WARPLOCK_MECHANISMS_COHERENCE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

/* Logical time: an epoch and a timestamp, in this order. */
static inline uint64_t history_time(uint64_t epoch, uint64_t ts)
{
    return epoch << 32 | ts;
}

struct history_version {
    uint64_t time; /* history_time of its store; 0: what was there before */
    uint64_t hash;
};

struct history_block {
    uint64_t block;
    uint64_t lease;                  /* physical: last cycle of any lease granted */
    uint64_t wts, rts;               /* logical: times of the last reply */
    struct history_version *version; /* in the order of the stores */
    uint32_t n, room;
};

struct history;
/* NULL when out of memory. */
struct history *history_new(void);
void history_free(struct history *history);
/* A kernel starts: no copies anywhere, other contents. */
void history_clear(struct history *history);

/* The record of a block, NULL when the bank has not answered for it yet. */
const struct history_block *history_find(const struct history *history, uint64_t block);
/* The same, made when it is not there; NULL when out of memory. */
struct history_block *history_of(struct history *history, uint64_t block);
/* One more version; false when out of memory. */
bool history_add(struct history_block *of, uint64_t time, uint64_t hash);

/* The hash that a read at `time` must find; the newest for UINT64_MAX. */
uint64_t history_at(const struct history_block *of, uint64_t time);
bool history_has(const struct history_block *of, uint64_t hash);
/* Of the 128 bytes of a block. */
uint64_t history_hash(const uint8_t *bytes);

#endif
