/* oaws.c - OAWS: occlusion-aware warp scheduling (wang2015 3.16-3.19).
 *
 * A gate before the schedulers: a load known to be divergent may issue only when the
 * misses predicted for it fit into the MSHR entries that are free and not yet spoken for
 * (Eq 5.1).  OAWS-Static predicts a fixed share of its lanes, OAWS-Dyn by the load's
 * history, the warp's age and its class.  Predictions are clamped to the MSHR count, so
 * a load always qualifies when the MSHRs are empty and nothing is in flight (D-OAWS-4):
 * nothing can be held for ever.
 *
 * All that one cycle brings (an issue, a retirement, an access) is collected and given to
 * the units with that cycle's clock edge; what they then say holds from the next cycle. */
#include "mechanisms/oaws/oaws.h"

#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/gto.h"

/* ---- the clock ---- */

/* Without loads, and with the entries free that it has taken, it stays as it is. */
static void clock_budget(struct oaws *o)
{
    const bool loads = *o->budget_at.issue_valid || *o->budget_at.retire_valid;
    if (!loads && *o->budget_at.free_cnt == o->budget_free_cnt) {
        return;
    }
    o->budget_free_cnt = *o->budget_at.free_cnt;
    pins_comb(&o->budget);
    pins_seq(&o->budget);
    *o->budget_at.issue_valid = *o->budget_at.retire_valid = *o->budget_at.retire_pred = 0;
}

static void clock_units(struct oaws *o)
{
    oaws_classifier_offer(o);
    oaws_predict_cycle(o); /* looks the classifier up as it stands */
    pins_seq(&o->store);
    oaws_classifier_clock(o);
    clock_budget(o);
}

/* Carry out the clock edges of all cycles before `now`.  The clock stops after the cycle
 * in which the last warp left. */
static void advance(struct oaws *o, uint64_t now)
{
    const uint64_t last = o->residents > 0 ? now : o->cycle + 1;
    for (; o->clocked && o->cycle < now && o->cycle < last; o->cycle++) {
        clock_units(o);
    }
    o->clocked = o->residents > 0;
    o->cycle = now;
}

static bool begin(void *self, uint64_t now, uint64_t skipped)
{
    (void)skipped; /* launches advance the units between two steps too */
    advance(self, now);
    return true;
}

/* Avail_mshr is what this cycle leaves. */
static bool end(void *self)
{
    struct oaws *o = self;
    const struct mshr_file *mshrs = core_mshrs(o->core);
    *o->budget_at.free_cnt = mshrs->n - mshrs->used;
    return false;
}

/* ---- qualification ---- */

/* Those of `divergent` that do not fit the budget. */
static uint64_t occluding(struct oaws *o, uint64_t divergent, uint32_t number)
{
    const uint32_t schedulers = core_config(o->core)->sm_schedulers;
    const uint64_t *predictions = oaws_predictions(o);
    uint64_t local = 0, occluded = 0;
    pins_settle(&o->budget);
    if (o->said[number].divergent == divergent && o->said[number].budget == *o->budget_at.budget) {
        return o->said[number].occluded;
    }
    for (uint64_t left = divergent; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        local |= UINT64_C(1) << (slot / schedulers);
        o->requal_at[number].pred[slot / schedulers] = predictions[slot];
    }
    *o->requal_at[number].ready = *o->requal_at[number].is_div_load = local;
    *o->requal_at[number].budget = *o->budget_at.budget;
    pins_comb(&o->requal[number]);
    for (uint64_t left = *o->requal_at[number].occlude; left != 0; left &= left - 1) {
        occluded |= UINT64_C(1) << ((uint32_t)__builtin_ctzll(left) * schedulers + number);
    }
    o->said[number].divergent = divergent;
    o->said[number].budget = *o->budget_at.budget;
    o->said[number].occluded = occluded;
    return occluded;
}

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    struct oaws *o = self;
    if (o->moved != 0) {
        oaws_buffer_update(o);
    }
    if (!o->kind.dynamic && o->kind.smr_k == 0) {
        return ~UINT64_C(0); /* D-OAWS-8: nothing is tested, nothing waits */
    }
    const uint64_t divergent = view->issuable & o->divergent;
    return ~(o->unknown | (divergent == 0 ? 0 : occluding(o, divergent, number)));
}

static void issued(void *self, uint32_t slot)
{
    struct oaws *o = self;
    const struct oaws_entry *entry = oaws_next(o, slot);
    const bool tested = entry->is_load && entry->predicted && entry->divergent;
    o->issuing = (struct oaws_load){.prediction = 1, .tested = tested};
    if (tested) {
        o->issuing.prediction = (uint32_t)oaws_predictions(o)[slot];
    }
    o->issuing.gprio = o->kind.dynamic ? ranks_of(&o->ranks, slot) : 0;
    o->issued_pc[slot] = core_warp(o->core, slot)->pc;
    o->moved |= UINT64_C(1) << slot;
}

/* ---- the pipeline's events ---- */

static void kernel_start(void *self, uint32_t sm)
{
    struct oaws *o = self;
    (void)sm;
    oaws_classifier_kernel_start(o);
    oaws_buffer_clear(o);
    o->load_head = o->n_loads = 0;
    if (o->kind.dynamic) {
        partition_start(&o->partition);
    }
}

