/* wave_unit.h - a unit's scope in a waveform, both sides beside each other.
 *
 * Below the unit's scope are `step`, `rst`, `mismatch` (anything differs) and the scopes
 * in, out and state.  Under the last two a port or field `x` has a signal per side (x_c,
 * x_rtl) and x_mismatch.  Where the RTL is open (tb/inside.h) all that is inside follows
 * under `rtl`.  Knows the table, not the unit. */
#ifndef WARPLOCK_TB_WAVE_UNIT_H
#define WARPLOCK_TB_WAVE_UNIT_H

#include "tb/lockstep.h"
#include "tb/wave.h"

struct wave_unit;

/* Declares the unit's signals in the open scope of `wave`; NULL when memory is out. */
struct wave_unit *wave_unit_new(struct wave *wave, const struct unit_backend *backend);
void wave_unit_free(struct wave_unit *unit);

/* At the wave's present time: what comb gave in step `step` ... */
void wave_unit_comb(struct wave_unit *unit, void *self, uint64_t step, bool rst, const uint64_t *in,
                    const uint64_t *out);
/* ... and what the state became with seq, under inputs that comb may not have seen. */
void wave_unit_seq(struct wave_unit *unit, void *self, uint64_t step, bool rst, const uint64_t *in);
/* The state as it is, where no step led to it. */
void wave_unit_state(struct wave_unit *unit, void *self);

/* A file with a single unit, its steps WAVE_STEP_TIME apart, state changing half a step
 * after the outputs, as a clock edge would show it. */
enum { WAVE_STEP_TIME = 10 };
/* Steps for which the last values stay, so that a viewer has room to show them. */
enum { WAVE_ROOM_STEPS = 2 };
struct wave_steps {
    struct wave *file;
    struct wave_unit *unit;
};
/* False when `path` cannot be written; with `path` NULL nothing is. */
bool wave_steps_open(struct wave_steps *steps, const char *path, struct wave_window window,
                     const struct unit_backend *backend);
/* The state that was loaded before step 0. */
void wave_steps_start(struct wave_steps *steps, void *self);
void wave_steps_comb(struct wave_steps *steps, void *self, uint64_t step, bool rst,
                     const uint64_t *in, const uint64_t *out);
void wave_steps_seq(struct wave_steps *steps, void *self, uint64_t step, bool rst,
                    const uint64_t *in);
void wave_steps_close(struct wave_steps *steps);

/* ---- names, for layouts ---- */

/* "c" and "rtl" of "c+rtl"; the second empty where there is one side. */
struct wave_sides {
    char a[16], b[16];
};
struct wave_sides wave_sides(const struct unit_backend *backend);
/* "nacc" or, of an array, "nacc_3". */
void wave_element_name(char *text, size_t n, const char *name, unsigned element, bool is_array);

#endif
