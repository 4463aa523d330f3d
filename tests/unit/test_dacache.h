/* test_dacache.h - clocked units for the tests that wire several units together. */
#ifndef WARPLOCK_TESTS_TEST_DACACHE_H
#define WARPLOCK_TESTS_TEST_DACACHE_H

#include "test_index.h"

/* Opens a unit and resets it. */
static inline void unit_open(struct pins *pins, void **state, const char *unit,
                             const char *overrides, const char *form)
{
    pins_open(pins, state, unit, overrides, form);
    pins->backend->seq(pins->self, pins->in, true);
}

/* Outputs of the inputs as set. */
static inline void unit_comb(struct pins *pins)
{
    pins->backend->comb(pins->self, pins->in, pins->out);
}

/* The clock edge. */
static inline void unit_edge(struct pins *pins)
{
    pins->backend->seq(pins->self, pins->in, false);
}

/* The first element of an array input. */
static inline uint64_t *pin_array(struct pins *pins, const char *name)
{
    return pins->in + pin_slot(pins->backend->desc->in, pins->backend->desc->n_in, name);
}

#endif
