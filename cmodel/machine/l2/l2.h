/* l2.h - one L2 bank: tags, bytes, MSHRs, atomics, the queue to DRAM.
 *
 * Works after wang2015-divergence 2.1, aci-iacm-blpp 2.5 and 3.8 (write-back, write
 * allocate, physical locations), tabbakh2018-coherence 2.1 (RESERVED until DRAM
 * answers) and lakshminarayana2014-graph 2.1 (write-evict variant).  A request gets
 * its reply here.  It must not know SMs, the network or DRAM timing.
 */
#ifndef WARPLOCK_GPU_L2_H
#define WARPLOCK_GPU_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "machine/cache/cache.h"
#include "machine/cache/mshr.h"
#include "machine/cache/values.h"
#include "machine/config/address_map.h"
#include "machine/memory/dram_queue.h"
#include "machine/memory/memory.h"
#include "machine/noc/message.h"
#include "machine/plug/sockets.h"
#include "machine/stats/stats.h"

struct l2_sectors;

struct l2_fill {
    uint64_t at; /* core cycle */
    uint16_t mshr;
    uint8_t sectors;
};

/* All that a stalled request can be waiting for. */
struct l2_situation {
    uint64_t replies, fills, flushes;
    uint32_t out, miss, mshrs;
};

/* What has come of a block that takes no line. */
struct l2_loose {
    struct cache_line line;
    uint8_t data[BLOCK_BYTES];
};

/* What every tick looks at comes first. */
struct l2_bank {
    uint64_t wake;          /* core cycle */
    uint64_t busy_until;    /* L2 tick */
    uint64_t blocked_until; /* L2 tick: requests are rejected before it (flush) */
    uint32_t fill_head, fill_count;
    bool valued;           /* the kernel has values: bytes travel, not only messages */
    struct values values;  /* that words of memory got, for gpu_spin.c */
    int serving;           /* MSHR entry whose requests are being replayed, or -1 */
    uint32_t failed;       /* why the oldest request last failed */
    uint64_t refused_from; /* L2 tick from which refusals by a full reply queue are to be
                                    * counted; 0: none */
    struct ring in, out;   /* requests, replies */
    uint64_t known_block;  /* of a request looked at ahead, and its set; or none */
    uint32_t known_set;
    const struct gpu_config *config;
    struct l2_sectors *sectors; /* NULL: it works by lines */
    struct clock_domain clock;
    struct l2_situation failed_situation; /* state in which it failed */
    uint64_t flushes;                     /* sets flushed */
    struct l2_fill *fill;                 /* what DRAM returned, a FIFO of n_fill */
    uint32_t n_fill;                      /* sectors of all MSHRs */
    struct dram_queue to_dram;
    struct cache cache;
    struct memory *memory;
    uint32_t id;
    struct bank_sockets sockets;
    struct mshr_file mshr;
    struct l2_stats stats;
    struct l2_loose *loose; /* of each MSHR entry, for a fetch that takes no line */
} __attribute__((aligned(64)));

/* Returns 0, or -1 when out of memory. */
int l2_init(struct l2_bank *bank, uint32_t id, const struct gpu_config *config,
            struct memory *memory);
void l2_free(struct l2_bank *bank);
/* A kernel that has values, or not. */
void l2_kernel_start(struct l2_bank *bank, bool valued);
/* What is plugged into the bank and not served by it, since it works by sectors; NULL: nothing. */
const char *l2_cannot(const struct l2_bank *bank);

/* One L2 tick inside core cycle `now`; true on progress.  Sets wake. */
bool l2_tick(struct l2_bank *bank, uint64_t tick, uint64_t now);
/* Count the ticks up to `tick` (exclusive) that a bank slept through on a full reply queue. */
void l2_settle(struct l2_bank *bank, uint64_t tick);
/* DRAM returns sectors of an MSHR entry, usable from core cycle `at`. */
void l2_dram_return(struct l2_bank *bank, uint16_t mshr, uint8_t sectors, uint64_t at);

/* Bytes as this bank sees them now, without timing: what its line holds, else memory. */
void l2_peek(struct l2_bank *bank, uint64_t block, uint8_t out[BLOCK_BYTES]);
/* Change bytes in memory and in the bank's copy, without timing. */
void l2_poke(struct l2_bank *bank, uint64_t block, const uint8_t *data, const uint64_t bytes[2]);
/* The same of a range of any size, but for memory: what the bank's lines hold of it over `out`, and `in`
 * into them. */
void l2_peek_lines(const struct l2_bank *bank, uint64_t address, uint8_t *out, uint64_t bytes);
void l2_poke_lines(struct l2_bank *bank, uint64_t address, const uint8_t *in, uint64_t bytes);
/* Memory gets what the lines hold; the lines get what memory has, which was changed meanwhile. */
void l2_lend(const struct l2_bank *bank);
void l2_take(struct l2_bank *bank);

/* A flush, set by set (l2_flush.c): valid lines go, those waiting for or being served from
 * DRAM data are doomed.  Dirty lines are written back before, each needing l2_miss_room. */
void l2_flush_set(struct l2_bank *bank, uint32_t set);
/* A block leaves the bank, without timing, while nobody asks for it: what was written goes to memory. */
void l2_drop_block(struct l2_bank *bank, uint64_t block);
void l2_write_back(struct l2_bank *bank, uint32_t set, uint32_t way, uint64_t now);
static inline uint32_t l2_miss_room(const struct l2_bank *bank)
{
    return dram_queue_room(&bank->to_dram);
}

/* Is the line one whose waiting requests are being served just now? */
bool l2_in_service(const struct l2_bank *bank, uint32_t set, uint32_t way);

#endif
