/* adopt_module.c - see adopt_module.h. */
#include "cli/adopt_module.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/adopt_reading.h"

/* The port of one bit that is this net, NULL for none. */
static const char *port_of(json_t *ports, json_t *net)
{
    const char *name;
    json_t *port;
    json_object_foreach(ports, name, port)
    {
        json_t *bits = get(port, "bits");
        if (json_array_size(bits) == 1 && json_equal(json_array_get(bits, 0), net)) {
            return name;
        }
    }
    return NULL;
}

/* ---- nets and what drives them ---- */

static void each_output(json_t *cell, void (*with)(struct reading *, json_t *cell, json_t *net),
                        struct reading *r)
{
    const char *name;
    json_t *direction;
    json_object_foreach(get(cell, "port_directions"), name, direction)
    {
        json_t *bits = pin(cell, name);
        const bool output = strcmp(json_string_value(direction), "output") == 0;
        for (size_t i = 0; output && i < json_array_size(bits); i++) {
            with(r, cell, json_array_get(bits, i));
        }
    }
}

static void note_highest(struct reading *r, json_t *cell, json_t *net)
{
    (void)cell;
    r->n_nets = net_number(net) >= r->n_nets ? net_number(net) + 1 : r->n_nets;
}

static void note_driver(struct reading *r, json_t *cell, json_t *net)
{
    if (net_number(net) > 0) {
        r->driver[net_number(net)] = cell;
    }
}

static int find_drivers(struct reading *r)
{
    const char *name;
    json_t *cell;
    json_object_foreach(r->cells, name, cell)
    {
        each_output(cell, note_highest, r);
    }
    r->driver = calloc(r->n_nets + 1, sizeof *r->driver);
    r->seen = calloc(r->n_nets + 1, 1);
    if (r->driver == NULL || r->seen == NULL) {
        return REFUSE(r, "out of memory");
    }
    json_object_foreach(r->cells, name, cell)
    {
        each_output(cell, note_driver, r);
    }
    return 0;
}

/* Does an input reach this net without a register between?  Clock and reset are none. */
static bool from_inputs(struct reading *r, json_t *net)
{
    json_t *cell = driver_of(r, net), *direction;
    const char *name;
    if (cell == NULL) {
        const char *port = port_of(r->ports, net);
        return json_is_integer(net) && (port == NULL || (strcmp(port, r->module->clock) != 0 &&
                                                         strcmp(port, r->module->reset) != 0));
    }
    if (is_flop(cell) || r->seen[net_number(net)]) {
        return false;
    }
    r->seen[net_number(net)] = 1;
    json_object_foreach(get(cell, "port_directions"), name, direction)
    {
        const bool read = strcmp(json_string_value(direction), "input") == 0 &&
                          (!is_memory(cell) || strncmp(name, "RD_ADDR", 7) == 0);
        json_t *bits = pin(cell, name);
        for (size_t i = 0; read && i < json_array_size(bits); i++) {
            if (from_inputs(r, json_array_get(bits, i))) {
                return true;
            }
        }
    }
    return false;
}

/* ---- clock and reset ---- */

/* The one clock of all state. */
static int find_clock(struct reading *r)
{
    struct adopt_module *m = r->module;
    const char *name;
    json_t *cell;
    json_object_foreach(r->cells, name, cell)
    {
        const char *clock = is_flop(cell) ? "CLK" : is_memory(cell) ? "WR_CLK" : NULL;
        if (strstr(type_of(cell), "latch") != NULL || strcmp(type_of(cell), "$sr") == 0) {
            return REFUSE(r, "it has a latch (%s); a unit's state moves at clock edges alone",
                          name);
        }
        json_t *net = clock != NULL ? json_array_get(pin(cell, clock), 0) : NULL;
        if (net == NULL) {
            continue;
        }
        const char *port = port_of(r->ports, net);
        const bool falling = (number_of(cell, is_flop(cell) ? "CLK_POLARITY" : "WR_CLK_POLARITY") &
                              1) == 0;
        if (port == NULL) {
            return REFUSE(r,
                          "%s is clocked by no input, but by a gated or divided clock; bring the "
                          "clock in as a port, or adopt the part behind it",
                          name);
        }
        if (m->clock[0] != '\0' && (strcmp(port, m->clock) != 0 || falling != m->falling)) {
            return REFUSE(r,
                          "it has two clocks, %s%s and %s%s; a unit has one, adopt the parts one "
                          "by one",
                          m->clock, m->falling ? " falling" : "", port, falling ? " falling" : "");
        }
        snprintf(m->clock, sizeof m->clock, "%s", port);
        m->falling = falling;
    }
    return 0;
}

