/* caps.c - CAPS and its variants: the CTA-aware prefetcher on the prefetch-aware scheduler,
 * with or without wake-up, or on the machine's own schedulers (caps-prefetch 3.7, Fig. 14).
 * The parts know nothing of each other; here they are joined. */
#include "mechanisms/caps/caps_core.h"
#include "mechanisms/caps/caps_pas.h"
#include "mechanisms/prefetch/prefetch.h"

/* What stands beside one SM. */
struct caps_sm {
    struct core *core;
    struct caps_core prefetcher;
    uint32_t n_pas; /* 0: the machine's scheduler */
    struct pas pas[MAX_SCHEDULERS];
};

struct caps {
    uint32_t n_sms;
    struct caps_sm *sm;
};

/* A line arrives: the warp that its prefetch named is told. */
static void on_fill(void *self, uint32_t sm, uint64_t block)
{
    struct caps_sm *caps = self;
    const struct mshr_file *mshrs = core_mshrs(caps->core);
    const int at = mshr_find(mshrs, block);
    (void)sm;
    if (at < 0 || mshrs->entry[at].first.kind != ACCESS_PREFETCH) {
        return;
    }
    for (uint32_t n = 0; n < caps->n_pas; n++) {
        pas_wake(&caps->pas[n], mshrs->entry[at].first.warp_slot);
    }
}

/* A base was registered: its warp may lose its marker (LEAD_CLEAR). */
static void on_base(void *self, uint32_t slot)
{
    struct caps_sm *caps = self;
    for (uint32_t n = 0; n < caps->n_pas; n++) {
        pas_base(&caps->pas[n], slot);
    }
}

static void before_pick(void *self, uint64_t cycle)
{
    struct caps_sm *caps = self;
    caps_core_advance(&caps->prefetcher, cycle);
}

static void stats(void *self, json_t *to)
{
    const struct caps *caps = self;
    struct caps_load_counters loads = {0};
    struct caps_strobes strobes = {0};
    struct pas_counters pas = {0};
    for (uint32_t i = 0; i < caps->n_sms; i++) {
        const struct caps_sm *sm = &caps->sm[i];
#define C(name, ...) loads.name += sm->prefetcher.count.name;
        CAPS_LOAD_COUNTERS(C)
#undef C
#define C(name, ...) strobes.name += sm->prefetcher.units.count.name;
        CAPS_STROBES(C)
#undef C
        for (uint32_t n = 0; n < sm->n_pas; n++) {
#define C(name, ...) pas.name += sm->pas[n].count.name;
            PAS_COUNTERS(C)
#undef C
        }
    }
#define C(name, by_one_cycle, ...) \
    if (by_one_cycle || !caps->sm[0].prefetcher.units.one_cycle) { \
        put_count(to, #name, loads.name); \
    }
    CAPS_LOAD_COUNTERS(C)
#undef C
#define C(name, by_whole, ...) \
    if (by_whole || !caps->sm[0].prefetcher.units.whole) { \
        put_count(to, #name, strobes.name); \
    }
    CAPS_STROBES(C)
#undef C
#define C(name, ...) put_count(to, #name, pas.name);
    PAS_COUNTERS(C)
#undef C
}

/* ---- attaching ---- */

enum host { HOST_PAS, HOST_TWO_LEVEL, HOST_ROUND_ROBIN };

/* Markers go with a base: the schedulers hear of bases before they decide. */
static int clear_markers(struct mechanism_context *context, struct caps_sm *caps)
{
    if (caps->prefetcher.units.whole) {
        return mechanism_fail(context, "caps: whole=1 tells of no bases, which pas.lead_clear=1 "
                                       "needs; leave one of them out");
    }
    caps->prefetcher.listener = caps;
    caps->prefetcher.on_base = on_base;
    for (uint32_t n = 0; n < caps->n_pas; n++) {
        caps->pas[n].source = caps;
        caps->pas[n].before = before_pick;
    }
    return 0;
}

static int attach_schedulers(struct mechanism_context *context, struct caps_sm *caps)
{
    const struct observer observer = {.self = caps, .fill = on_fill};
    caps->n_pas = core_config(caps->core)->sm_schedulers;
    for (uint32_t n = 0; n < caps->n_pas; n++) {
        caps->pas[n].wake_enabled = mechanism_value(context, "wake") != 0;
        if (pas_attach(context, &caps->pas[n], caps->core, n) != 0) {
            return -1;
        }
    }
    if (pas_clears_markers(&caps->pas[0]) && clear_markers(context, caps) != 0) {
        return -1;
    }
    return plug_observer(caps->core, &context->plug, &observer);
}

static int attach_sms(struct mechanism_context *context, struct caps *caps, enum host host)
{
    const bool whole = mechanism_value(context, "whole") != 0;
    for (uint32_t i = 0; i < caps->n_sms; i++) {
        struct caps_sm *sm = &caps->sm[i];
        sm->core = machine_core(context->machine, i);
        if (caps_core_attach(context, &sm->prefetcher, sm->core, whole) != 0 ||
            (host == HOST_PAS && attach_schedulers(context, sm) != 0)) {
            return -1;
        }
    }
    return 0;
}

static int attach(struct mechanism_context *context)
{
    const enum host host = (enum host)mechanism_value(context, "scheduler");
    const uint32_t own = host == HOST_ROUND_ROBIN ? SCHEDULER_LRR : SCHEDULER_TWO_LEVEL;
    struct caps *caps = mechanism_keep(context, sizeof *caps);
    if (host != HOST_PAS && mechanism_value(context, "wake") == 0) {
        return mechanism_fail(context, "caps: wake=0 is of scheduler=pas; leave it out");
    }
    if (caps == NULL || plug_own_schedulers(context->machine, &context->plug, own) != 0) {
        return -1;
    }
    if (mechanism_value(context, "drop") != 0) {
        machine_settings(context->machine)->l1d_prefetch_stall = PREFETCH_DROP;
    }
    caps->n_sms = machine_cores(context->machine);
    caps->sm = mechanism_keep(context, caps->n_sms * sizeof *caps->sm);
    const struct mechanism_report report = {.self = caps, .name = "caps", .statistics = stats};
    if (caps->sm == NULL || attach_sms(context, caps, host) != 0 ||
        mechanism_reports(context, &report) != 0) {
        return -1;
    }
    return prefetch_report(context);
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE("scheduler", HOST_PAS, "pas|two-level|rr", "the warp scheduler", "3.4"),
    OPTION_COUNT("wake", 1, 0, 1, "a prefetch that arrives makes its warp ready", "3.5"),
    OPTION_SWITCH("drop", "the L1D forgets prefetches that it cannot take at once", "3.8"),
    OPTION_SWITCH("whole", "the unit caps_top in place of its three parts", "3.2.8")};

static const struct mechanism_part parts[] = {{"percta", "caps_percta"},
                                              {"dist", "caps_dist"},
                                              {"gen", "caps_prefetch_gen"},
                                              {"top", "caps_top"},
                                              {"pas", "pas_sched"}};

const struct mechanism mechanism_caps = {.name = "caps",
                                         .title = "CTA-aware prefetching on the prefetch-aware "
                                                  "scheduler (CAPS)",
                                         .document = "caps-prefetch",
                                         .section = "3.2, 3.4-3.7",
                                         MECHANISM_OPTIONS(options),
                                         MECHANISM_PARTS(parts),
                                         .promises = PLUG_LOCAL | PLUG_QUIET,
                                         .attach = attach};
