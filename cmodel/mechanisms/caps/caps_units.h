/* caps_units.h - the units of a CTA-aware prefetcher as one thing that is clocked: PerCTA, DIST and
 * the generator wired together as caps_top.v wires them, or caps_top (caps-prefetch 3.2.8).  It
 * knows no machine. */
#ifndef WARPLOCK_MECHANISMS_CAPS_UNITS_H
#define WARPLOCK_MECHANISMS_CAPS_UNITS_H

#include "mechanisms/caps/caps_ports.h"
#include "mechanisms/ports.h"

enum { CAPS_LANES = 4 };

/* Strobes of the units, counted: C(name, 1 if caps_top tells it too, definition). */
#define CAPS_STROBES(C) \
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

struct caps_strobes {
#define C(name, ...) uint64_t name;
    CAPS_STROBES(C)
#undef C
};

struct caps_load {
    uint32_t pc, slot, wic, n, addr[CAPS_LANES];
    bool affine;
};

/* What comes in during one cycle. */
struct caps_inputs {
    const struct caps_load *load; /* NULL: none; held until it is taken */
    int flush;                    /* a CTA slot, then without a load; -1: none */
    uint64_t alive;               /* warp slots that have not exited */
    bool take;                    /* the L1D takes the oldest request */
};

/* What became of the load. */
struct caps_outcome {
    bool taken;
    bool based; /* it has registered a base; never told by caps_top */
};

/* The ports by which a unit is told of loads: PerCTA's, DIST's or caps_top's. */
struct caps_table_ports {
    uint64_t *kernel_start, *flush_valid, *flush_slot;
    uint64_t *ld_valid, *ld_pc, *ld_cta, *ld_wic, *ld_n, *ld_addr, *ld_affine;
};
/* Those on the side of the L1D: the generator's or caps_top's. */
struct caps_queue_ports {
    uint64_t *kernel_start, *wpc, *first_wid, *warp_alive, *pf_ready;
    const uint64_t *pf_valid, *pf_line, *pf_wid, *idle;
};

struct caps_units {
    bool whole; /* caps_top, which is then `gen` and the only table */
    struct unit_pins percta, dist, gen;
    struct caps_percta_ports percta_port;
    struct caps_dist_ports dist_port;
    struct caps_gen_ports gen_port;
    struct caps_top_ports top_port;
    struct caps_table_ports table[2];
    struct caps_queue_ports queue;
    unsigned n_tables;
    bool one_cycle; /* the tables take a load in every cycle that has no flush */
    bool waits;     /* the walker does, until something comes in; never told by caps_top */
    struct caps_strobes count;
};

/* Open them for `core`, whose CTA slots are at most `slots`; 0, or -1 with an error. */
int caps_units_open(struct mechanism_context *context, struct caps_units *units,
                    const struct core *core, uint32_t slots, bool whole);
/* A kernel of `wpc` warps a CTA starts. */
void caps_units_restart(struct caps_units *units, uint32_t wpc);
/* One cycle. */
struct caps_outcome caps_units_clock(struct caps_units *units, const struct caps_inputs *inputs);

/* No walk, no job, no request. */
static inline bool caps_units_idle(const struct caps_units *units)
{
    return *units->queue.idle != 0;
}

/* Would a cycle without load, flush or taken request, in which `alive` have not exited, leave
 * everything as it is? */
static inline bool caps_units_rest(const struct caps_units *units, uint64_t alive)
{
    return caps_units_idle(units) || (units->waits && alive == *units->queue.warp_alive);
}

#endif
