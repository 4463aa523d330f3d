/* value.h - finds ports and fields by name, reads and prints their values. */
#ifndef WARPLOCK_TB_VALUE_H
#define WARPLOCK_TB_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "units/unit.h"

static inline const struct unit_port *value_port(const struct unit_port *ports, unsigned n,
                                                 const char *name)
{
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(ports[i].name, name) == 0) {
            return &ports[i];
        }
    }
    return NULL;
}

static inline const struct unit_field *value_field_named(const struct unit_desc *desc,
                                                         const char *name)
{
    for (unsigned i = 0; i < desc->n_state; i++) {
        if (strcmp(desc->state[i].name, name) == 0) {
            return &desc->state[i];
        }
    }
    return NULL;
}

/* Element `i` of a state field.  Hosts are little-endian, like Verilated models. */
static inline uint64_t value_of_field(const struct unit_field *field, const void *state, unsigned i)
{
    uint64_t value = 0;
    memcpy(&value, (const char *)state + field->offset_bytes + i * field->element_bytes,
           field->element_bytes);
    return value;
}

static inline uint64_t value_mask(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The name of `value` of port or field `of`, or NULL. */
static inline const char *value_enum(const struct unit_desc *desc, const char *of, uint64_t value)
{
    for (unsigned i = 0; i < desc->n_enums; i++) {
        if (desc->enums[i].value == value && strcmp(desc->enums[i].of, of) == 0) {
            return desc->enums[i].name;
        }
    }
    return NULL;
}

#endif
