/* caps_core.h - the CTA-aware prefetcher of one SM behind the prefetch socket: PerCTA, DIST and
 * the generator as three units, or as the one that has all three (caps-prefetch 3.2).  It knows
 * no scheduler. */
#ifndef WARPLOCK_MECHANISMS_CAPS_CORE_H
#define WARPLOCK_MECHANISMS_CAPS_CORE_H

#include "mechanisms/ports.h"

enum { CAPS_LANES = 4, CAPS_MAX_SLOTS = 32, CAPS_LOADS = 64 };

/* Strobes of the units, counted: C(name, 1 if caps_top tells it too, definition). */
#define CAPS_COUNTERS(C) \
    C(loads, 1, "global load instructions seen") \
    C(loads_indirect, 1, "of these, excluded: the address comes from a load (IND)") \
    C(loads_wide, 1, "of these, with more than four requests") \
    C(leaders, 0, "leading warps registered") \
    C(leaders_evicted, 0, "of these, in place of another load's entry") \
    C(bases_rewritten, 0, "a leading warp returned and rewrote its base") \
    C(strides, 1, "strides learnt") \
    C(invalidated, 1, "entries dropped: strides not uniform") \
    C(verified, 1, "predictions checked") \
    C(mispredicted, 1, "of these, wrong") \
    C(mispredicted_below, 0, "of these, for a warp below its leading warp (D16)") \
    C(throttled, 0, "walks refused: misprediction counter above the threshold") \
    C(jobs_dropped, 1, "walks discarded: job FIFO full")

struct caps_counters {
#define C(name, ...) uint64_t name;
    CAPS_COUNTERS(C)
#undef C
};

struct caps_load {
    uint32_t pc, slot, wic, n, addr[CAPS_LANES];
    bool affine;
};

/* The ports that are driven or read, by unit; all are of one unit in caps_top. */
struct caps_table_in {
    uint64_t *kernel_start, *flush_valid, *flush_slot;
    uint64_t *ld_valid, *ld_pc, *ld_cta, *ld_wic, *ld_n, *ld_addr, *ld_affine;
};

struct caps_wire {
    const uint64_t *from;
    uint64_t *to;
    uint32_t lanes;
};
enum { CAPS_WALK_WIRES = 2, CAPS_TABLE_WIRES = 8, CAPS_JOB_WIRES = 7 };

struct caps_core {
    struct sm *sm;
    bool whole; /* caps_top, which is then `gen` and has `table` 0 */
    struct unit_pins percta, dist, gen;
    struct caps_table_in table[2]; /* PerCTA's, DIST's */
    struct caps_wire walk[CAPS_WALK_WIRES], lookup[CAPS_TABLE_WIRES], job[CAPS_JOB_WIRES];
    struct {
        uint64_t *kernel_start, *wpc, *first_wid, *warp_alive, *job_valid, *pf_ready;
        uint64_t *g_valid, *pf_valid, *pf_line, *pf_wid, *idle, *st_job_drop;
    } gen_pin;
    struct {
        uint64_t *alloc, *evict, *update, *invalidate; /* the first three NULL in caps_top, */
        uint64_t *verify, *mispredict, *below, *stride, *throttled; /* as below, throttled */
    } strobe;
    uint32_t slots;

    uint64_t cycle; /* the clock edge of this cycle has not been carried out yet */
    bool take;      /* the L1D takes the oldest request in that cycle */
    uint64_t alive; /* warp slots that have not exited */
    uint32_t flush; /* CTA slots to be flushed, one a cycle */
    struct caps_load load[CAPS_LOADS]; /* loads that wait for their cycle */
    uint32_t load_head, n_loads;
    struct caps_counters count;

    /* Optional: a leading warp's load has registered a base, told of its warp slot. */
    void *listener;
    void (*on_base)(void *listener, uint32_t slot);
};

/* How many of `table` there are. */
static inline unsigned caps_tables(const struct caps_core *core)
{
    return core->whole ? 1 : 2;
}

/* Carry out what happened before cycle `now`. */
void caps_core_advance(struct caps_core *core, uint64_t now);

/* Words of `parameters`: "whole" for caps_top instead of the three units; "percta:NE=8 dist:ND=8",
 * parameters of the three beyond those that follow from the machine. */
int caps_core_attach(struct mechanism_context *context, struct caps_core *core, struct sm *sm,
                     const char *parameters);
/* Of it: open the units and find their ports; 0, or -1 with the context's error. */
int caps_core_open(struct mechanism_context *context, struct caps_core *core,
                   const char *parameters);

#endif
