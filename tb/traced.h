/* traced.h - a backend that hands everything on to another and, once it is watched, writes
 * what passes into a waveform.
 *
 * It can stand wherever the other can; results are the same.  Knows units by their
 * contract only. */
#ifndef WARPLOCK_TB_TRACED_H
#define WARPLOCK_TB_TRACED_H

#include "tb/wave_unit.h"

/* NULL when memory is out.  `inner` lives longer. */
struct unit_backend *traced_backend_new(const struct unit_backend *inner);
void traced_backend_free(struct unit_backend *backend);
bool traced_is(const struct unit_backend *backend);
/* What stands behind a traced backend, and behind one of its instances. */
const struct unit_backend *traced_backend(const struct unit_backend *backend);
void *traced_instance(void *self);

/* The time of a file with several units: position p of a clock (a core cycle) is time
 * TRACED_CYCLE_TIME * p, and each further evaluation of one unit a unit of time later. */
enum { TRACED_CYCLE_TIME = 1000 };
struct traced_clock {
    struct wave *wave;
    const uint64_t *position;
    uint32_t signal; /* shows the position */
};
/* Write from now on.  `unit` and `clock` live until `self` is destroyed or watched anew with
 * NULL. */
void traced_watch(void *self, struct wave_unit *unit, const struct traced_clock *clock);

#endif
