/* prefetch.h - what the prefetchers beside the L1D share (caps-prefetch 3.8): the event
 * they learn from, the burst of lines that an event gives, the way of a burst to the
 * L1D.  It knows no prefetcher. */
#ifndef WARPLOCK_MECHANISMS_PREFETCH_H
#define WARPLOCK_MECHANISMS_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "mechanisms/mechanism.h"

enum {
    PREFETCH_LINE_SHIFT = 7,
    PREFETCH_LINES = (1 << 25), /* 128-byte lines of a 32-bit address space */
    PREFETCH_MAX_REQUESTS = 4,  /* loads with more are nobody's target */
    PREFETCH_BURST = 64,        /* lines of one event */
    PREFETCH_BURSTS = 5,        /* one being emitted, four waiting */
    PREFETCH_QUEUE = 16,
    PREFETCH_DELAY_CYCLES = 2 /* event to first request */
};

/* A global load of one warp, its requests known.  addr[i] is the lowest byte touched in
 * request i, meaningful when n <= 4. */
struct prefetch_load {
    uint32_t pc, warp, n;
    uint32_t addr[PREFETCH_MAX_REQUESTS];
    uint64_t alive; /* warp slots that have not exited */
};

/* Lines to fetch for one event, in order; warp -1: for nobody in particular. */
struct prefetch_burst {
    uint64_t ready_cycle;
    uint32_t n, next;
    uint32_t line[PREFETCH_BURST];
    int32_t warp[PREFETCH_BURST];
};

/* Append a line; a full burst takes no more. */
static inline void prefetch_add(struct prefetch_burst *burst, uint32_t line, int32_t warp)
{
    if (burst->n < PREFETCH_BURST) {
        burst->line[burst->n] = line;
        burst->warp[burst->n++] = warp;
    }
}

static inline uint32_t prefetch_line_of(uint32_t address)
{
    return address >> PREFETCH_LINE_SHIFT;
}

/* How far ahead is fetched: from `distance` iterations or warps ahead on, `degree` of them. */
struct prefetch_reach {
    uint32_t degree, distance;
};

/* One prefetcher: tables and rules, no timing.  Functions it does not need are NULL. */
struct prefetch_kind {
    size_t table_bytes;
    void (*reset)(void *table); /* a kernel starts */
    void (*load)(void *table, const struct prefetch_reach *reach, const struct prefetch_load *load,
                 struct prefetch_burst *burst);
    /* A demand load miss that takes a new MSHR entry. */
    void (*miss)(void *table, const struct prefetch_reach *reach, uint32_t line,
                 struct prefetch_burst *burst);
    void (*flush)(void *table, uint32_t warp); /* the warp slot is given to a new CTA */
};

/* ---- the way to the L1D ---- */

/* Bursts in order, one line a cycle into a queue of 16 that the L1D takes from. */
struct prefetch_port {
    struct prefetch_burst burst[PREFETCH_BURSTS];
    uint32_t burst_head, n_bursts;
    uint32_t line[PREFETCH_QUEUE];
    int32_t warp[PREFETCH_QUEUE];
    uint32_t head, count;
    uint64_t cycle; /* emission has been carried out up to here */
    uint64_t bursts_dropped;
};

void prefetch_port_reset(struct prefetch_port *port, uint64_t cycle);
/* Emit `burst` of an event at `cycle`; dropped and counted when five are under way. */
void prefetch_port_accept(struct prefetch_port *port, const struct prefetch_burst *burst,
                          uint64_t cycle);
/* The oldest request at `cycle`; false when there is none. */
bool prefetch_port_peek(struct prefetch_port *port, uint64_t cycle, uint32_t *line, int32_t *warp);
void prefetch_port_pop(struct prefetch_port *port);
/* May a request come up without any further event? */
bool prefetch_port_busy(const struct prefetch_port *port);

/* ---- attaching ---- */

/* Put `kind` behind the prefetch socket of every SM. */
int prefetch_attach(struct mechanism_context *context, const struct prefetch_kind *kind,
                    struct prefetch_reach reach);
/* The reach that the options "degree" and "distance" give. */
struct prefetch_reach prefetch_reach_of(const struct mechanism_context *context);
/* Add coverage, accuracy, timeliness (5.2) to the statistics. */
int prefetch_report(struct mechanism_context *context);
/* Does `address` fit the tables, which keep 32 bits of it (D10)?  If not, the run ends with a
 * line that names `mechanism`. */
bool prefetch_fits(struct core *core, const char *mechanism, uint64_t address);
/* Places in the ready queue of scheduler `number`: the SM's are shared out, the first
 * schedulers get the remainder, each at least one. */
uint32_t prefetch_ready_queue(const struct gpu_config *config, uint32_t number);

#define PREFETCH_DEGREE(of_) \
    OPTION_COUNT("degree", 1, 1, PREFETCH_BURST / PREFETCH_MAX_REQUESTS, of_ " fetched ahead", \
                 "3.8")
#define PREFETCH_DISTANCE(of_, section_) \
    OPTION_COUNT("distance", 1, 1, 63, of_ " from the load to the first fetched ahead", section_)

#endif
