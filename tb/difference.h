/* difference.h - a unit that differed inside a simulation: its last steps are recorded as a
 * sequence of their own, with a waveform, so that nobody has to simulate again. */
#ifndef WARPLOCK_TB_DIFFERENCE_H
#define WARPLOCK_TB_DIFFERENCE_H

#include <stdio.h>

#include "tb/backend.h"

/* Reports the first mismatch of `instance`, a pair in lockstep that stands at `where`, on
 * `out`: the difference, the commands that replay it and open its waveform, and the
 * shortest sequence found that still differs. */
void difference_report(struct library *library, const struct unit_backend *backend,
                       const void *instance, const char *where, FILE *out);

#endif
