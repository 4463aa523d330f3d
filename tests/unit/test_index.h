/* test_index.h - set-index units as functions from address to set, for the tests of
 * their distributions.  A test takes the library from cmocka's group state. */
#ifndef WARPLOCK_TESTS_TEST_INDEX_H
#define WARPLOCK_TESTS_TEST_INDEX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/backend.h"

/* An open unit with its pins. */
struct pins {
    const struct unit_backend *backend;
    void *self;
    uint64_t *in, *out;
};

/* Every form a distribution is checked on. */
static const char *const forms[] = {"c", "rtl", "netlist"};
enum { N_FORMS = sizeof forms / sizeof *forms };

static inline int library_setup(void **state)
{
    *state = library_new(NULL);
    return *state == NULL;
}

static inline int library_teardown(void **state)
{
    library_free(*state);
    return 0;
}

static inline void pins_open(struct pins *pins, void **state, const char *unit,
                             const char *overrides, const char *form)
{
    struct failure failure = {0};
    pins->backend = library_open(*state, unit, overrides, form, &failure);
    if (pins->backend == NULL) {
        fail_msg("%s", failure.words);
    }
    pins->self = pins->backend->create(pins->backend->context, 1);
    pins->in = calloc(pins->backend->desc->in_slots + 1, sizeof *pins->in);
    pins->out = calloc(pins->backend->desc->out_slots + 1, sizeof *pins->out);
    assert_true(pins->self != NULL && pins->in != NULL && pins->out != NULL);
}

static inline void pins_close(struct pins *pins)
{
    pins->backend->destroy(pins->self);
    free(pins->in);
    free(pins->out);
}

static inline unsigned pin_slot(const struct unit_port *ports, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(ports[i].name, name) == 0) {
            return ports[i].slot;
        }
    }
    fail_msg("no port %s", name);
    return 0;
}

static inline void pin_set(struct pins *pins, const char *name, uint64_t value)
{
    pins->in[pin_slot(pins->backend->desc->in, pins->backend->desc->n_in, name)] = value;
}

static inline uint64_t pin_get(const struct pins *pins, const char *name)
{
    return pins->out[pin_slot(pins->backend->desc->out, pins->backend->desc->n_out, name)];
}

static inline uint64_t param_of(const struct pins *pins, const char *name)
{
    for (unsigned i = 0; i < pins->backend->desc->n_params; i++) {
        if (strcmp(pins->backend->desc->params[i].name, name) == 0) {
            return (uint64_t)pins->backend->desc->params[i].value;
        }
    }
    fail_msg("no parameter %s", name);
    return 0;
}

/* The set of an address: `addr` is the only input of an index unit, `set_index` its
 * first output. */
static inline unsigned set_of(struct pins *pins, uint64_t addr)
{
    pins->in[0] = addr;
    pins->backend->comb(pins->self, pins->in, pins->out);
    return (unsigned)pins->out[0];
}

/* How many sets the addresses base + i * stride_bytes, i = 0 .. n-1, touch. */
static inline unsigned distinct_sets(struct pins *pins, uint64_t base, uint64_t stride_bytes,
                                     unsigned n)
{
    bool touched[4096] = {false};
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned set = set_of(pins, base + i * stride_bytes);
        count += !touched[set];
        touched[set] = true;
    }
    return count;
}

#endif
