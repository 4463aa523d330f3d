/* monitors.c - concentration and balance of load accesses, measured by the units icm_monitor and
 * balance_monitor at every L1D (wang2015-divergence 3.8, Eq 3.1 and 3.2).
 *
 * The machine counts the same by itself (concentration_divergent, concentration_all, balance);
 * what a unit has counted otherwise is a difference.  Cycles without an access change nothing
 * in these units and are left out. */
#include "mechanisms/monitors/monitors.h"

#include <stdio.h>

#include "mechanisms/ports.h"

/* The monitor of one L1D. */
struct monitor {
    struct sm *sm;
    struct unit_pins unit;
    uint64_t *acc_v, *set_index, *last; /* last: of icm only */
    uint64_t *ev_v, *nacc, *nsets, *overrun;
    uint64_t *total, *sum, *overflow;

    uint64_t loads, divergent, missed; /* missed: accesses the unit could not count */
    double all, of_divergent;          /* sums of accesses / sets over the loads */
};

struct monitors {
    uint32_t n;
    struct monitor *at; /* [SMs] */
    char words[160];
};

static void edge(struct monitor *monitor)
{
    pins_comb(&monitor->unit);
    pins_seq(&monitor->unit);
    *monitor->acc_v = 0;
    pins_comb(&monitor->unit);
}

static int attach(struct mechanism_context *context, const struct mechanism_report *as,
                  int (*open)(struct mechanism_context *context, struct monitor *monitor),
                  const struct observer *watching)
{
    struct monitors *monitors = mechanism_keep(context, sizeof *monitors);
    if (monitors == NULL) {
        return -1;
    }
    monitors->n = context->gpu->n_sms;
    monitors->at = mechanism_keep(context, monitors->n * sizeof *monitors->at);
    for (uint32_t i = 0; i < monitors->n && monitors->at != NULL; i++) {
        struct observer observer = *watching;
        observer.self = &monitors->at[i];
        monitors->at[i].sm = &context->gpu->sm[i];
        if (open(context, &monitors->at[i]) != 0 ||
            mechanism_observe(context, monitors->at[i].sm, &observer) != 0) {
            return -1;
        }
    }
    struct mechanism_report report = *as;
    report.self = monitors;
    return monitors->at == NULL ? -1 : mechanism_reports(context, &report);
}

/* ---- concentration ---- */

static void icm_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct monitor *monitor = self;
    (void)sm, (void)result;
    *monitor->acc_v = 1;
    *monitor->set_index = set;
    *monitor->last = access->position + 1u == access->n_requests;
    pins_comb(&monitor->unit);
    monitor->missed += *monitor->overrun;
    edge(monitor);
    if (*monitor->ev_v) {
        const double concentration = (double)*monitor->nacc / (double)*monitor->nsets;
        const bool divergent = *monitor->nacc > 2;
        monitor->loads++;
        monitor->all += concentration;
        monitor->divergent += divergent;
        monitor->of_divergent += divergent ? concentration : 0;
    }
}

static int icm_open(struct mechanism_context *context, struct monitor *monitor)
{
    const struct pin_name in[] = {
        {&monitor->acc_v, "acc_v"}, {&monitor->set_index, "set_index"}, {&monitor->last, "last"}};
    const struct pin_name out[] = {{&monitor->ev_v, "ev_v"},
                                   {&monitor->nacc, "nacc"},
                                   {&monitor->nsets, "nsets"},
                                   {&monitor->overrun, "overrun"}};
    char where[48], overrides[32];
    snprintf(where, sizeof where, "sm%u.l1d.icm", monitor->sm->id);
    snprintf(overrides, sizeof overrides, "SETS=%u", monitor->sm->config->l1d_sets);
    return pins_open(context, &monitor->unit, "icm_monitor", overrides, where) != 0
               ? -1
               : pins_wire(context, &monitor->unit, in, sizeof in / sizeof *in, out,
                           sizeof out / sizeof *out);
}

static void icm_statistics(void *self, json_t *to)
{
    const struct monitors *monitors = self;
    uint64_t loads = 0, divergent = 0, missed = 0;
    double all = 0, of_divergent = 0;
    for (uint32_t i = 0; i < monitors->n; i++) {
        loads += monitors->at[i].loads;
        divergent += monitors->at[i].divergent;
        missed += monitors->at[i].missed;
        all += monitors->at[i].all;
        of_divergent += monitors->at[i].of_divergent;
    }
    json_object_set_new(to, "loads", json_integer((json_int_t)loads));
    json_object_set_new(to, "loads_divergent", json_integer((json_int_t)divergent));
    json_object_set_new(to, "overruns", json_integer((json_int_t)missed));
    gpu_put_real(to, "concentration_all", loads > 0 ? all / (double)loads : 1);
    gpu_put_real(to, "concentration_divergent",
                 divergent > 0 ? of_divergent / (double)divergent : 1);
}

