/* wave.h - writes what a unit did as an FST file, both sides beside each other.
 *
 * Scopes: <unit>.in, .out and .state.  Under the last two a port or field `x` has a
 * signal per side (x_c, x_rtl) and x_mismatch.  Ten time units a step.
 * Knows the table, not the unit. */
#ifndef WARPLOCK_TB_WAVE_H
#define WARPLOCK_TB_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tb/lockstep.h"

enum { WAVE_STEP_TIME = 10 };

struct wave;

/* Opens `path` for a unit run by `backend`; NULL when it cannot be written. */
struct wave *wave_open(const char *path, const struct unit_backend *backend);
/* One step: after comb and before seq ... */
void wave_comb(struct wave *wave, void *self, uint64_t step, bool rst, const uint64_t *in,
               const uint64_t *out);
/* ... and after seq. */
void wave_seq(struct wave *wave, void *self);
void wave_close(struct wave *wave);

/* A GTKWave save file for such a wave: first what `report` (or NULL) says differs,
 * then inputs, outputs, state; mismatch bits in red; the cursor at `step`.  False
 * when it cannot be written. */
bool wave_layout(const char *path, const char *wave_path, const struct unit_backend *backend,
                 uint64_t step, const struct lockstep_report *report);

#endif
