/* portcheck.c - build tool: is a unit's table true of its RTL?
 *
 *   portcheck c.so design.json rtl.v
 *
 * Compares ports (names, directions, widths), clock and reset, and storage: every flip-flop and
 * memory bit that Yosys finds must be a STATE row of the table, bit for bit in
 * sum, so that "all state is compared" is checked and not only said.
 * design.json: Yosys write_json after `proc; memory -nomap; opt_clean; flatten`. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "tb/design.h"
#include "tb/timing.h"
#include "tb/value.h"

struct checker {
    const struct unit_desc *desc;
    struct unit_clocking clocking;
    const char *rtl;
    int errors;
};

static json_t *top_module(json_t *design, const char *name)
{
    json_t *modules = json_object_get(design, "modules");
    json_t *module = json_object_get(modules, name);
    void *first = json_object_iter(modules);
    return module != NULL ? module : json_object_iter_value(first);
}

static void check_port(struct checker *c, json_t *ports, const char *name, const char *direction,
                       uint64_t width)
{
    json_t *port = json_object_get(ports, name);
    if (port == NULL) {
        fprintf(stderr, "%s: no port %s, which the table of %s declares\n", c->rtl, name,
                c->desc->name);
        c->errors++;
        return;
    }
    const char *has = json_string_value(json_object_get(port, "direction"));
    const size_t bits = json_array_size(json_object_get(port, "bits"));
    if (has == NULL || strcmp(has, direction) != 0 || bits != width) {
        fprintf(stderr, "%s: port %s is %s of %zu bits; the table says %s of %" PRIu64 " bits\n",
                c->rtl, name, has != NULL ? has : "?", bits, direction, width);
        c->errors++;
    }
}

static void check_ports(struct checker *c, json_t *ports)
{
    const struct unit_desc *desc = c->desc;
    for (unsigned i = 0; i < desc->n_in; i++) {
        check_port(c, ports, desc->in[i].name, "input",
                   (uint64_t)desc->in[i].width * desc->in[i].lanes);
    }
    for (unsigned i = 0; i < desc->n_out; i++) {
        check_port(c, ports, desc->out[i].name, "output",
                   (uint64_t)desc->out[i].width * desc->out[i].lanes);
    }
    if (desc->kind == UNIT_SEQUENTIAL) {
        check_port(c, ports, c->clocking.clock, "input", 1);
        check_port(c, ports, c->clocking.reset, "input", 1);
    }
    const char *name;
    json_t *port;
    json_object_foreach(ports, name, port)
    {
        const bool clock = strcmp(name, c->clocking.clock) == 0 ||
                           strcmp(name, c->clocking.reset) == 0;
        if (!(clock && desc->kind == UNIT_SEQUENTIAL) &&
            value_port(desc->in, desc->n_in, name) == NULL &&
            value_port(desc->out, desc->n_out, name) == NULL) {
            fprintf(stderr, "%s: port %s is not in the table of %s\n", c->rtl, name, desc->name);
            c->errors++;
        }
    }
}

static void check_timings(struct checker *c)
{
    for (unsigned r = 0; r < c->desc->n_timings; r++) {
        const struct unit_timing *row = &c->desc->timings[r];
        struct timing_slots slots;
        if (r == TIMING_ROWS || !timing_slots(c->desc, row, &slots)) {
            fprintf(stderr,
                    "%s: row %u of TIMING in the table of %s: at most %d rows of an input, an "
                    "output or ALWAYS, and an output, of one bit each, and of less than %d cycles, "
                    "the interval at least 1\n",
                    c->rtl, r + 1, c->desc->name, TIMING_ROWS, TIMING_CYCLES);
            c->errors++;
            return;
        }
    }
}

static json_t *pin(json_t *cell, const char *name, size_t bit)
{
    return json_array_get(json_object_get(json_object_get(cell, "connections"), name), bit);
}

/* Does a cell's pin come from this port and no other place? */
static bool comes_from(json_t *cell, const char *name, json_t *ports, const char *port)
{
    json_t *bits = json_object_get(json_object_get(ports, port), "bits");
    return json_equal(pin(cell, name, 0), json_array_get(bits, 0));
}

/* What a flip-flop or a write of a memory is clocked by, NULL for another cell. */
static const char *clock_of(const char *type)
{
    return strstr(type, "dff") != NULL ? "CLK" : strcmp(type, "$mem_v2") == 0 ? "WR_CLK" : NULL;
}

