/* caps_core.h - the CTA-aware prefetcher of one SM: PerCTA, DIST and the generator behind
 * the prefetch socket (caps-prefetch 3.2).  It knows no scheduler. */
#ifndef WARPLOCK_MECHANISMS_CAPS_CORE_H
#define WARPLOCK_MECHANISMS_CAPS_CORE_H

#include "mechanisms/ports.h"

enum { CAPS_LANES = 4, CAPS_MAX_SLOTS = 32, CAPS_LOADS = 64 };

/* Strobes of the three units, counted: C(name, definition). */
#define CAPS_COUNTERS(C)                                                        \
    C(loads, "global load instructions seen")                                   \
    C(loads_indirect, "of these, excluded: the address comes from a load (IND)") \
    C(loads_wide, "of these, with more than four requests")                     \
    C(leaders, "leading warps registered")                                      \
    C(leaders_evicted, "of these, in place of another load's entry")            \
    C(bases_rewritten, "a leading warp returned and rewrote its base")          \
    C(strides, "strides learnt")                                                \
    C(invalidated, "entries dropped: strides not uniform")                      \
    C(verified, "predictions checked")                                          \
    C(mispredicted, "of these, wrong")                                          \
    C(mispredicted_below, "of these, for a warp below its leading warp (D16)")  \
    C(throttled, "walks refused: misprediction counter above the threshold")    \
    C(jobs_dropped, "walks discarded: job FIFO full")

struct caps_counters {
#define C(name, ...) uint64_t name;
    CAPS_COUNTERS(C)
#undef C
};

struct caps_load {
    uint32_t pc, slot, wic, n, addr[CAPS_LANES];
    bool affine;
};

/* The ports that are driven or read, by unit. */
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
    struct unit_pins percta, dist, gen;
    struct caps_table_in table[2]; /* PerCTA's, DIST's */
    struct caps_wire walk[CAPS_WALK_WIRES], lookup[CAPS_TABLE_WIRES], job[CAPS_JOB_WIRES];
    struct {
        uint64_t *kernel_start, *wpc, *first_wid, *warp_alive, *job_valid, *pf_ready;
        uint64_t *g_valid, *pf_valid, *pf_line, *pf_wid, *idle, *st_job_drop;
    } gen_pin;
    struct {
        uint64_t *alloc, *evict, *update, *invalidate;
        uint64_t *verify, *mispredict, *below, *stride, *throttled;
    } strobe;
    uint32_t slots;

    uint64_t cycle;  /* the clock edge of this cycle has not been carried out yet */
    bool take;       /* the L1D takes the oldest request in that cycle */
    uint64_t alive;  /* warp slots that have not exited */
    uint32_t flush;  /* CTA slots to be flushed, one a cycle */
    struct caps_load load[CAPS_LOADS]; /* loads that wait for their cycle */
    uint32_t load_head, n_loads;
    struct caps_counters count;

    /* Optional: a leading warp's load has registered a base, told of its warp slot. */
    void *listener;
    void (*on_base)(void *listener, uint32_t slot);
};

/* Carry out what happened before cycle `now`. */
void caps_core_advance(struct caps_core *core, uint64_t now);

/* Parameters of the three units beyond those that follow from the machine:
 * "percta:NE=8 dist:ND=8"; "" for the document's. */
int caps_core_attach(struct mechanism_context *context, struct caps_core *core, struct sm *sm,
                     const char *parameters);

#endif
