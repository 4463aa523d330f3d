/* monitors.h - units that watch an L1D and change nothing: -m icm, -m balance, -m signature
 * may stand beside any other mechanism (wang2015 3.8, tabbakh2018-coherence 3.7.2). */
#ifndef WARPLOCK_MECHANISMS_MONITORS_H
#define WARPLOCK_MECHANISMS_MONITORS_H

#include "mechanisms/mechanism.h"

/* Intra-warp concentration (Eq 3.1) by an icm_monitor at every L1D; `argument` is not used. */
int attach_icm(struct mechanism_context *context, const char *argument);
/* Balance of the sets (Eq 3.2) by a balance_monitor at every L1D; `argument` is not used. */
int attach_balance(struct mechanism_context *context, const char *argument);
/* False positives of an rdu_signature of `argument` bits that holds the blocks an SM stored to. */
int attach_signature(struct mechanism_context *context, const char *argument);

#endif
