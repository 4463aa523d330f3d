/* ports.c - see ports.h. */
#include "mechanisms/ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pins_open(struct mechanism_context *context, struct unit_pins *pins, const char *unit,
              const char *overrides, const char *where)
{
    const struct mechanism_unit *opened = mechanism_open(context, unit, overrides, where);
    if (opened == NULL) {
        return -1;
    }
    const struct unit_desc *desc = opened->backend->desc;
    pins->backend = opened->backend;
    pins->instance = opened->instance;
    pins->in = mechanism_keep(context, (desc->in_slots + 1) * sizeof *pins->in);
    pins->out = mechanism_keep(context, (desc->out_slots + 1) * sizeof *pins->out);
    pins->settled_in = mechanism_keep(context, (desc->in_slots + 1) * sizeof *pins->in);
    if (pins->in == NULL || pins->out == NULL || pins->settled_in == NULL) {
        return -1;
    }
    pins->backend->seq(pins->instance, pins->in, true);
    return 0;
}

/* The slot of port `name`; NULL when there is none. */
static uint64_t *slot_of(const struct unit_port *ports, unsigned n_ports, uint64_t *slots,
                         const char *name)
{
    for (unsigned i = 0; i < n_ports; i++) {
        if (strcmp(ports[i].name, name) == 0) {
            return slots + ports[i].slot;
        }
    }
    return NULL;
}

enum { INPUTS = 1, OUTPUTS = 2 };

/* Find all of `names` among the unit's ports of these sides. */
static int find(struct mechanism_context *context, const struct unit_pins *pins, unsigned sides,
                const struct pin_name *names, size_t n)
{
    const struct unit_desc *desc = pins->backend->desc;
    for (size_t i = 0; i < n; i++) {
        uint64_t *slot = sides & INPUTS ? slot_of(desc->in, desc->n_in, pins->in, names[i].name)
                                        : NULL;
        if (slot == NULL && (sides & OUTPUTS)) {
            slot = slot_of(desc->out, desc->n_out, pins->out, names[i].name);
        }
        if (slot == NULL) {
            return mechanism_fail(
                context, "unit %s has no port '%s'; compare its table with the mechanism's wiring",
                desc->name, names[i].name);
        }
        *names[i].slot = slot;
    }
    return 0;
}

int pins_all(struct mechanism_context *context, const struct unit_pins *pins,
             const struct pin_name *names, size_t n)
{
    return find(context, pins, INPUTS | OUTPUTS, names, n);
}

int pins_wire(struct mechanism_context *context, const struct unit_pins *pins,
              const struct pin_name *in, size_t n_in, const struct pin_name *out, size_t n_out)
{
    return find(context, pins, INPUTS, in, n_in) != 0 ? -1
                                                      : find(context, pins, OUTPUTS, out, n_out);
}

int64_t pins_parameter(const struct unit_pins *pins, const char *name)
{
    const struct unit_desc *desc = pins->backend->desc;
    for (unsigned i = 0; i < desc->n_params; i++) {
        if (strcmp(desc->params[i].name, name) == 0) {
            return desc->params[i].value;
        }
    }
    fprintf(stderr, "unit %s has no parameter '%s'\n", desc->name, name);
    abort(); /* a slip in the mechanism's source */
}
