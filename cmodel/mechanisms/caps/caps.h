/* caps.h - CAPS: CTA-aware prefetching and scheduling (caps-prefetch 3.7). */
#ifndef WARPLOCK_MECHANISMS_CAPS_H
#define WARPLOCK_MECHANISMS_CAPS_H

#include "mechanisms/mechanism.h"

/* `argument` is words: `pas`, `two-level` or `rr` is the host scheduler, `nowake` leaves
 * out eager wake-up, `drop` lets the L1D forget prefetches it cannot take, `whole` is the unit
 * caps_top in place of its three parts, `percta:`, `dist:`, `gen:` and `pas:` in front of
 * K=V,... set parameters of the units. */
int attach_caps(struct mechanism_context *context, const char *argument);

#endif
