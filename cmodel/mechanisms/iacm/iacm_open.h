/* iacm_open.h - the units of an SM's IACM are opened and their ports found; see iacm.h. */
#ifndef WARPLOCK_MECHANISMS_IACM_OPEN_H
#define WARPLOCK_MECHANISMS_IACM_OPEN_H

#include "mechanisms/iacm/iacm.h"

/* What adi_site asks of IACM; its `self` is the struct iacm. */
extern const struct adi_guide iacm_guide;

/* Open the units of iacm->core that `kind` has, the engine and the limits plugged in; 0, or -1 with an
 * error. */
int iacm_open(struct mechanism_context *context, struct iacm *iacm, const struct iacm_kind *kind);

#endif
