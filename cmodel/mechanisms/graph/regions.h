/* regions.h - the region table and the RTT of a core: how the allocation that a block lies in is reused.
 *
 * Works after lakshminarayana2014 3.4.2, 3.4.4.  Regions are the allocations of the program, in the order
 * of their addresses, as the runtime knows them when a kernel starts.  It must not know what is
 * decided by them. */
#ifndef WARPLOCK_GRAPH_REGIONS_H
#define WARPLOCK_GRAPH_REGIONS_H

#include "mechanisms/ports.h"

struct regions {
    const struct machine *machine;
    const struct core *core;
    struct unit_pins table, rtt;
    struct {
        uint64_t *valid, *idx, *used, *base, *limit, *lk_valid, *lk_addr, *rid;
    } at;
    struct {
        uint64_t *kernel_start, *open_valid, *open_rid, *fill_valid, *fill_rid, *fill_sr, *fill_pr,
            *tick, *lk_rid;
        uint64_t *known, *shared, *private, *excl, *busy, *freed, *freed_rid;
    } of;
    uint64_t next_cycle, period_cycles; /* the table was clocked up to next_cycle, exclusive */
    uint32_t entries;
    bool has_free; /* an entry was freed, and no region has it yet */
    uint64_t free_entry;
    bool check, recomputes;
    uint32_t shared_seen,
        private_seen; /* masks of entries whose flags were seen; for the invariant */
    uint64_t fills, untracked, updates, replaced;
    uint64_t differences; /* flags that fell inside a kernel */
};

/* What is known of a block's region. */
struct region_flags {
    bool known, shared, private, exclusive;
};

/* Open the units, parts of the mechanism, which has the options `period` and `check`; 0, or -1 with the
 * context's error. */
int regions_open(struct mechanism_context *context, const struct core *core,
                 struct regions *regions);
void regions_kernel_start(struct regions *regions);
/* A line came, with the bits of its answer. */
void regions_filled(struct regions *regions, uint64_t block, bool shared, bool private);
struct region_flags regions_ask(struct regions *regions, uint64_t block);

#endif
