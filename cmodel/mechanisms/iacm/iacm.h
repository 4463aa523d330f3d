/* iacm.h - integrated adaptive cache management of an SM: its units, its counters (aci 3.10 to 3.14). */
#ifndef WARPLOCK_MECHANISMS_IACM_H
#define WARPLOCK_MECHANISMS_IACM_H

#include "mechanisms/adi/adi_core.h"
#include "mechanisms/iacm/limits.h"
#include "mechanisms/iacm/rpd.h"

enum { IACM_MOVES = 256 };

/* The warp count from `cycle` on. */
struct iacm_move {
    uint64_t cycle;
    uint32_t warps;
};

struct iacm_counters {
    uint64_t cycles[3]; /* by phase: ADI, AWL, idle */
    uint64_t settled, searches, near_searches, retriggers, periods, moves;
    uint64_t limit_cycles; /* the warp count, summed over cycles */
};

struct iacm {
    struct adi_site site; /* first: adi_report reads it */
    struct core *core;
    bool adi, awl, rpd; /* what there is */
    struct unit_pins control, search, idle;
    struct {
        uint64_t *kernel_start, *insn_inc, *sub_phase, *idle_done, *awl_done, *goto_idle,
            *retrigger;
        uint64_t *adi_enable, *restart, *stay, *phase_awl, *phase_idle, *phase, *settled;
    } c;
    struct {
        uint64_t *kernel_start, *nt, *phase_awl, *insn_inc, *nc, *done, *goto_idle, *better, *worse;
    } s;
    struct {
        uint64_t *kernel_start, *phase_idle, *insn_inc, *retrigger;
    } i;
    struct limits limits;
    struct rpd bypass;
    uint64_t cycle, issued; /* the last cycle, and thread instructions up to it */
    uint32_t n_cores;
    bool launching; /* a kernel has begun */
    struct iacm_counters counters;
    uint32_t first_warps; /* the warp count up to the first move */
    struct iacm_move move[IACM_MOVES];
};

/* What an SM is given; the periods in cycles, adi_period in misses and accesses. */
struct iacm_kind {
    bool adi, awl, rpd;
    uint32_t order, adi_period, awl_period, idle_period, adi_eps, awl_eps, idle_eps;
};

/* Open the units and plug them in; 0, or -1 with an error. */
int iacm_core_join(struct mechanism_context *context, struct core *core, struct iacm *iacm,
                   const struct iacm_kind *kind);

#endif