/* The input behind a reset's net, through an inverter or none; `high` is made what is active there. */
static const char *reset_port(const struct reading *r, json_t *cells, json_t *net, bool *high)
{
    const char *port = port_of(r->ports, net), *name;
    json_t *cell;
    if (port != NULL) {
        return port;
    }
    json_object_foreach(cells, name, cell)
    {
        const bool inverter = strcmp(type_of(cell), "$not") == 0 ||
                              strcmp(type_of(cell), "$logic_not") == 0;
        if (inverter && json_equal(json_array_get(pin(cell, "Y"), 0), net)) {
            *high = !*high;
            return port_of(r->ports, json_array_get(pin(cell, "A"), 0));
        }
    }
    return NULL;
}

static bool is_input(const struct reading *r, const char *port)
{
    const char *direction = json_string_value(get(get(r->ports, port), "direction"));
    return direction != NULL && strcmp(direction, "input") == 0;
}

static bool reset_word(const char *name)
{
    char lower[ADOPT_NAME];
    size_t n = 0;
    for (; name[n] != '\0' && n + 1 < sizeof lower; n++) {
        lower[n] = (char)tolower((unsigned char)name[n]);
    }
    lower[n] = '\0';
    return strstr(lower, "rst") != NULL || strstr(lower, "reset") != NULL;
}

/* One candidate that registers are reset by. */
struct reset {
    const char *port;
    bool low, asynchronous;
    uint64_t bits;
};

/* What resets most: an asynchronous one before any other, one called so before one that is not. */
static uint64_t weight(const struct reset *reset)
{
    return (reset->asynchronous ? UINT64_C(1) << 62 : 0) +
           (reset_word(reset->port) ? UINT64_C(1) << 61 : 0) + reset->bits;
}

static int find_reset(struct reading *r)
{
    struct adopt_module *m = r->module;
    json_t *cells = get(r->resets, "cells"), *cell;
    struct reset all[32], *best = NULL;
    size_t n = 0;
    const char *name;
    json_object_foreach(cells, name, cell)
    {
        json_t *arst = pin(cell, "ARST"), *srst = pin(cell, "SRST"), *net = arst ? arst : srst;
        bool high = number_of(cell, arst ? "ARST_POLARITY" : "SRST_POLARITY") & 1;
        const char *port = is_flop(cell) && net != NULL
                               ? reset_port(r, cells, json_array_get(net, 0), &high)
                               : NULL;
        size_t i = 0;
        if (port == NULL) {
            continue;
        }
        for (; i < n && (strcmp(all[i].port, port) != 0 || all[i].low == high); i++) {
        }
        if (i == n && n < sizeof all / sizeof *all) {
            all[n++] = (struct reset){port, !high, false, 0};
        }
        if (i < n) {
            all[i].asynchronous |= arst != NULL;
            all[i].bits += number_of(cell, "WIDTH");
        }
    }
    for (size_t i = 0; i < n; i++) {
        const bool asked = m->reset[0] == '\0' || strcmp(m->reset, all[i].port) == 0;
        if (asked && (best == NULL || weight(&all[i]) > weight(best))) {
            best = &all[i];
        }
    }
    if (best != NULL) {
        snprintf(m->reset, sizeof m->reset, "%s", best->port);
        m->low = best->low;
        m->asynchronous = best->asynchronous;
    }
    return best != NULL;
}

/* By its name: rst_n, rst_ni, resetn, nrst are low. */
static void find_reset_by_name(struct reading *r)
{
    struct adopt_module *m = r->module;
    const char *name;
    json_t *port;
    json_object_foreach(r->ports, name, port)
    {
        if (m->reset[0] == '\0' && is_input(r, name) && json_array_size(get(port, "bits")) == 1 &&
            reset_word(name)) {
            snprintf(m->reset, sizeof m->reset, "%s", name);
        }
    }
    const size_t n = strlen(m->reset);
    m->by_name = n > 0;
    m->low = n > 0 && (tolower((unsigned char)m->reset[0]) == 'n' ||
                       tolower((unsigned char)m->reset[n - 1]) == 'n' ||
                       (n > 3 && strcmp(m->reset + n - 3, "_ni") == 0));
}