static void refuse_clocking(struct checker *c, const char *cell, const char *words)
{
    fprintf(stderr, "%s: %s: %s\n", c->rtl, cell, words);
    c->errors++;
}

/* All state moves at the edge of the table's clock, and only its reset acts without one. */
static void check_clocking(struct checker *c, json_t *ports, json_t *cells)
{
    const struct unit_clocking *is = &c->clocking;
    const char *name;
    json_t *cell;
    json_object_foreach(cells, name, cell)
    {
        const char *type = json_string_value(json_object_get(cell, "type"));
        const char *clock = clock_of(type);
        if (clock == NULL || pin(cell, clock, 0) == NULL) {
            continue;
        }
        const char *polarity = *clock == 'C' ? "CLK_POLARITY" : "WR_CLK_POLARITY";
        if (!comes_from(cell, clock, ports, is->clock)) {
            refuse_clocking(c, name, "has another clock than the table's; a unit has one");
        } else if ((design_parameter(cell, polarity) & 1) == (uint64_t)is->falling) {
            refuse_clocking(c, name, "counts the other edge than the table's CLOCK");
        } else if (strstr(type, "dffsr") != NULL || strstr(type, "aldff") != NULL) {
            refuse_clocking(
                c, name,
                "is set or loaded without a clock edge; a reset to constants is all that may be");
        } else if (strstr(type, "adff") != NULL &&
                   (!is->asynchronous || !comes_from(cell, "ARST", ports, is->reset) ||
                    (design_parameter(cell, "ARST_POLARITY") & 1) == (uint64_t)is->low)) {
            refuse_clocking(c, name, "has another asynchronous reset than the table's RESET says");
        }
    }
}

static uint64_t storage_bits(json_t *cells)
{
    uint64_t bits = 0;
    const char *name;
    json_t *cell;
    json_object_foreach(cells, name, cell)
    {
        const char *type = json_string_value(json_object_get(cell, "type"));
        if (strcmp(type, "$mem_v2") == 0 || strcmp(type, "$mem") == 0) {
            bits += design_parameter(cell, "SIZE") * design_parameter(cell, "WIDTH");
        } else if (strstr(type, "dff") != NULL) {
            bits += design_parameter(cell, "WIDTH");
        } else if (strstr(type, "dlatch") != NULL || strcmp(type, "$sr") == 0) {
            return UINT64_MAX;
        }
    }
    return bits;
}

static bool at_standard(const struct unit_desc *desc)
{
    for (unsigned i = 0; i < desc->n_params; i++) {
        if (desc->params[i].value != desc->params[i].standard) {
            return false;
        }
    }
    return true;
}

/* Bit for bit at the standard parameters; elsewhere a parameter may make some of the
 * table's state dead, which Yosys then drops, but never the other way round. */
static void check_storage(struct checker *c, json_t *cells)
{
    uint64_t declared = 0;
    for (unsigned i = 0; i < c->desc->n_state; i++) {
        declared += (uint64_t)c->desc->state[i].width * c->desc->state[i].depth;
    }
    const uint64_t found = storage_bits(cells);
    if (found == UINT64_MAX) {
        fprintf(stderr, "%s: has a latch; assign every signal on every path\n", c->rtl);
        c->errors++;
    } else if (found > declared || (found < declared && at_standard(c->desc))) {
        fprintf(stderr,
                "%s: %" PRIu64 " bits of flip-flops and memories, but the table of %s declares "
                "%" PRIu64 "; add or correct STATE rows\n",
                c->rtl, found, c->desc->name, declared);
        c->errors++;
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: portcheck c.so design.json rtl.v\n", stderr);
        return 2;
    }
    struct design_files files;
    if (!design_open(&files, "portcheck", argv[1], argv[2])) {
        return 2;
    }
    struct checker checker = {files.desc, files.clocking, argv[3], 0};
    json_t *module = top_module(files.json, checker.desc->name);
    check_ports(&checker, json_object_get(module, "ports"));
    check_clocking(&checker, json_object_get(module, "ports"), json_object_get(module, "cells"));
    check_storage(&checker, json_object_get(module, "cells"));
    check_timings(&checker);
    design_close(&files);
    return checker.errors > 0;
}
