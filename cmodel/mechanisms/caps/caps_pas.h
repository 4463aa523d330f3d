/* caps_pas.h - the prefetch-aware scheduler unit behind a scheduler socket (caps-prefetch
 * 3.4, 3.5).  It knows no prefetcher: wake-ups come from lines that arrive. */
#ifndef WARPLOCK_MECHANISMS_CAPS_PAS_H
#define WARPLOCK_MECHANISMS_CAPS_PAS_H

#include "mechanisms/caps/caps_ports.h"
#include "mechanisms/ports.h"

enum { PAS_SLOTS = 64 };

#define PAS_COUNTERS(C) \
    C(wakes, "wake-ups that made a warp ready") \
    C(wake_evictions, "of these, a ready warp had to give way") \
    C(demotions, "cycles in which ready warps blocked") \
    C(promotions, "cycles in which pending warps became ready")

struct pas_counters {
#define C(name, ...) uint64_t name;
    PAS_COUNTERS(C)
#undef C
};

/* Warp slots in order of their events. */
struct pas_fifo {
    uint8_t slot[PAS_SLOTS];
    uint32_t head, n;
};

struct pas {
    struct core *core;
    struct unit_pins unit;
    struct pas_ports port;
    struct sched_socket base; /* the machine's own scheduler keeps the age ranks */
    uint64_t mine;            /* warp slots of this scheduler */
    bool wake_enabled;        /* arrivals wake */
    struct pas_fifo launches, exits, bases;
    uint64_t next;         /* cycle whose clock edge comes next */
    uint64_t blocked;      /* as last seen */
    bool hold, held;       /* as last seen; warps launched under it still come in */
    uint32_t quiet_cycles; /* so many, the last, brought nothing and moved no warp */
    int wake;              /* slot for which a prefetch arrived in this cycle, or -1 */
    struct pas_counters count;
    /* Optional: called before a cycle is decided, to hear of earlier ones (pas_base). */
    void *source;
    void (*before)(void *source, uint64_t cycle);
};

/* Put a pas_sched unit behind scheduler `number` of `core`. */
int pas_attach(struct mechanism_context *context, struct pas *pas, struct core *core,
               uint32_t number);
/* Does a warp lose its marker with its first base (LEAD_CLEAR)? */
bool pas_clears_markers(const struct pas *pas);
/* A prefetched line arrived for warp `slot`, in the cycle that the SM is at. */
void pas_wake(struct pas *pas, uint32_t slot);
/* The leading warp in `slot` has registered a base. */
void pas_base(struct pas *pas, uint32_t slot);

#endif
