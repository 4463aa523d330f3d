/* dram_banked.h - a memory controller that gives each bank one request at a time (dram.scheduler).
 *
 * A channel takes requests from the queues of its own L2 banks in turn, as far as credits go; each
 * waits dram.latency, then with at most dram.queue others for its bank.  In a tick one bank without a
 * request gets one: the oldest to the row it is being served, else to its open row, else its oldest.
 * Reads and writes wait together.  Column commands go into a pipe from which their data come tCL or
 * tWL later, and reads from there into a queue for the L2.  Banks are looked at from one that goes
 * round.  It must not know caches, nor what a request is for.
 */
#ifndef WARPLOCK_MACHINE_DRAM_BANKED_H
#define WARPLOCK_MACHINE_DRAM_BANKED_H

#include "machine/memory/dram.h"

enum { DRAM_BANK_SOURCES = 4, DRAM_PIPE = 256 };

struct dram_source {
    struct dram_queue *queue;
    const uint32_t *returned; /* reads that have come back and wait at the L2 */
    bool owes;                /* its own credit is taken */
};

struct dram_job {
    struct dram_request request;
    uint64_t row;
    uint32_t next; /* in its bank, towards younger; index + 1, 0 ends */
    uint32_t bursts, sent, done;
};

struct dram_pending {
    struct dram_request request;
    uint64_t at; /* core cycle from which it may go on */
};

struct dram_service {
    uint32_t oldest, youngest; /* those that wait; index + 1 */
    uint32_t job;              /* the request of the bank; index + 1, 0: none */
    bool active, in_row;       /* a row is open; requests to `served` go first */
    uint64_t row, served;
    uint64_t read_at, write_at, pre_at, act_at; /* first tick at which it is legal here */
};

struct dram_banked {
    struct dram_source source[DRAM_BANK_SOURCES];
    uint32_t n_sources, last_source;
    uint32_t shared_credits;      /* taken */
    struct dram_pending *delayed; /* a ring */
    uint32_t delayed_head, n_delayed, delayed_size;
    struct dram_job *job;
    uint32_t free, waiting; /* jobs: index + 1 of a free one; how many wait for their bank */
    uint32_t arrived;       /* the job that waits from the next tick on; index + 1 */
    struct dram_service bank[32];
    uint32_t at_work; /* banks that serve a request, a bit each */
    uint32_t asked;   /* banks for which requests wait */
    uint32_t first;   /* the bank to be looked at first */
    uint64_t col_at, read_at, write_at, act_at, group_col_at[32], group_pre_at[32];
    /* What column commands have sent, one place a tick; 0: nothing. */
    uint32_t pipe[DRAM_PIPE], pipe_head, pipe_length, pipe_least, in_pipe;
    bool writing;
    struct dram_queue back; /* reads that have their data */
};

/* NULL when out of memory. */
struct dram_banked *dram_banked_new(const struct gpu_config *config);
void dram_banked_free(struct dram_banked *banked);
/* Run the ticks of core cycle `now`. */
bool dram_banked_step(struct dram_channel *channel, uint64_t now);

#endif
