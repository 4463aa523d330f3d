/* pcs.h - the PC tracking table of a core, with the counts of PCs that have no entry: by which loads come
 * lines that are hit in the L1D.
 *
 * Works after lakshminarayana2014 3.5.4.  It must not know where lines are, nor what is decided. */
#ifndef WARPLOCK_GRAPH_PCS_H
#define WARPLOCK_GRAPH_PCS_H

#include "mechanisms/ports.h"

struct pcs {
    const struct machine *machine;
    const struct core *core;
    struct unit_pins ptt, upat;
    struct {
        uint64_t *kernel_start, *lk_valid, *lk_pc, *res_valid, *res_id, *res_idx, *rd_id,
            *acc_valid, *acc_id, *hit_valid, *hit_id, *tick, *max_val;
        uint64_t *id, *hash, *alloc, *take, *known, *reuse, *update, *busy, *freed, *freed_id;
    } at;
    struct {
        uint64_t *kernel_start, *inc_valid, *inc_idx, *update, *reserve, *reserve_id, *take;
        uint64_t *max_val, *res_valid, *res_id, *res_idx;
    } of;
    uint64_t next_cycle, period_cycles; /* the tables were clocked up to next_cycle, exclusive */
    uint32_t none;                      /* the number that stands for no entry */
    struct {
        uint64_t cycle;
        uint32_t pc;
        bool is_there;
    } last; /* the look-up whose answer the table shows */
    bool recomputes, check;
    uint32_t reused; /* mask of entries whose flag was seen; for the invariant */
    uint64_t accesses, untracked, allocated, replaced, updates, differences;
};

int pcs_open(struct mechanism_context *context, const struct core *core, struct pcs *pcs);
void pcs_kernel_start(struct pcs *pcs);
/* The entry of a load, in this cycle; pcs->none if it has none and gets none. */
uint32_t pcs_find(struct pcs *pcs, uint32_t pc);
/* It made a request to the L1D, which hit a line that `fetcher` had brought; pcs->none: no such line. */
void pcs_count(struct pcs *pcs, uint32_t pc, uint32_t fetcher);
/* Is it known whether lines of this entry are hit, and are they? */
void pcs_ask(struct pcs *pcs, uint32_t id, bool *known, bool *reuse);

#endif
