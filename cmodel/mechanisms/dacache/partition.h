/* partition.h - a dac_part unit beside an SM: how many of the oldest warps are to be cached
 * whole (wang2015 3.12.9 for DaCache, 3.18 for OAWS and FCW-Only).  It knows not what is
 * done with the number.  Whoever has one has the part part=dac_part. */
#ifndef WARPLOCK_MECHANISMS_PARTITION_H
#define WARPLOCK_MECHANISMS_PARTITION_H

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

struct partition {
    struct unit_pins unit;
    uint64_t *retire_valid, *nreq, *miss_seen, *gprio, *kernel_start, *fcw_out;
    uint32_t fcw; /* warps per SM */
    uint64_t grown, shrunk, loads, fcw_sum;
};

/* Open the unit, its counter of `counter_bits`, or of its own standard when that is 0;
 * "smN.WHAT.part".  0, or -1 with an error. */
int partition_open(struct mechanism_context *context, struct partition *partition,
                   const struct core *core, const char *what, uint32_t counter_bits);
/* A kernel starts (D-DAC-1). */
void partition_start(struct partition *partition);
/* A load of `nreq` requests left the memory stage; its warp's rank was `g` at issue. */
void partition_retire(struct partition *partition, uint32_t nreq, bool miss_seen, uint32_t gprio);
/* Put the sums of the partitions that are at `offset` of every instance into `into`. */
void partition_statistics(const struct instances *all, size_t offset, json_t *into);

/* The option of those whose counter is FCL, not CNT. */
#define PARTITION_OPTION_FCL \
    OPTION_COUNT("fcl_bits", 7, 2, 16, "bits of the counter that trains the partition", "D-FCW-1")

#endif
