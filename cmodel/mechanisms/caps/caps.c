/* caps.c - CAPS and its variants: the CTA-aware prefetcher on the prefetch-aware scheduler,
 * with or without wake-up, or on the machine's own schedulers (caps-prefetch 3.7, Fig. 14).
 * The parts know nothing of each other; here they are joined. */
#include "mechanisms/caps/caps.h"

#include <stdio.h>
#include <string.h>

#include "mechanisms/caps/caps_core.h"
#include "mechanisms/caps/caps_pas.h"
#include "mechanisms/prefetch/prefetch.h"

/* What stands beside one SM. */
struct caps_sm {
    struct sm *sm;
    struct caps_core core;
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
    const int at = mshr_find(&caps->sm->mshr, block);
    (void)sm;
    if (at < 0 || caps->sm->mshr.entry[at].first.kind != ACCESS_PREFETCH) {
        return;
    }
    for (uint32_t n = 0; n < caps->n_pas; n++) {
        pas_wake(&caps->pas[n], caps->sm->mshr.entry[at].first.warp_slot);
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
    caps_core_advance(&caps->core, cycle);
}

static void stats(void *self, json_t *to)
{
    const struct caps *caps = self;
    struct caps_counters core = {0};
    struct pas_counters pas = {0};
    for (uint32_t i = 0; i < caps->n_sms; i++) {
        const struct caps_sm *sm = &caps->sm[i];
#define C(name, ...) core.name += sm->core.count.name;
        CAPS_COUNTERS(C)
#undef C
        for (uint32_t n = 0; n < sm->n_pas; n++) {
#define C(name, ...) pas.name += sm->pas[n].count.name;
            PAS_COUNTERS(C)
#undef C
        }
    }
#define C(name, by_whole, ...) \
    if (by_whole || !caps->sm[0].core.whole) { \
        json_object_set_new(to, #name, json_integer((json_int_t)core.name)); \
    }
    CAPS_COUNTERS(C)
#undef C
#define C(name, ...) json_object_set_new(to, #name, json_integer((json_int_t)pas.name));
    PAS_COUNTERS(C)
#undef C
}

/* ---- attaching ---- */

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at != '\0'; at += at[strcspn(at, " ")] == ' ') {
        const size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, word, n) == 0) {
            return true;
        }
        at += n;
    }
    return false;
}

/* The parameters behind "pas:". */
static void pas_parameters(const char *words, char *out, size_t n)
{
    const char *at = strstr(words, "pas:");
    snprintf(out, n, "%.*s", at != NULL ? (int)strcspn(at + 4, " ") : 0, at != NULL ? at + 4 : "");
}

static int attach_schedulers(struct mechanism_context *context, struct caps_sm *caps,
                             const char *words)
{
    char parameters[128];
    pas_parameters(words, parameters, sizeof parameters);
    const bool clears = strstr(parameters, "LEAD_CLEAR=1") != NULL;
    caps->n_pas = caps->sm->config->sm_schedulers;
    caps->core.listener = caps;
    caps->core.on_base = clears ? on_base : NULL;
    for (uint32_t n = 0; n < caps->n_pas; n++) {
        caps->pas[n].mark = true;
        caps->pas[n].wake_enabled = !has_word(words, "nowake");
        caps->pas[n].source = caps;
        caps->pas[n].before = clears ? before_pick : NULL;
        if (pas_attach(context, &caps->pas[n], caps->sm, n, parameters) != 0) {
            return -1;
        }
    }
    const struct observer observer = {.self = caps, .fill = on_fill};
    return mechanism_observe(context, caps->sm, &observer);
}

static int attach_sms(struct mechanism_context *context, struct caps *caps, const char *words)
{
    for (uint32_t i = 0; i < caps->n_sms; i++) {
        struct caps_sm *sm = &caps->sm[i];
        sm->sm = &context->gpu->sm[i];
        if (caps_core_attach(context, &sm->core, sm->sm, words) != 0 ||
            (has_word(words, "pas") && attach_schedulers(context, sm, words) != 0)) {
            return -1;
        }
    }
    return 0;
}

int attach_caps(struct mechanism_context *context, const char *argument)
{
    struct caps *caps = mechanism_keep(context, sizeof *caps);
    const uint32_t host = has_word(argument, "rr") ? SCHEDULER_LRR : SCHEDULER_TWO_LEVEL;
    if (caps == NULL || prefetch_socket_free(context) != 0 ||
        prefetch_host_scheduler(context, host) != 0) {
        return -1;
    }
    if (has_word(argument, "drop")) {
        context->gpu->config.l1d_prefetch_stall = PREFETCH_DROP;
    }
    caps->n_sms = context->gpu->n_sms;
    caps->sm = mechanism_keep(context, caps->n_sms * sizeof *caps->sm);
    const struct mechanism_report report = {.self = caps, .name = "caps", .statistics = stats};
    if (caps->sm == NULL || attach_sms(context, caps, argument) != 0 ||
        mechanism_reports(context, &report) != 0) {
        return -1;
    }
    return prefetch_report(context);
}
