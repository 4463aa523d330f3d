/* prefetch_report.c - coverage, accuracy and timeliness of a prefetcher, from the machine's
 * own counters (caps-prefetch 5.2).  It knows no prefetcher. */
#include <stdio.h>
#include <stdlib.h>

#include "mechanisms/prefetch.h"

struct totals {
    uint64_t demand, presented, issued, used, late, early, distance;
};

static struct totals sum(const struct gpu *gpu)
{
    struct totals t = {0};
    for (uint32_t i = 0; i < gpu->n_sms; i++) {
        const struct sm_stats *s = &gpu->sm[i].stats;
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

/* Six significant places: the same text on every machine. */
static void put(json_t *to, const char *name, uint64_t part, uint64_t whole)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", whole != 0 ? (double)part / (double)whole : 0.0);
    json_object_set_new(to, name, json_real(strtod(text, NULL)));
}

static void stats(void *self, json_t *to)
{
    const struct totals t = sum(self);
    put(to, "coverage", t.issued, t.demand);
    put(to, "accuracy", t.used, t.issued);
    put(to, "late_ratio", t.late, t.issued);
    put(to, "early_ratio", t.early, t.issued);
    put(to, "distance_cycles", t.distance, t.used);
    put(to, "duplicate_ratio", t.presented - t.issued, t.presented);
}

int prefetch_report(struct mechanism_context *context)
{
    const struct mechanism_report report = {.self = context->gpu, .name = "prefetch",
                                            .statistics = stats};
    return mechanism_reports(context, &report);
}
