/* index.h - static set indexing as a mechanism (wang2015 3.3-3.7, aci-iacm-blpp 3.1-3.6). */
#ifndef WARPLOCK_MECHANISMS_INDEX_H
#define WARPLOCK_MECHANISMS_INDEX_H

#include "mechanisms/mechanism.h"

/* Put the index unit `unit` in front of every SM's L1D, or of every L2 bank. */
int attach_l1d_index(struct mechanism_context *context, const char *unit);
int attach_l2_index(struct mechanism_context *context, const char *unit);

#endif
