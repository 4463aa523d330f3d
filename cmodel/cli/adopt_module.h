/* adopt_module.h - what `warplock adopt` finds out about a module that others wrote: its ports, its
 * registers by their names in the RTL, its clock and its reset.
 *
 * Read from what Yosys writes (cli/adopt_tools.h); knows no file of a project. */
#ifndef WARPLOCK_CLI_ADOPT_MODULE_H
#define WARPLOCK_CLI_ADOPT_MODULE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ADOPT_NAME = 128, ADOPT_MOST = 1024 };

struct adopt_port {
    char name[ADOPT_NAME];
    unsigned width; /* bits */
    bool output;
    bool from_inputs; /* an output that inputs reach without a register */
};

struct adopt_state {
    char path[ADOPT_NAME]; /* as Yosys has it: "inst.count_q", "g[0].key" */
    unsigned width;        /* bits of a word */
    unsigned words;        /* 1 for a register */
    bool is_reset;         /* by the reset */
};

struct adopt_param {
    char name[ADOPT_NAME];
    int64_t value;
};

struct adopt_module {
    char name[ADOPT_NAME];
    struct adopt_port *ports; /* without clock and reset */
    size_t n_ports;
    struct adopt_state *state;
    size_t n_state;
    struct adopt_param *params; /* numbers alone */
    size_t n_params, n_other_params;
    uint64_t bits; /* of state */
    char clock[ADOPT_NAME], reset[ADOPT_NAME];
    bool falling, low, asynchronous;
    bool by_name; /* no register says that the reset is one: its name does */
};

/* What Yosys says of a module: as it stands, with its resets found, and the names of its registers. */
struct adopt_found {
    json_t *plain, *resets;
    char *registers;
};

/* Fills `module`, whose clock and reset may be given; adopt_module_free in any case.  0, or -1 with one
 * line in `error`: what this module has that a unit cannot have, and the remedy. */
int adopt_module_read(struct adopt_module *module, const struct adopt_found *found, char *error,
                      size_t n_error);
void adopt_module_free(struct adopt_module *module);

#endif