/* ---- ports and parameters ---- */

static int read_ports(struct reading *r)
{
    struct adopt_module *m = r->module;
    const char *name;
    json_t *port;
    m->ports = calloc(json_object_size(r->ports) + 1, sizeof *m->ports);
    if (m->ports == NULL) {
        return REFUSE(r, "out of memory");
    }
    json_object_foreach(r->ports, name, port)
    {
        json_t *bits = get(port, "bits");
        struct adopt_port *to = &m->ports[m->n_ports];
        const char *direction = json_string_value(get(port, "direction"));
        if (strcmp(direction, "inout") == 0) {
            return REFUSE(r,
                          "port %s is inout; a unit has inputs and outputs, write a module around "
                          "it that has both",
                          name);
        }
        if (strlen(name) >= sizeof to->name ||
            strspn(name, "abcdefghijklmnopqrstuvwxyz"
                         "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name)) {
            return REFUSE(r, "port '%s' has a name that C cannot read; write a module around it",
                          name);
        }
        if (strcmp(name, m->clock) == 0 || strcmp(name, m->reset) == 0) {
            continue;
        }
        snprintf(to->name, sizeof to->name, "%s", name);
        to->width = (unsigned)json_array_size(bits);
        to->output = strcmp(direction, "output") == 0;
        memset(r->seen, 0, r->n_nets);
        for (size_t i = 0; to->output && i < json_array_size(bits); i++) {
            to->from_inputs = to->from_inputs || from_inputs(r, json_array_get(bits, i));
        }
        m->n_ports++;
    }
    return 0;
}

/* Numbers of at most 64 bits: signed ones as 32 bits, as Verilog's integers are. */
static int read_params(struct reading *r, json_t *defaults)
{
    struct adopt_module *m = r->module;
    const char *name;
    json_t *value;
    m->params = calloc(json_object_size(defaults) + 1, sizeof *m->params);
    if (m->params == NULL) {
        return REFUSE(r, "out of memory");
    }
    json_object_foreach(defaults, name, value)
    {
        const char *bits = json_string_value(value);
        const size_t n = bits != NULL ? strlen(bits) : 0;
        uint64_t sum = 0;
        if (n == 0 || n > 64 || strspn(bits, "01") != n || strlen(name) >= ADOPT_NAME) {
            m->n_other_params++;
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            sum = sum * 2 + (bits[i] == '1');
        }
        struct adopt_param *to = &m->params[m->n_params++];
        snprintf(to->name, sizeof to->name, "%s", name);
        to->value = n == 32 ? (int32_t)(uint32_t)sum : (int64_t)sum;
    }
    return 0;
}

static int read_all(struct reading *r, const struct adopt_found *found, json_t *top)
{
    struct adopt_module *m = r->module;
    const bool asked = m->reset[0] != '\0';
    if (find_drivers(r) != 0 || adopt_state_read(r, found->registers) != 0 || find_clock(r) != 0) {
        return -1;
    }
    if (m->n_state > 0 && asked && !is_input(r, m->reset)) {
        return REFUSE(r, "it has no input %s that could be the reset", m->reset);
    }
    if (m->n_state > 0 && !find_reset(r)) {
        find_reset_by_name(r);
    }
    if (m->n_state > 0 && m->reset[0] == '\0') {
        return REFUSE(r, "it has registers and no reset that could be seen; name the input with "
                         "--reset, or write a module around it that resets it");
    }
    return read_ports(r) != 0 ? -1 : read_params(r, get(top, "parameter_default_values"));
}

int adopt_module_read(struct adopt_module *module, const struct adopt_found *found, char *error,
                      size_t n_error)
{
    json_t *top = get(get(found->plain, "modules"), module->name);
    struct reading r = {.module = module,
                        .ports = get(top, "ports"),
                        .nets = get(top, "netnames"),
                        .cells = get(top, "cells"),
                        .resets = get(get(found->resets, "modules"), module->name),
                        .error = error,
                        .n_error = n_error};
    const int status = top != NULL && r.resets != NULL
                           ? read_all(&r, found, top)
                           : REFUSE(&r, "there is no module %s", module->name);
    free(r.driver);
    free(r.seen);
    return status;
}

void adopt_module_free(struct adopt_module *module)
{
    free(module->ports);
    free(module->state);
    free(module->params);
}
