/* ports.c - see ports.h. */
#include "mechanisms/ports.h"

#include <stdio.h>
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
    if (pins->in == NULL || pins->out == NULL) {
        return -1;
    }
    pins->backend->seq(pins->instance, pins->in, true);
    return 0;
}

static int find(struct mechanism_context *context, const char *unit, const struct unit_port *ports,
                unsigned n_ports, uint64_t *slots, const struct pin_name *wanted)
{
    for (unsigned i = 0; i < n_ports; i++) {
        if (strcmp(ports[i].name, wanted->name) == 0) {
            *wanted->slot = slots + ports[i].slot;
            return 0;
        }
    }
    snprintf(context->error, context->n_error,
             "unit %s has no port '%s'; compare its table with the mechanism's wiring", unit,
             wanted->name);
    return -1;
}

int pins_in(struct mechanism_context *context, const struct unit_pins *pins,
            const struct pin_name *names, size_t n)
{
    const struct unit_desc *desc = pins->backend->desc;
    for (size_t i = 0; i < n; i++) {
        if (find(context, desc->name, desc->in, desc->n_in, pins->in, &names[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

int pins_out(struct mechanism_context *context, const struct unit_pins *pins,
             const struct pin_name *names, size_t n)
{
    const struct unit_desc *desc = pins->backend->desc;
    for (size_t i = 0; i < n; i++) {
        if (find(context, desc->name, desc->out, desc->n_out, pins->out, &names[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

int pins_wire(struct mechanism_context *context, const struct unit_pins *pins,
              const struct pin_name *in, size_t n_in, const struct pin_name *out, size_t n_out)
{
    return pins_in(context, pins, in, n_in) != 0 ? -1 : pins_out(context, pins, out, n_out);
}
