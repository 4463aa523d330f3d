/* gtsc.c - G-TSC, GPU Time Stamp Coherence, as two mechanisms: sequential and release consistency
 * (tabbakh2018-coherence 3.6).  A unit gtsc_l1 in every SM, gtsc_l2 in every L2 bank, and one
 * gtsc_reset_ctl. */
#include <stdio.h>

#include "mechanisms/coherence/coherence.h"
#include "mechanisms/coherence/leases.h"
#include "mechanisms/gtsc/gtsc_reset.h"

/* The greatest of the units' parameters LINES and BANKS. */
enum { MOST_L1_LINES = 4096, MOST_L2_LINES = 16384, MOST_BANKS = 32 };

struct gtsc {
    struct gtsc_reset reset; /* with the banks and SMs */
    bool rc;
    unsigned ts_bits, epoch_bits;
    uint64_t lease;
    struct leases leases; /* for the checker */
};

/* ---- for the checker ---- */

static uint64_t resets(const void *self)
{
    return ((const struct gtsc *)self)->reset.resets;
}

static uint64_t epoch(const void *self, uint32_t sm)
{
    return ((const struct gtsc *)self)->reset.l1[sm].epoch;
}

static uint64_t load_time(const void *self, uint32_t sm)
{
    return ((const struct gtsc *)self)->reset.l1[sm].load_time;
}

static bool stamps(const void *self, uint32_t sm, uint32_t line, uint64_t *wts, uint64_t *rts)
{
    return gtsc_l1_stamps(&((const struct gtsc *)self)->reset.l1[sm], line, wts, rts);
}

/* ---- statistics ---- */

static void statistics(void *self, json_t *into)
{
    const struct gtsc_reset *reset = &((const struct gtsc *)self)->reset;
    struct gtsc_l1 sum = {0};
    struct gtsc_l2 banks = {0};
    for (uint32_t s = 0; s < reset->n_l1; s++) {
        sum.lease_expired += reset->l1[s].lease_expired;
        sum.lock_retries += reset->l1[s].lock_retries;
        sum.old_messages += reset->l1[s].old_messages;
        sum.merges_failed += reset->l1[s].merges_failed;
        sum.resets_adopted += reset->l1[s].resets_adopted;
        sum.parked += reset->l1[s].parked;
        sum.renewals_orphaned += reset->l1[s].renewals_orphaned;
    }
    for (uint32_t b = 0; b < reset->n_l2; b++) {
        banks.fills += reset->l2[b].fills;
        banks.renewals += reset->l2[b].renewals;
        banks.acks += reset->l2[b].acks;
    }
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"fills", banks.fills},
               {"renewals", banks.renewals},
               {"acks", banks.acks},
               {"renewals_orphaned", sum.renewals_orphaned},
               {"expired_misses", sum.lease_expired},
               {"lock_retries", sum.lock_retries},
               {"parked_waiters", sum.parked},
               {"merges_failed", sum.merges_failed},
               {"resets", reset->resets},
               {"resets_adopted", sum.resets_adopted},
               {"probes", reset->probes},
               {"old_messages", sum.old_messages}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        put_count(into, all[i].name, all[i].value);
    }
}

/* ---- plugging in ---- */

/* One more parameter of gtsc_l1 keeps out what the L1D does not do: it shows no bytes of before a
 * store in flight. */
static int plug_l1(struct mechanism_context *context, struct gtsc *gtsc, uint32_t number)
{
    struct gtsc_l1 *l1 = &gtsc->reset.l1[number];
    l1->core = machine_core(context->machine, number);
    l1->l1d = core_l1d(l1->core);
    l1->mshrs = core_mshrs(l1->core);
    l1->rc = gtsc->rc;
    l1->records.n_warps = core_config(l1->core)->sm_warps;
    l1->records.first = mechanism_keep(context, l1->records.n_warps * sizeof *l1->records.first);
    if (l1->records.first == NULL) {
        return -1;
    }
    char parameters[128];
    snprintf(parameters, sizeof parameters,
             "LINES=%u,WARPS=%u,RC=%d,TS_BITS=%u,EPOCH_BITS=%u,UPDATE_VISIBILITY=1",
             l1->l1d->sets * l1->l1d->ways, l1->records.n_warps, gtsc->rc, gtsc->ts_bits,
             gtsc->epoch_bits);
    return gtsc_open_l1(context, l1, parameters) != 0 ? -1 : gtsc_l1_plug(context, l1);
}

/* No bank hears of another's mem_ts: MEMTS_GLOBAL stays 0. */
static int plug_l2(struct mechanism_context *context, struct gtsc *gtsc, uint32_t number)
{
    struct gtsc_l2 *l2 = &gtsc->reset.l2[number];
    char parameters[128];
    l2->bank = machine_bank(context->machine, number);
    l2->cache = bank_cache(l2->bank);
    l2->overflow = &gtsc->reset.overflow;
    l2->bit = UINT64_C(1) << number;
    snprintf(parameters, sizeof parameters,
             "LINES=%u,TS_BITS=%u,EPOCH_BITS=%u,LEASE_BITS=5,MEMTS_GLOBAL=0",
             l2->cache->sets * l2->cache->ways, gtsc->ts_bits, gtsc->epoch_bits);
    if (gtsc_open_l2(context, l2, parameters) != 0) {
        return -1;
    }
    *l2->in.lease = gtsc->lease;
    return gtsc_l2_plug(context, l2);
}

