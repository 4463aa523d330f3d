/* inside.h - what else is inside an RTL instance: every wire and register, by name.
 *
 * Only an open backend shows it: the RTL built with all signals kept (tb/open.mk), slower,
 * for waveforms.  It is a leaf backend named "rtl" whose context is a struct inside.
 * Shared by C and the binding. */
#ifndef WARPLOCK_TB_INSIDE_H
#define WARPLOCK_TB_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "units/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One signal, or 64 bits of a longer one, or one word of a memory. */
struct inside_signal {
    char scope[128]; /* instances below the unit, separated by dots; "" for the unit */
    char name[128];
    unsigned width; /* 1..64 */
};

struct inside {
    size_t (*count)(void *self);
    /* Signal i, in the same order for every instance. */
    void (*describe)(void *self, size_t i, struct inside_signal *signal);
    /* All values as of the last comb or seq. */
    void (*values)(void *self, uint64_t *values);
};

/* NULL for a backend that is not open. */
static inline const struct inside *inside_of(const struct unit_backend *backend)
{
    return strcmp(backend->name, "rtl") == 0 ? (const struct inside *)backend->context : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
