/* caps_core.h - the CTA-aware prefetcher of one SM behind the prefetch socket: its units, and the
 * events of the SM that reach them a cycle each (caps-prefetch 3.2).  It knows no scheduler. */
#ifndef WARPLOCK_MECHANISMS_CAPS_CORE_H
#define WARPLOCK_MECHANISMS_CAPS_CORE_H

#include "mechanisms/caps/caps_units.h"

/* Loads that wait for the tables, the one at hand included.  They wait where they are, in the LD/ST
 * unit, which holds 16: one that comes when so many wait is let go, and nothing learns of it. */
enum { CAPS_LOADS = 16 };

/* Loads, counted: C(name, 1 if also of tables that take one a cycle, definition). */
#define CAPS_LOAD_COUNTERS(C) \
    C(loads, 1, "global load instructions seen") \
    C(loads_indirect, 1, "of these, excluded: the address comes from a load (IND)") \
    C(loads_wide, 1, "of these, with more than four requests") \
    C(loads_waiting, 0, "of these, that found the tables busy") \
    C(loads_missed, 0, "of these, that the tables never saw: too many waited")

struct caps_load_counters {
#define C(name, ...) uint64_t name;
    CAPS_LOAD_COUNTERS(C)
#undef C
};

struct caps_core {
    struct core *core;
    struct caps_units units;
    uint64_t cycle; /* the clock edge of this cycle has not been carried out yet */
    bool take;      /* the L1D takes the oldest request in that cycle */
    uint64_t alive; /* warp slots that have not exited */
    uint32_t flush; /* CTA slots to be flushed, one a cycle */
    struct caps_load load[CAPS_LOADS];
    uint32_t load_head, n_loads;
    struct caps_load_counters count;

    /* Optional: a leading warp's load has registered a base, told of its warp slot. */
    void *listener;
    void (*on_base)(void *listener, uint32_t slot);
};

/* Carry out what happened before cycle `now`. */
void caps_core_advance(struct caps_core *caps, uint64_t now);
/* Put the prefetcher beside the L1D of `core`; `whole`: caps_top instead of its three parts. */
int caps_core_attach(struct mechanism_context *context, struct caps_core *caps, struct core *core,
                     bool whole);

#endif
