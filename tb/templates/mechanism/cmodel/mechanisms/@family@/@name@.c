/* @name@.c - watches the L1D of every SM by the unit @unit@: each miss is a hit of the unit, and it is
 * cleared when a kernel starts (your document, its section).
 *
 * A beginning: `plug.h` has the other seams, `sockets.h` what each is asked, `view.h` what a mechanism
 * may read.  The unit runs as C model, RTL, netlist or in lockstep, as -b says. */
#include <stdio.h>

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

struct @name@ {
    struct unit_pins unit;
    uint64_t *hit, *clear, *hot;
    uint64_t misses, misses_when_hot;
};

static void step(struct @name@ *m, uint64_t hit, uint64_t clear)
{
    *m->hit = hit;
    *m->clear = clear;
    pins_comb(&m->unit);
    m->misses_when_hot += hit && *m->hot;
    pins_seq(&m->unit);
}

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct @name@ *m = self;
    (void)sm, (void)access, (void)set;
    if (result == RESULT_MISS) {
        m->misses++;
        step(m, 1, 0);
    }
}

static void kernel_start(void *self, uint32_t sm)
{
    (void)sm;
    step(self, 0, 1);
}

/* ---- attaching ---- */

static const struct counter counters[] = {
    {"misses", offsetof(struct @name@, misses)},
    {"misses_when_hot", offsetof(struct @name@, misses_when_hot)}};

static void statistics(void *self, json_t *into)
{
    instances_put(self, counters, sizeof counters / sizeof *counters, into);
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct @name@ *m = instance;
    const struct pin_name in[] = {{&m->hit, "hit"}, {&m->clear, "clear"}};
    const struct pin_name out[] = {{&m->hot, "hot"}};
    const struct observer observer = {
        .self = m, .acc_result = acc_result, .kernel_start = kernel_start};
    char where[48], limit[32];
    snprintf(where, sizeof where, "sm%u.@name@", core_id(core));
    snprintf(limit, sizeof limit, "LIMIT=%lld", (long long)mechanism_value(context, "limit"));
    if (pins_open(context, &m->unit, "@unit@", limit, where) != 0 ||
        pins_wire(context, &m->unit, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    return plug_observer(core, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct @name@), attach_core),
        .name = "@name@",
        .statistics = statistics};
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}

/* ---- what it says of itself ---- */

static const struct mechanism_option options[] = {
    OPTION_COUNT("limit", 12, 2, 255, "misses until the L1D is hot", NULL)};
static const struct mechanism_part parts[] = {{"counter", "@unit@"}};

const struct mechanism mechanism_@name@ = {
    .name = "@name@",
    .title = "watches the L1D: misses after the first few",
    .document = "your document",
    .section = "its section",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