static const char *icm_difference(void *self)
{
    struct monitors *monitors = self;
    for (uint32_t i = 0; i < monitors->n; i++) {
        const struct monitor *monitor = &monitors->at[i];
        const struct sm_stats *stats = &monitor->sm->stats;
        if (monitor->all != stats->concentration_all ||
            monitor->of_divergent != stats->concentration_divergent) {
            snprintf(monitors->words, sizeof monitors->words,
                     "sm%u.l1d.icm: concentrations add up to %.17g, the machine's to %.17g", i,
                     monitor->all, stats->concentration_all);
            return monitors->words;
        }
    }
    return NULL;
}

int attach_icm(struct mechanism_context *context, const char *argument)
{
    (void)argument;
    if (context->gpu->config.ldst_replay_queue != 0) {
        snprintf(context->error, context->n_error,
                 "icm follows one load after the other: set ldst.replay_queue=0");
        return -1;
    }
    return attach(context,
                  &(struct mechanism_report){
                      .name = "icm", .statistics = icm_statistics, .difference = icm_difference},
                  icm_open, &(struct observer){.acc_result = icm_access});
}

/* ---- balance ---- */

enum { COUNT_BITS = 24 }; /* the unit's widest: 16.7 M accesses of one set */

static void balance_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                           enum access_result result)
{
    struct monitor *monitor = self;
    (void)sm, (void)access, (void)result;
    *monitor->acc_v = 1;
    *monitor->set_index = set;
    pins_comb(&monitor->unit);
    monitor->missed += *monitor->overflow;
    edge(monitor);
}

static int balance_open(struct mechanism_context *context, struct monitor *monitor)
{
    const struct pin_name in[] = {{&monitor->acc_v, "acc_v"}, {&monitor->set_index, "set_index"}};
    const struct pin_name out[] = {
        {&monitor->total, "total"}, {&monitor->sum, "sum"}, {&monitor->overflow, "overflow"}};
    char where[48], overrides[48];
    snprintf(where, sizeof where, "sm%u.l1d.balance", monitor->sm->id);
    snprintf(overrides, sizeof overrides, "SETS=%u,COUNT_W=%d", monitor->sm->config->l1d_sets,
             COUNT_BITS);
    return pins_open(context, &monitor->unit, "balance_monitor", overrides, where) != 0
               ? -1
               : pins_wire(context, &monitor->unit, in, sizeof in / sizeof *in, out,
                           sizeof out / sizeof *out);
}

/* Eq 3.2; the mean is over the SMs that made accesses. */
static void balance_statistics(void *self, json_t *to)
{
    const struct monitors *monitors = self;
    uint64_t total = 0, missed = 0, sms = 0;
    double sum = 0;
    for (uint32_t i = 0; i < monitors->n; i++) {
        const struct monitor *monitor = &monitors->at[i];
        const double m = (double)*monitor->total, sets = monitor->sm->config->l1d_sets;
        if (*monitor->total > 0) {
            sum += (double)*monitor->sum / (m / (2 * sets) * (m + 2 * sets - 1));
            sms++;
        }
        total += *monitor->total;
        missed += monitor->missed;
    }
    json_object_set_new(to, "accesses", json_integer((json_int_t)total));
    json_object_set_new(to, "overflows", json_integer((json_int_t)missed));
    gpu_put_real(to, "balance", sms > 0 ? sum / (double)sms : 0);
}

static const char *balance_difference(void *self)
{
    struct monitors *monitors = self;
    for (uint32_t i = 0; i < monitors->n; i++) {
        const struct monitor *monitor = &monitors->at[i];
        uint64_t total = 0, sum = 0;
        for (uint32_t set = 0; set < monitor->sm->config->l1d_sets; set++) {
            const uint64_t b = monitor->sm->stats.set_accesses[set];
            total += b;
            sum += b * (b + 1) / 2;
        }
        if (monitor->missed == 0 && (total != *monitor->total || sum != *monitor->sum)) {
            snprintf(monitors->words, sizeof monitors->words,
                     "sm%u.l1d.balance: %llu accesses, sum %llu; the machine has %llu, %llu", i,
                     (unsigned long long)*monitor->total, (unsigned long long)*monitor->sum,
                     (unsigned long long)total, (unsigned long long)sum);
            return monitors->words;
        }
    }
    return NULL;
}

int attach_balance(struct mechanism_context *context, const char *argument)
{
    (void)argument;
    return attach(context,
                  &(struct mechanism_report){.name = "balance",
                                             .statistics = balance_statistics,
                                             .difference = balance_difference},
                  balance_open, &(struct observer){.acc_result = balance_access});
}
