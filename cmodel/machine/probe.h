/* probe.h - what the machine holds after a core cycle, by name: a read-only view for
 * waveforms.
 *
 * See docs/architecture.md, "Cycle level".  Counters are given as what the cycle added to them.
 * The machine knows nothing of it but one call at the end of each cycle
 * (gpu_options.after_cycle); a cycle that is not stepped is not seen, so whoever wants
 * them all asks for every_cycle.  It must not know file formats nor mechanisms.
 */
#ifndef WARPLOCK_GPU_PROBE_H
#define WARPLOCK_GPU_PROBE_H

#include "machine/gpu.h"

/* What a value is: a number, a level that is best drawn as a curve, or one of a list (a
 * warp slot or none, what a slot waits for, what a scheduler did, what the LD/ST unit
 * waits for, what a DRAM bank does). */
enum probe_kind {
    PROBE_COUNT,
    PROBE_LEVEL,
    PROBE_WARP,
    PROBE_WARP_STATE,
    PROBE_SLOT,
    PROBE_STALL,
    PROBE_BANK,
    PROBE_KINDS
};
/* The names of a kind's values 0, 1, ...; NULL for numbers. */
const char *const *probe_names(enum probe_kind kind, uint32_t *n);

/* Takes the walk: scopes nest; `number` is part of the name unless PROBE_ALONE.  Values fit
 * `width` bits. */
enum { PROBE_ALONE = -1 };
struct probe_sink {
    void *self;
    void (*enter)(void *self, const char *scope, int number);
    void (*leave)(void *self);
    void (*value)(void *self, const char *name, int number, uint32_t width, enum probe_kind kind,
                  uint64_t value);
};

struct probe;
/* NULL when out of memory.  Lives no longer than `gpu`. */
struct probe *probe_create(const struct gpu *gpu);
void probe_destroy(struct probe *probe);
/* Show everything, in the same order each time. */
void probe_walk(const struct probe *probe, const struct probe_sink *sink);
/* The cycle has been shown: what follows is counted from here. */
void probe_next(struct probe *probe);

#endif
