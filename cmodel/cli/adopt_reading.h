/* adopt_reading.h - one reading of a module by cli/adopt_module.c and cli/adopt_state.c: what both ask
 * of the cells and nets that Yosys writes (write_json). */
#ifndef WARPLOCK_CLI_ADOPT_READING_H
#define WARPLOCK_CLI_ADOPT_READING_H

#include <string.h>

#include "cli/adopt_module.h"

/* One reading: `driver` has the cell behind each net, by the net's number. */
struct reading {
    struct adopt_module *module;
    json_t *ports, *nets, *cells, *resets;
    json_t **driver;
    unsigned char *seen;
    size_t n_nets;
    char *error;
    size_t n_error;
};

#define REFUSE(r, ...) (snprintf((r)->error, (r)->n_error, __VA_ARGS__), -1)

static inline json_t *get(json_t *object, const char *name)
{
    return json_object_get(object, name);
}

static inline const char *type_of(json_t *cell)
{
    return json_string_value(get(cell, "type"));
}

static inline json_t *pin(json_t *cell, const char *name)
{
    return get(get(cell, "connections"), name);
}

/* A parameter of a cell: strings of 0 and 1. */
static inline uint64_t number_of(json_t *cell, const char *name)
{
    uint64_t sum = 0;
    json_t *value = get(get(cell, "parameters"), name);
    for (const char *bit = json_string_value(value); bit != NULL && *bit != '\0'; bit++) {
        sum = sum * 2 + (*bit == '1');
    }
    return sum;
}

static inline bool is_flop(json_t *cell)
{
    return strstr(type_of(cell), "dff") != NULL;
}

static inline bool is_memory(json_t *cell)
{
    return strcmp(type_of(cell), "$mem_v2") == 0;
}

static inline size_t net_number(json_t *net)
{
    return json_is_integer(net) ? (size_t)json_integer_value(net) : 0;
}

static inline json_t *driver_of(const struct reading *r, json_t *net)
{
    const size_t n = net_number(net);
    return n > 0 && n < r->n_nets ? r->driver[n] : NULL;
}

/* The registers and memories of the module, by the names in `registers` (struct adopt_found).  0, or -1
 * with the error. */
int adopt_state_read(struct reading *r, const char *registers);

#endif
