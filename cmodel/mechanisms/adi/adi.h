/* adi.h - adaptive cache indexing as a mechanism (aci-iacm-blpp 3.7-3.9). */
#ifndef WARPLOCK_MECHANISMS_ADI_H
#define WARPLOCK_MECHANISMS_ADI_H

#include "mechanisms/mechanism.h"

/* Adaptive indexing of every SM's L1D, or of every L2 bank.  `parameters` are those of
 * adi_engine that differ from its standard ones: "" or "NV=64,NS=64,...". */
int attach_l1d_adi(struct mechanism_context *context, const char *parameters);
int attach_l2_adi(struct mechanism_context *context, const char *parameters);

/* The same as ASCIB has it, for the caches of a CPU (3.3): writes to global memory count, and
 * there is no doomed line: a flush waits until no miss is in flight. */
int attach_l1d_ascib(struct mechanism_context *context, const char *parameters);
int attach_l2_ascib(struct mechanism_context *context, const char *parameters);

#endif