/* A launch comes before the SM's step of that cycle. */
static void warp_launch(void *self, uint32_t sm, uint32_t slot)
{
    struct oaws *o = self;
    (void)sm;
    advance(o, core_next_cycle(o->core));
    o->clocked = true;
    o->residents++;
    o->moved |= UINT64_C(1) << slot;
    o->fresh |= UINT64_C(1) << slot;
    if (o->kind.dynamic) {
        ranks_launch(&o->ranks, slot);
    }
}

static void warp_exit(void *self, uint32_t sm, uint32_t slot)
{
    struct oaws *o = self;
    (void)sm;
    oaws_buffer_update(o);
    o->moved &= ~(UINT64_C(1) << slot);
    o->residents--;
    if (o->kind.dynamic) {
        ranks_exit(&o->ranks, slot);
    }
}

static void issue_mem(void *self, uint32_t sm, uint32_t slot, uint32_t pc, bool is_load,
                      uint32_t mask, uint32_t priority)
{
    struct oaws *o = self;
    (void)sm, (void)slot, (void)pc, (void)mask, (void)priority;
    o->is_load = is_load;
}

static void coalesce_done(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t n)
{
    struct oaws *o = self;
    (void)sm, (void)slot;
    if (!o->is_load || n == 0) {
        return;
    }
    o->issuing.in_flight = o->issuing.prediction;
    o->load[(o->load_head + o->n_loads++) % OAWS_LOADS] = o->issuing;
    *o->budget_at.issue_valid = 1;
    *o->budget_at.issue_pred = o->issuing.prediction;
    o->now.coal = true;
    o->now.coal_pc = pc;
    o->now.nreq = n;
}

/* So much of the prediction of the load in service is no longer in flight. */
static void release(struct oaws *o, uint32_t misses)
{
    struct oaws_load *load = &o->load[o->load_head];
    const uint32_t n = misses < load->in_flight ? misses : load->in_flight;
    load->in_flight -= n;
    *o->budget_at.retire_valid = 1;
    *o->budget_at.retire_pred += n;
}

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct oaws *o = self;
    (void)sm, (void)set;
    if (o->kind.per_access && result == RESULT_MISS) {
        release(o, 1);
    }
    if (access->n_requests <= 2) {
        return; /* coherent loads are not counted */
    }
    o->now.acc = true;
    o->now.acc_pc = access->pc;
    o->now.miss = result != RESULT_HIT;
}

static void count_load(struct oaws_counts *counts, const struct oaws_load *load, uint32_t n,
                       uint32_t misses)
{
    if (!load->tested) {
        counts->loads_untested_divergent += n > 2;
        return;
    }
    counts->loads_tested++;
    counts->predicted_misses += load->prediction;
    counts->real_misses += misses;
    counts->excess += load->prediction > misses ? load->prediction - misses : 0;
    counts->shortfall += load->prediction < misses ? misses - load->prediction : 0;
}

static void load_retire(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t priority,
                        uint32_t n, uint32_t misses)
{
    struct oaws *o = self;
    const struct oaws_load *load = &o->load[o->load_head];
    (void)sm, (void)slot, (void)pc, (void)priority;
    release(o, load->in_flight);
    if (o->kind.dynamic) {
        partition_retire(&o->partition, n, misses > 0, load->gprio);
    }
    count_load(&o->counts, load, n, misses);
    o->load_head = (o->load_head + 1) % OAWS_LOADS;
    o->n_loads--;
}

/* ---- attaching ---- */

#define COUNTER(name) \
    { \
        #name, offsetof(struct oaws, counts.name) \
    }
static const struct counter counters[] = {
    COUNTER(loads_tested),     COUNTER(loads_untested_divergent),
    COUNTER(predicted_misses), COUNTER(real_misses),
    COUNTER(excess),           COUNTER(shortfall),
    COUNTER(refreshes),        COUNTER(classified),
    COUNTER(evicted),          COUNTER(unclassified)};
#undef COUNTER

static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    const struct oaws *first = instance_at(all, 0);
    const size_t n = sizeof counters / sizeof *counters;
    instances_put(all, counters, first->classifies_at_once ? n - 1 : n, into);
    if (first->kind.dynamic) {
        partition_statistics(all, offsetof(struct oaws, partition), into);
    }
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct oaws *o = instance;
    const struct gate_policy policy = {o, allow, issued};
    const struct observer observer = {.self = o,
                                      .kernel_start = kernel_start,
                                      .warp_launch = warp_launch,
                                      .warp_exit = warp_exit,
                                      .issue_mem = issue_mem,
                                      .coalesce_done = coalesce_done,
                                      .acc_result = acc_result,
                                      .load_retire = load_retire};
    const struct clocked_socket clock = {.self = o, .begin = begin, .end = end};
    o->core = core;
    o->kind = oaws_kind_of(context);
    if (oaws_open(context, o) != 0 || gate_attach(context, core, &policy) != 0 ||
        plug_observer(core, &context->plug, &observer) != 0) {
        return -1;
    }
    return plug_clock(core, &context->plug, &clock);
}

int oaws_attach(struct mechanism_context *context)
{
    struct mechanism_report report = {.name = "oaws", .statistics = statistics};
    if (gto_below(context) != 0) {
        return -1;
    }
    report.self = instances_of_cores(context, sizeof(struct oaws), attach_core);
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}
