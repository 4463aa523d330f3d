/* wang2015.h - the L1D policies and warp schedulers of wang2015 chapters 4 and 5 as
 * mechanisms of mechanism_list.h; each function's `argument` is said in its file. */
#ifndef WARPLOCK_MECHANISMS_WANG2015_H
#define WARPLOCK_MECHANISMS_WANG2015_H

#include "mechanisms/mechanism.h"

int attach_dacache(struct mechanism_context *context, const char *argument);
int attach_dip(struct mechanism_context *context, const char *argument);
int attach_rrip(struct mechanism_context *context, const char *argument);
int attach_gto(struct mechanism_context *context, const char *argument);
/* The same below a gate, where nothing but the machine schedules yet. */
int gto_below(struct mechanism_context *context);
int attach_oaws(struct mechanism_context *context, const char *argument);
int attach_fcw_only(struct mechanism_context *context, const char *argument);
int attach_swl(struct mechanism_context *context, const char *argument);
int attach_ccws(struct mechanism_context *context, const char *argument);
int attach_mascar(struct mechanism_context *context, const char *argument);

#endif