/* SMs learn of a reset from answers and probes: RESET_MODE stays 0. */
static int plug_reset(struct mechanism_context *context, struct gtsc *gtsc)
{
    struct gtsc_reset *reset = &gtsc->reset;
    char parameters[96];
    snprintf(parameters, sizeof parameters, "BANKS=%u,SMS=%u,EPOCH_BITS=%u,RESET_MODE=0",
             reset->n_l2, reset->n_l1, gtsc->epoch_bits);
    return gtsc_open_reset(context, reset, parameters) != 0 ? -1 : gtsc_reset_plug(context, reset);
}

static int plug(struct mechanism_context *context, struct gtsc *gtsc)
{
    struct gtsc_reset *reset = &gtsc->reset;
    reset->n_l1 = machine_cores(context->machine);
    reset->n_l2 = machine_banks(context->machine);
    reset->l1 = mechanism_keep(context, reset->n_l1 * sizeof *reset->l1);
    reset->l2 = mechanism_keep(context, reset->n_l2 * sizeof *reset->l2);
    if (reset->l1 == NULL || reset->l2 == NULL) {
        return -1;
    }
    for (uint32_t s = 0; s < reset->n_l1; s++) {
        if (plug_l1(context, gtsc, s) != 0) {
            return -1;
        }
    }
    for (uint32_t b = 0; b < reset->n_l2; b++) {
        if (plug_l2(context, gtsc, b) != 0) {
            return -1;
        }
    }
    return plug_reset(context, gtsc);
}

static int attach(struct mechanism_context *context, bool rc)
{
    const struct coherence_rules rules = {
        .sequential = !rc, .barrier_drains = rc, .global_write = WRITE_THROUGH};
    struct gtsc *gtsc = mechanism_keep(context, sizeof *gtsc);
    if (gtsc == NULL) {
        return -1;
    }
    gtsc->rc = rc;
    gtsc->lease = (uint64_t)mechanism_value(context, "lease");
    gtsc->ts_bits = (unsigned)mechanism_value(context, "ts_bits");
    gtsc->epoch_bits = (unsigned)mechanism_value(context, "epoch_bits");
    if (2 * gtsc->lease + 2 > (UINT64_C(1) << gtsc->ts_bits) - 1) {
        return mechanism_fail(context,
                              "%s: two leases do not fit into a timestamp; give a shorter lease or "
                              "more ts_bits",
                              context->mechanism->name);
    }
    gtsc->leases = (struct leases){.logical = true,
                                   .epoch_numbers = 1u << gtsc->epoch_bits,
                                   .self = gtsc,
                                   .resets = resets,
                                   .epoch = epoch,
                                   .load_time = load_time,
                                   .stamps = stamps};
    const struct mechanism_report report = {gtsc, "gtsc", statistics, NULL};
    coherence_machine(context->machine, &rules);
    if (plug(context, gtsc) != 0 ||
        mechanism_offer(context, COHERENCE_LEASES, &gtsc->leases) != 0) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static int attach_sc(struct mechanism_context *context)
{
    return attach(context, false);
}

static int attach_rc(struct mechanism_context *context)
{
    return attach(context, true);
}

/* ---- what it says of itself ---- */

static bool l2_fetches_what_is_written(const struct gpu_config *config)
{
    return config->l2_write == L2_WRITE_BACK_FETCH;
}

static bool not_too_large(const struct gpu_config *config)
{
    return config->l1d_sets * config->l1d_ways <= MOST_L1_LINES &&
           config->l2_sets * config->l2_ways <= MOST_L2_LINES &&
           config->l2_partitions * config->l2_banks <= MOST_BANKS;
}

static bool not_too_small(const struct gpu_config *config)
{
    return config->sm_warps >= 2 && config->l1d_sets * config->l1d_ways >= 2;
}

static const struct mechanism_need needs[] = {
    {l2_fetches_what_is_written,
     "a written line needs its stamps from DRAM; set l2.write=back-fetch"},
    {not_too_large,
     "at most 4096 lines an L1D, 16384 a bank, 32 banks; lower the sizes of l1d or l2"},
    {not_too_small, "needs 2 warps and 2 lines at least; raise sm.warps or l1d.ways"}};
static const struct mechanism_option options[] = {
    OPTION_COUNT("lease", 10, 1, 31, "units of logical time that a copy is valid for",
                 "3.6.2, D-G2"),
    OPTION_COUNT("ts_bits", 16, 5, 16, "bits of a timestamp", "3.6.2"),
    OPTION_COUNT("epoch_bits", 4, 2, 8, "bits of the number of a reset", "3.6.8, D-G3")};
static const struct mechanism_part parts[] = {
    {"l1", "gtsc_l1"}, {"l2", "gtsc_l2"}, {"reset", "gtsc_reset_ctl"}};

const struct mechanism mechanism_gtsc_sc = {
    .name = "gtsc-sc",
    .title = "coherence: G-TSC, sequential consistency (G-TSC-SC)",
    .document = "tabbakh2018-coherence",
    .section = "3.6",
    .memory_model = "sc",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .attach = attach_sc};

const struct mechanism mechanism_gtsc_rc = {
    .name = "gtsc-rc",
    .title = "coherence: G-TSC, release consistency (G-TSC-RC)",
    .document = "tabbakh2018-coherence",
    .section = "3.6",
    .memory_model = "rc",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .attach = attach_rc};
