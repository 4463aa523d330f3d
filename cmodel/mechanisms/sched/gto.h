/* gto.h - the gto_sched unit as the warp scheduler of every SM, for mechanisms that stand around it
 * (wang2015 3.2, 3.16).  Whoever calls it has the part gto=gto_sched. */
#ifndef WARPLOCK_MECHANISMS_GTO_H
#define WARPLOCK_MECHANISMS_GTO_H

#include "mechanisms/mechanism.h"

/* Put the unit in the place of the machine's own schedulers, unless a mechanism is there or around
 * them already.  0, or -1 with an error. */
int gto_below(struct mechanism_context *context);

#endif
