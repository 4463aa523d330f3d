/* missing_slot.stimulus.h - ids of slots past the last, for the stimuli of the units that
 * rank warps by age.  Where WARPS is no power of two an id can name what is not there; most
 * often the first such slot, which a comparison with the wrong bound lets in.  Included after
 * tb/stimulus.h by a unit with the inputs warp_launch_wid and warp_exit_wid. */
#ifndef WARPLOCK_UNITS_SCHED_MISSING_SLOT_H
#define WARPLOCK_UNITS_SCHED_MISSING_SLOT_H

#include <stdbool.h>

enum { MISSING_SLOTS = (1 << WID_W) - WARPS, ONE_IN_MISSING = 32 };

static inline bool missing_slot(uint64_t slot)
{
    return slot >= WARPS;
}

static void drive_missing_slot(struct tb_random *random, uint64_t *slot)
{
    if (MISSING_SLOTS > 0 && tb_random_below(random, ONE_IN_MISSING) == 0) {
        const bool first = tb_random_below(random, 2);
        *slot = WARPS + (first ? 0 : tb_random_below(random, MISSING_SLOTS));
    }
}

#endif
