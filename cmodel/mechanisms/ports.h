/* ports.h - a unit inside a mechanism: its ports by name, its cycle.
 *
 * Names are looked up once, when the mechanism is attached; afterwards a port is a
 * pointer to its first 64-bit slot.  It knows units only by their description. */
#ifndef WARPLOCK_MECHANISMS_PORTS_H
#define WARPLOCK_MECHANISMS_PORTS_H

#include <string.h>

#include "mechanisms/mechanism.h"

/* One unit with the slots of its ports; all storage belongs to the mechanism set. */
struct unit_pins {
    const struct unit_backend *backend;
    void *instance;
    uint64_t *in, *out;
    uint64_t *settled_in; /* inputs of the last pins_settle */
    bool settled;         /* and no clock edge since */
};

/* Open `unit` at `overrides`, all inputs 0, in its reset state.  `where` as in
 * mechanism_open.  Returns 0, or -1 with the context's error. */
int pins_open(struct mechanism_context *context, struct unit_pins *pins, const char *unit,
              const char *overrides, const char *where);

/* One port to be found: `*slot` becomes its first slot. */
struct pin_name {
    uint64_t **slot;
    const char *name;
};
/* Find all of `names`, inputs and outputs alike; 0, or -1 with the error naming the port that the
 * unit does not have. */
int pins_all(struct mechanism_context *context, const struct unit_pins *pins,
             const struct pin_name *names, size_t n);
/* Inputs, then outputs: pins_wire(context, &pins, PINS(in), PINS(out)). */
#define PINS(names) (names), sizeof(names) / sizeof *(names)
int pins_wire(struct mechanism_context *context, const struct unit_pins *pins,
              const struct pin_name *in, size_t n_in, const struct pin_name *out, size_t n_out);

/* The value of a parameter of the unit; it must have one of that name. */
int64_t pins_parameter(const struct unit_pins *pins, const char *name);

/* Outputs from state and inputs. */
static inline void pins_comb(const struct unit_pins *pins)
{
    pins->backend->comb(pins->instance, pins->in, pins->out);
}

/* Outputs from state and inputs, for a unit that is asked often: not computed again while neither
 * has changed. */
static inline void pins_settle(struct unit_pins *pins)
{
    const size_t bytes = pins->backend->desc->in_slots * sizeof *pins->in;
    if (!pins->settled || memcmp(pins->settled_in, pins->in, bytes) != 0) {
        pins_comb(pins);
        memcpy(pins->settled_in, pins->in, bytes);
        pins->settled = true;
    }
}

/* The clock edge. */
static inline void pins_seq(struct unit_pins *pins)
{
    pins->settled = false;
    pins->backend->seq(pins->instance, pins->in, false);
}

#endif
