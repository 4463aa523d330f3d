/* spref_attach.c - the mechanism `spref`: a unit spref_top beside each SM, its options, its counters
 * (lakshminarayana2014-graph 3.1, 3.1.9). */
#include <stdio.h>
#include <stdlib.h>

#include "mechanisms/instances.h"
#include "mechanisms/spref/spref.h"

enum { DISTANCE_DYNAMIC, DISTANCE_1 };
enum { TARGET_REGISTER, TARGET_CACHE };

static int wire(struct mechanism_context *context, struct spref *s)
{
    const struct pin_name names[] = {
#include "mechanisms/port_rows.h"
#define PORT_IN(name) {&s->port.name, #name},
#define PORT_OUT(name) {&s->port.name, #name},
#include "units/spref/spref_top/spref_top.ports.h"
#undef PORT_IN
#undef PORT_OUT
#include "units/no_rows.h"
    };
    return pins_all(context, &s->pins, names, sizeof names / sizeof *names);
}

static void destroy(void *self)
{
    free(((struct spref *)self)->number);
}

static int attach_sm(struct mechanism_context *context, struct core *core, void *instance)
{
    struct spref *s = instance;
    char where[48], overrides[96];
    s->core = core;
    s->spare = mechanism_value(context, "spare");
    s->compiled = mechanism_value(context, "compiler") != 0;
    s->spare_register = mechanism_keep(context,
                                       SPREF_WARPS * SPREF_REGISTERS * sizeof *s->spare_register);
    if (s->spare_register == NULL || mechanism_at_end(context, destroy, s) != 0) {
        return -1;
    }
    snprintf(where, sizeof where, "sm%u.spref", core_id(core));
    snprintf(overrides, sizeof overrides, "WARPS=%u,FIXED1=%d,CACHE_ONLY=%d",
             core_config(core)->sm_warps, mechanism_value(context, "distance") == DISTANCE_1,
             mechanism_value(context, "target") == TARGET_CACHE);
    if (pins_open(context, &s->pins, "spref_top", overrides, where) != 0 || wire(context, s) != 0) {
        return -1;
    }
    return spref_plug(context, s);
}

static void put_fraction(json_t *into, const char *name, uint64_t part, uint64_t whole)
{
    json_object_set_new(into, name, json_real(whole ? (double)part / (double)whole : 0));
}

/* Of the lanes that were loaded into spare registers: moved without a wait, moved after one, not moved. */
static void put_fractions(const struct instances *all, json_t *into)
{
    const uint64_t loaded = instances_sum(all, offsetof(struct spref, count.injected_lanes)) -
                            instances_sum(all, offsetof(struct spref, count.cache_lanes)),
                   moved = instances_sum(all, offsetof(struct spref, count.moved_lanes)),
                   late = instances_sum(all, offsetof(struct spref, count.late_lanes));
    put_fraction(into, "useful", moved - late, loaded);
    put_fraction(into, "late", late, loaded);
    put_fraction(into, "useless", loaded - moved, loaded);
}

static void statistics(void *self, json_t *into)
{
    static const struct counter counters[] = {
#define SPREF_COUNTER(name, meaning) {#name, offsetof(struct spref, count.name)},
        SPREF_COUNTERS(SPREF_COUNTER)
#undef SPREF_COUNTER
    };
    instances_put(self, counters, sizeof counters / sizeof *counters, into);
    put_fractions(self, into);
}

static int attach(struct mechanism_context *context)
{
    if (mechanism_value(context, "target") == TARGET_CACHE &&
        mechanism_value(context, "distance") != DISTANCE_1) {
        return mechanism_fail(context,
                              "spref: target=cache is of distance=1 (SPREF1-C); give both");
    }
    machine_needs_values(context->machine, "spref");
    struct instances *all = instances_of_cores(context, sizeof(struct spref), attach_sm);
    const struct mechanism_report report = {.self = all, .name = "spref", .statistics = statistics};
    return all == NULL ? -1 : mechanism_reports(context, &report);
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE("distance", DISTANCE_DYNAMIC, "dynamic|1", "iterations ahead: by counts, or one",
                  "3.1.6"),
    OPTION_CHOICE("target", TARGET_REGISTER, "register|cache",
                  "where tails go: with cache (and distance=1) they are never moves", "3.1.9"),
    OPTION_COUNT("compiler", 0, 0, 1, "1: loops and counts as a compiler marks them (C-SPREF)",
                 "3.1.8"),
    OPTION_COUNT("spare", 64, 0, 64, "spare registers of a thread; 64: what the occupancy leaves",
                 "3.1.2")};

static const struct mechanism_part parts[] = {{"top", "spref_top"}};

static bool has_no_stages(const struct gpu_config *c)
{
    return c->operands_banks == 0;
}

static bool works_by_lines(const struct gpu_config *c)
{
    return c->l1d_sector_bytes == 0;
}

static const struct mechanism_need needs[] = {
    {has_no_stages, "spref injects at the issue stage of an SM with pipes of fixed latency; set "
                    "operands.banks = 0"},
    {works_by_lines, "spref's loads fill an L1D of lines; set l1d.sector_bytes = 0"}};

const struct mechanism mechanism_spref = {.name = "spref",
                                          .title = "prefetching into spare registers (SPREF)",
                                          .document = "lakshminarayana2014-graph",
                                          .section = "3.1",
                                          MECHANISM_OPTIONS(options),
                                          MECHANISM_PARTS(parts),
                                          MECHANISM_NEEDS(needs),
                                          .promises = PLUG_LOCAL | PLUG_QUIET,
                                          .attach = attach};
