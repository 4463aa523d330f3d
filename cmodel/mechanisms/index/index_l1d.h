/* index_l1d.h - a static index in front of every L1D, for mechanisms that have one beside other things.
 * Knows nothing of those. */
#ifndef WARPLOCK_MECHANISMS_INDEX_L1D_H
#define WARPLOCK_MECHANISMS_INDEX_L1D_H

#include "mechanisms/mechanism.h"

/* The first part of the mechanism is an index unit: one for each L1D, plugged in; 0, or -1 with an
 * error. */
int index_attach_l1d(struct mechanism_context *context);

#endif
