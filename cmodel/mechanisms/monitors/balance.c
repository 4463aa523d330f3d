/* balance.c - balance of the load accesses over the sets, measured by the unit balance_monitor at
 * every L1D (wang2015 3.8, Eq 3.2).  It only watches, beside any other mechanism.
 *
 * The machine counts the same by itself (balance); what the unit has counted otherwise is a
 * difference.  Cycles without an access change nothing in the unit and are left out. */
#include <inttypes.h>
#include <stdio.h>

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

/* The monitor of one L1D. */
struct balance {
    const struct core *core;
    struct unit_pins unit;
    uint64_t *acc_valid, *set_index;
    uint64_t *total, *sum, *overflow;

    uint64_t overflows; /* accesses the unit could not count */
    char words[160];    /* of a difference */
};

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct balance *balance = self;
    (void)sm, (void)access, (void)result;
    *balance->acc_valid = 1;
    *balance->set_index = set;
    pins_comb(&balance->unit);
    balance->overflows += *balance->overflow;
    pins_seq(&balance->unit);
    *balance->acc_valid = 0;
    pins_comb(&balance->unit);
}

/* ---- attaching ---- */

/* Eq 3.2; the mean is over the SMs that made accesses. */
static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    uint64_t total = 0, sms = 0;
    double sum = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct balance *balance = instance_at(all, i);
        const double m = (double)*balance->total, sets = core_config(balance->core)->l1d_sets;
        if (*balance->total > 0) {
            sum += (double)*balance->sum / (m / (2 * sets) * (m + 2 * sets - 1));
            sms++;
        }
        total += *balance->total;
    }
    put_count(into, "accesses", total);
    put_count(into, "overflows", instances_sum(all, offsetof(struct balance, overflows)));
    gpu_put_real(into, "balance", sms > 0 ? sum / (double)sms : 0);
}

static const char *difference(void *self)
{
    const struct instances *all = self;
    for (uint32_t i = 0; i < all->n; i++) {
        struct balance *balance = instance_at(all, i);
        uint64_t total = 0, sum = 0;
        for (uint32_t set = 0; set < core_config(balance->core)->l1d_sets; set++) {
            const uint64_t b = core_stats(balance->core)->set_accesses[set];
            total += b;
            sum += b * (b + 1) / 2;
        }
        if (balance->overflows == 0 && (total != *balance->total || sum != *balance->sum)) {
            snprintf(balance->words, sizeof balance->words,
                     "sm%u.l1d.balance: %" PRIu64 " accesses, sum %" PRIu64
                     "; the machine has %" PRIu64 ", %" PRIu64,
                     i, *balance->total, *balance->sum, total, sum);
            return balance->words;
        }
    }
    return NULL;
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct balance *balance = instance;
    const struct pin_name in[] = {{&balance->acc_valid, "acc_valid"},
                                  {&balance->set_index, "set_index"}};
    const struct pin_name out[] = {
        {&balance->total, "total"}, {&balance->sum, "sum"}, {&balance->overflow, "overflow"}};
    const struct observer observer = {.self = balance, .acc_result = acc_result};
    char where[48], overrides[48];
    balance->core = core;
    snprintf(where, sizeof where, "sm%u.l1d.balance", core_id(core));
    snprintf(overrides, sizeof overrides, "SETS=%u,COUNT_W=%u", core_config(core)->l1d_sets,
             (uint32_t)mechanism_value(context, "count_bits"));
    if (pins_open(context, &balance->unit, "balance_monitor", overrides, where) != 0 ||
        pins_wire(context, &balance->unit, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    return plug_observer(core, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct balance), attach_core),
        .name = "balance",
        .statistics = statistics,
        .difference = difference};
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}

/* The standard holds 16.7 M accesses of one set. */
static const struct mechanism_option options[] = {
    OPTION_COUNT("count_bits", 24, 2, 24, "bits that count the accesses of one set", "3.8")};
static const struct mechanism_part parts[] = {{"monitor", "balance_monitor"}};

const struct mechanism mechanism_balance = {
    .name = "balance",
    .title = "watches the L1D: balance of the accesses over its sets (BAL)",
    .document = "wang2015",
    .section = "3.8",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
