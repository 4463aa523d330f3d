/* adi_core.h - adaptive indexing at the L1D of an SM, for mechanisms that have it inside (aci 3.14). */
#ifndef WARPLOCK_MECHANISMS_ADI_CORE_H
#define WARPLOCK_MECHANISMS_ADI_CORE_H

#include "mechanisms/adi/adi_site.h"
#include "mechanisms/instances.h"

/* Open the units of `site`, zeroed but for what its owner sets in it, and give it the L1D's index and an
 * observer.  Its owner clocks it by adi_site_begin and adi_site_end.  0, or -1 with an error. */
int adi_core_join(struct mechanism_context *context, struct core *core, struct adi_site *site);
/* Report the sites as `name`; each instance begins with its adi_site.  0, or -1 with an error. */
int adi_report(struct mechanism_context *context, struct instances *level, const char *name);

#endif
