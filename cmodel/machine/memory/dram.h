/* dram.h - one memory controller and its GDDR5 channel, FR-FCFS, open page.
 *
 * Works after the GDDR5 rows of the machine tables and aci-iacm-blpp 2.5.  Per tick at
 * most one command goes out: the oldest column command that is legal, else the oldest
 * legal activate or precharge.  A row with a waiting hit is not closed.
 * With dram.tREFI all banks are closed and refreshed together, which is not a command of these.
 * Timing only: the content is the memory image (memory.h).  It must not know caches.
 */
#ifndef WARPLOCK_GPU_DRAM_H
#define WARPLOCK_GPU_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "machine/config/config.h"
#include "machine/memory/dram_due.h"
#include "machine/memory/dram_queue.h"
#include "machine/stats/stats.h"

/* A read is complete; `at` is the core cycle at which the L2 may use it. */
typedef void (*dram_return)(void *self, const struct dram_request *request, uint64_t at);

struct dram_slot {
    struct dram_request request;
    uint64_t row, order;
    uint32_t next; /* in its bank, towards younger; index + 1, 0 ends */
    uint32_t bursts;
    bool opened; /* a row was opened for it */
};

enum dram_command { DRAM_READ, DRAM_WRITE, DRAM_ACTIVATE, DRAM_PRECHARGE };
#define DRAM_COMMANDS 4

struct dram_bank {
    bool open;
    uint64_t row;
    uint64_t act_at, col_at, pre_at; /* first tick at which the command is legal here */
    uint32_t oldest, youngest;       /* index + 1 */
    uint32_t n;
    uint32_t group;
    uint32_t hit; /* index + 1 of the oldest request to the open row */
    /* What it has to do next: for which request (index + 1; 0: it has none), and from which tick the
     * bank itself lets it. */
    enum dram_command command;
    uint32_t request;
    uint64_t ready_at;
};

struct dram_banked;

struct dram_channel {
    const struct gpu_config *config;
    struct clock_domain clock;
    uint32_t id;
    struct dram_banked *banked; /* it gives each bank a request at a time; or NULL */
    struct dram_slot *slot;
    uint32_t free, used;
    struct dram_bank bank[DRAM_MAX_BANKS];
    struct dram_due due[DRAM_COMMANDS];
    uint64_t soonest[DRAM_COMMANDS]; /* none of these is let by its bank before this tick */
    uint64_t group_col_at[DRAM_MAX_BANKS], col_at, read_at, write_at, act_at;
    /* Of the last four activates: from when another may follow (tFAW). */
    uint64_t four_at[4];
    uint32_t oldest_of_four;
    uint64_t refresh_at; /* tick of the next refresh */
    uint64_t order;
    dram_return done;
    void *done_self;
    uint64_t wake; /* core cycle */
    struct dram_stats stats;
};

/* Returns 0, or -1 when out of memory. */
int dram_init(struct dram_channel *channel, uint32_t id, const struct gpu_config *config,
              dram_return done, void *done_self);
void dram_free(struct dram_channel *channel);

/* The channel that holds a block. */
uint32_t dram_channel_of(const struct gpu_config *config, uint64_t block);
/* Bank and row inside the channel. */
void dram_place(const struct gpu_config *config, uint64_t block, uint32_t *bank, uint64_t *row);

/* Room for one more request of that block? */
bool dram_room(const struct dram_channel *channel, uint64_t block);
void dram_push(struct dram_channel *channel, const struct dram_request *request, uint64_t now);
/* With dram.scheduler = banks: take requests from that queue, too; `returned` counts what waits at
 * its L2 bank.  Both are kept. */
void dram_attach(struct dram_channel *channel, struct dram_queue *queue, const uint32_t *returned);
/* Run the ticks of core cycle `now`; true when a command went out. */
bool dram_step(struct dram_channel *channel, uint64_t now);
/* One tick, for tests of single commands. */
bool dram_tick(struct dram_channel *channel, uint64_t tick);

#endif
