/* icm.c - intra-warp concentration of load accesses, measured by the unit icm_monitor at every L1D
 * (wang2015 3.8, Eq 3.1).  It only watches, beside any other mechanism.
 *
 * The machine counts the same by itself (concentration_divergent, concentration_all); what the unit
 * has counted otherwise is a difference.  Cycles without an access change nothing in the unit and
 * are left out. */
#include <stdio.h>

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"
#include "mechanisms/sched/gate.h"

/* The monitor of one L1D. */
struct icm {
    const struct core *core;
    struct unit_pins unit;
    uint64_t *acc_valid, *set_index, *last;
    uint64_t *load_valid, *nacc, *nsets, *overrun;

    uint64_t loads, divergent, overruns; /* overruns: accesses the unit could not count */
    double all, of_divergent;            /* sums of accesses / sets over the loads */
    char words[160];                     /* of a difference */
};

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct icm *icm = self;
    (void)sm, (void)result;
    *icm->acc_valid = 1;
    *icm->set_index = set;
    *icm->last = access->position + 1u == access->n_requests;
    pins_comb(&icm->unit);
    icm->overruns += *icm->overrun;
    pins_seq(&icm->unit);
    *icm->acc_valid = 0;
    pins_comb(&icm->unit);
    if (*icm->load_valid) {
        const double concentration = (double)*icm->nacc / (double)*icm->nsets;
        const bool divergent = *icm->nacc > 2;
        icm->loads++;
        icm->all += concentration;
        icm->divergent += divergent;
        icm->of_divergent += divergent ? concentration : 0;
    }
}

/* ---- attaching ---- */

static const struct counter counters[] = {{"loads", offsetof(struct icm, loads)},
                                          {"loads_divergent", offsetof(struct icm, divergent)},
                                          {"overruns", offsetof(struct icm, overruns)}};

static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    const uint64_t loads = instances_sum(all, offsetof(struct icm, loads));
    const uint64_t divergent = instances_sum(all, offsetof(struct icm, divergent));
    double sum = 0, of_divergent = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct icm *icm = instance_at(all, i);
        sum += icm->all;
        of_divergent += icm->of_divergent;
    }
    instances_put(all, counters, sizeof counters / sizeof *counters, into);
    gpu_put_real(into, "concentration_all", loads > 0 ? sum / (double)loads : 1);
    gpu_put_real(into, "concentration_divergent",
                 divergent > 0 ? of_divergent / (double)divergent : 1);
}

static const char *difference(void *self)
{
    const struct instances *all = self;
    for (uint32_t i = 0; i < all->n; i++) {
        struct icm *icm = instance_at(all, i);
        const struct sm_stats *stats = core_stats(icm->core);
        if (icm->all != stats->concentration_all ||
            icm->of_divergent != stats->concentration_divergent) {
            snprintf(icm->words, sizeof icm->words,
                     "sm%u.l1d.icm: concentrations add up to %.17g, the machine's to %.17g", i,
                     icm->all, stats->concentration_all);
            return icm->words;
        }
    }
    return NULL;
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct icm *icm = instance;
    const struct pin_name in[] = {
        {&icm->acc_valid, "acc_valid"}, {&icm->set_index, "set_index"}, {&icm->last, "last"}};
    const struct pin_name out[] = {{&icm->load_valid, "load_valid"},
                                   {&icm->nacc, "nacc"},
                                   {&icm->nsets, "nsets"},
                                   {&icm->overrun, "overrun"}};
    const struct observer observer = {.self = icm, .acc_result = acc_result};
    char where[48], overrides[32];
    icm->core = core;
    snprintf(where, sizeof where, "sm%u.l1d.icm", core_id(core));
    snprintf(overrides, sizeof overrides, "SETS=%u", core_config(core)->l1d_sets);
    if (pins_open(context, &icm->unit, "icm_monitor", overrides, where) != 0 ||
        pins_wire(context, &icm->unit, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    return plug_observer(core, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct icm), attach_core),
        .name = "icm",
        .statistics = statistics,
        .difference = difference};
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}

static const struct mechanism_part parts[] = {{"monitor", "icm_monitor"}};
static const struct mechanism_need needs[] = {GATE_LOADS_IN_ORDER};

const struct mechanism mechanism_icm = {
    .name = "icm",
    .title = "watches the L1D: intra-warp concentration of its loads (ICM)",
    .document = "wang2015",
    .section = "3.8",
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
