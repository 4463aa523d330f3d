/* partition.h - a dac_part unit beside an SM: how many of the oldest warps are to be cached
 * whole (wang2015 3.12.9 for DaCache, 3.18 for OAWS and FCW-Only).  It knows not what is
 * done with the number. */
#ifndef WARPLOCK_MECHANISMS_PARTITION_H
#define WARPLOCK_MECHANISMS_PARTITION_H

#include <jansson.h>
#include <stdbool.h>

#include "mechanisms/ports.h"

struct partition {
    struct unit_pins unit;
    uint64_t *retire_v, *nreq, *miss_seen, *g, *kstart, *fcw_out;
    uint32_t fcw; /* warps per SM */
    uint64_t grown, shrunk, loads, fcw_sum;
};

/* Open the unit with a counter of `cnt_bits`; "smN.WHAT.part".  0, or -1 with an error. */
int partition_open(struct mechanism_context *context, struct partition *partition,
                   const struct sm *sm, const char *what, uint32_t cnt_bits);
/* A kernel starts (D-DAC-1). */
void partition_start(struct partition *partition);
/* A load of `nreq` requests left the memory stage; its warp's rank was `g` at issue. */
void partition_retire(struct partition *partition, uint32_t nreq, bool miss_seen, uint32_t g);
/* Add the sums of `n` partitions to `into`; nothing when there is none. */
void partition_statistics(const struct partition *const *partitions, uint32_t n, json_t *into);

#endif
