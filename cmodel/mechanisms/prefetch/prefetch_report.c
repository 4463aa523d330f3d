/* prefetch_report.c - coverage, accuracy and timeliness of a prefetcher, from the machine's
 * own counters, and what became of its prefetches (caps-prefetch 5.2).  It knows no
 * prefetcher. */
#include <stdio.h>
#include <stdlib.h>

#include "mechanisms/prefetch/prefetch.h"
#include "mechanisms/prefetch/prefetch_outcome.h"

struct reported {
    struct machine *machine;
    struct outcome_watch *watch; /* [SMs] */
    char text[160];
};

struct totals {
    uint64_t demand, presented, issued, used, late, early, distance;
};

static struct totals sum(struct machine *machine)
{
    struct totals t = {0};
    for (uint32_t i = 0; i < machine_cores(machine); i++) {
        const struct sm_stats *s = core_stats(machine_core(machine, i));
        t.demand += s->load_accesses_coherent + s->load_accesses_divergent;
        t.presented += s->prefetch_accesses;
        t.issued += s->prefetch_issued;
        t.used += s->prefetch_used;
        t.late += s->prefetch_late;
        t.early += s->prefetch_evicted_early;
        t.distance += s->prefetch_distance;
    }
    return t;
}

static void put(json_t *to, const char *name, uint64_t part, uint64_t whole)
{
    gpu_put_real(to, name, whole != 0 ? (double)part / (double)whole : 0.0);
}

static void put_outcomes(const struct reported *reported, json_t *to)
{
    struct prefetch_outcomes sum = {0};
    for (uint32_t i = 0; i < machine_cores(reported->machine); i++) {
        const struct prefetch_outcomes one = prefetch_outcomes_now(&reported->watch[i]);
#define C(name, ...) sum.name += one.name;
        PREFETCH_OUTCOMES(C)
        PREFETCH_REASONS(C)
        C(used_by_other)
#undef C
    }
#define C(name, ...) put_count(to, #name, sum.name);
    PREFETCH_OUTCOMES(C)
    PREFETCH_REASONS(C)
    C(used_by_other)
#undef C
}

static void stats(void *self, json_t *to)
{
    const struct reported *reported = self;
    const struct totals t = sum(reported->machine);
    put(to, "coverage", t.issued, t.demand);
    put(to, "accuracy", t.used, t.issued);
    put(to, "late_ratio", t.late, t.issued);
    put(to, "early_ratio", t.early, t.issued);
    put(to, "distance_cycles", t.distance, t.used);
    put(to, "duplicate_ratio", t.presented - t.issued, t.presented);
    put_outcomes(reported, to);
}

/* Every issued prefetch has one outcome, every unused one a reason. */
static const char *difference(void *self)
{
    struct reported *reported = self;
    for (uint32_t i = 0; i < machine_cores(reported->machine); i++) {
        const struct sm_stats *s = core_stats(machine_core(reported->machine, i));
        const struct prefetch_outcomes f = prefetch_outcomes_now(&reported->watch[i]);
        const uint64_t used = f.used_on_time + f.used_late;
        uint64_t all = 0, reasons = 0;
#define C(name, ...) all += f.name;
        PREFETCH_OUTCOMES(C)
#undef C
#define C(name, ...) reasons += f.name;
        PREFETCH_REASONS(C)
#undef C
        if (all != s->prefetch_issued || used != s->prefetch_used || reasons != all - used) {
            snprintf(reported->text, sizeof reported->text,
                     "SM %u: %llu prefetches issued and %llu used, but %llu, %llu and %llu "
                     "reasons told apart",
                     i, (unsigned long long)s->prefetch_issued,
                     (unsigned long long)s->prefetch_used, (unsigned long long)all,
                     (unsigned long long)used, (unsigned long long)reasons);
            return reported->text;
        }
    }
    return NULL;
}

int prefetch_report(struct mechanism_context *context)
{
    struct machine *machine = context->machine;
    struct reported *reported = mechanism_keep(context, sizeof *reported);
    struct outcome_watch *watch = mechanism_keep(context, machine_cores(machine) * sizeof *watch);
    const struct mechanism_report report = {
        .self = reported, .name = "prefetch", .statistics = stats, .difference = difference};
    if (reported == NULL || watch == NULL) {
        return -1;
    }
    reported->machine = machine;
    reported->watch = watch;
    for (uint32_t i = 0; i < machine_cores(machine); i++) {
        if (outcome_watch_attach(context, &watch[i], machine_core(machine, i)) != 0) {
            return -1;
        }
    }
    return mechanism_reports(context, &report);
}
