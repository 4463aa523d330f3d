/* wave_inside.h - the inside of a unit's RTL in a waveform: every wire and register. */
#ifndef WARPLOCK_TB_WAVE_INSIDE_H
#define WARPLOCK_TB_WAVE_INSIDE_H

#include "tb/inside.h"
#include "tb/layout.h"
#include "tb/wave.h"

struct wave_inside;

/* The side of `backend` that is open (tb/inside.h): itself, or one of a pair; NULL: none.
 * `*instance` becomes that side of `self`, unless `self` is NULL. */
const struct unit_backend *wave_inside_side(const struct unit_backend *backend, void *self,
                                            void **instance);

/* Declares the scope `rtl` in the open scope; NULL where no side is open or memory is out. */
struct wave_inside *wave_inside_new(struct wave *wave, const struct unit_backend *backend);
void wave_inside_free(struct wave_inside *inside);
void wave_inside_emit(struct wave_inside *inside, void *self);

/* A folded group of a layout with all of it, below the unit's scope. */
void wave_inside_layout(struct layout *layout, const char *scope,
                        const struct unit_backend *backend);

#endif
