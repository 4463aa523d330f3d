/* limits.h - the warp_limit units in front of the schedulers of an SM (aci 3.10.5).  Knows nothing of
 * how the limit is found. */
#ifndef WARPLOCK_MECHANISMS_IACM_LIMITS_H
#define WARPLOCK_MECHANISMS_IACM_LIMITS_H

#include "mechanisms/ports.h"

struct limit_unit {
    struct unit_pins unit;
    uint64_t *age_rank, *resident, *waiting, *limit, *eligible;
};
struct limits {
    const struct core *core;
    uint64_t warps; /* the limit of each scheduler; its owner sets it */
    uint32_t slots; /* of a scheduler */
    struct limit_unit of[MAX_SCHEDULERS];
    uint64_t held_back; /* ready warps that a limit left out, summed over cycles and schedulers */
};

/* Open a unit for each scheduler and put it before that; 0, or -1 with an error. */
int limits_join(struct mechanism_context *context, struct core *core, struct limits *limits);

/* C17: warps of a scheduler that the launch can keep resident on one of `n_cores` SMs, one at least. */
uint32_t limits_resident(const struct core *core, uint32_t n_cores);

/* Bits of a warp count of a scheduler: 5 for 24 warps. */
uint32_t limits_bits(const struct gpu_config *config);

#endif
