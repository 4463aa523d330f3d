/* l2_sector.h - an L2 bank that works by sectors (l2.sectors): what it has beyond a bank of lines.
 *
 * A packet is split into requests of one sector, each of which waits l2.latency, then in a queue for
 * the tags.  Lines are placed and replaced whole; their sectors are fetched, merged into, and written
 * back each by itself, so a sector has an MSHR entry of its own, under its own address.  A store
 * leaves its sector dirty without fetching: until all bytes are there a read of it misses.  One tick,
 * in this order: a packet comes in, an answered miss leaves, DRAM fills a sector, the miss queue
 * moves on, one request is looked up, one enters the queue.
 * A store to a sector on its way waits for it, so that reads before it see what was there before.
 * It must not know SMs, the network or DRAM timing; protocols and inclusion have no part in it.
 */
#ifndef WARPLOCK_MACHINE_L2_SECTOR_H
#define WARPLOCK_MACHINE_L2_SECTOR_H

#include "machine/l2/l2.h"

struct exchange_fifo {
    struct exchange *head, *tail;
    uint32_t count;
};

struct l2_sectors {
    struct exchange_fifo delayed; /* split, until their ready_at */
    struct exchange_fifo queue;   /* to the tags; at most l2.input_queue */
    struct dram_queue miss;       /* to bank->to_dram; l2.miss_queue */
    uint16_t *filled;             /* MSHR entries whose sectors have come: a ring of l2.mshrs */
    uint32_t filled_head, n_filled;
};

/* NULL when out of memory. */
struct l2_sectors *l2_sectors_new(const struct gpu_config *config);
void l2_sectors_free(struct l2_sectors *sectors);

/* One L2 tick inside core cycle `now`; true on progress.  Sets wake. */
bool l2_sector_tick(struct l2_bank *bank, uint64_t tick, uint64_t now);

/* The request has been performed: its reply leaves, if it has one. */
void l2_sector_answer(struct l2_bank *bank, struct exchange *exchange, uint64_t now);

#endif
