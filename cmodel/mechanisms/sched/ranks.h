/* ranks.h - the SM-wide age ranks (gprio) that several mechanisms need: an age_rank unit
 * that follows the warps of one SM (wang2015 3.0, D-COM-1).  It knows no scheduler. */
#ifndef WARPLOCK_MECHANISMS_RANKS_H
#define WARPLOCK_MECHANISMS_RANKS_H

#include "mechanisms/ports.h"

struct ranks {
    struct unit_pins unit;
    uint64_t *warp_launch_valid, *warp_launch_wid, *warp_exit_valid, *warp_exit_wid, *gprio;
};

/* Open the unit for `core`; "smN.WHAT.age".  0, or -1 with an error.  The owner forwards
 * launches and exits; the ranks it sees change at once. */
int ranks_open(struct mechanism_context *context, struct ranks *ranks, const struct core *core,
               const char *what);
void ranks_launch(struct ranks *ranks, uint32_t slot);
void ranks_exit(struct ranks *ranks, uint32_t slot);

/* Age rank of the warp in `slot` among the SM's, 0 oldest. */
static inline uint32_t ranks_of(const struct ranks *ranks, uint32_t slot)
{
    return (uint32_t)ranks->gprio[slot];
}

#endif
