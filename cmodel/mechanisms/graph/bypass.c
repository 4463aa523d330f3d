/* bypass.c - lines that are not worth the place of their victim bypass the L1D, the L2 or both: MAT, AB,
 * OBM (lakshminarayana2014 3.5.1 to 3.5.3). */
#include <stddef.h>
#include <stdio.h>

#include "mechanisms/graph/bypass.h"

enum level { LEVEL_L1 = 1, LEVEL_L2 = 2, LEVEL_BOTH = 3 };

struct bypass {
    struct instances *l1, *l2;
    char difference[128];
};

static void put(const struct instances *all, const char *level, json_t *into)
{
    static const struct counter counters[] = {
        {"fills_decided", offsetof(struct bypass_cache, decided)},
        {"bypasses", offsetof(struct bypass_cache, bypassed)},
        {"insertions", offsetof(struct bypass_cache, inserted)},
        {"bypasses_effective", offsetof(struct bypass_cache, learnt_for)},
        {"bypasses_ineffective", offsetof(struct bypass_cache, learnt_against)},
        {"pairs_judged", offsetof(struct bypass_cache, judged)}};
    char name[48];
    for (size_t i = 0; all != NULL && i < sizeof counters / sizeof *counters; i++) {
        snprintf(name, sizeof name, "%s_%s", level, counters[i].name);
        put_count(into, name, instances_sum(all, counters[i].offset));
    }
}

static void statistics(void *self, json_t *into)
{
    const struct bypass *bypass = self;
    put(bypass->l1, "l1", into);
    put(bypass->l2, "l2", into);
}

static uint64_t sum(const struct instances *all, size_t offset)
{
    return all == NULL ? 0 : instances_sum(all, offset);
}

static const char *difference(void *self)
{
    struct bypass *bypass = self;
    const size_t offset = offsetof(struct bypass_cache, differences);
    const uint64_t found = sum(bypass->l1, offset) + sum(bypass->l2, offset);
    if (found == 0) {
        return NULL;
    }
    snprintf(bypass->difference, sizeof bypass->difference,
             "%llu times the exponent of a set was below the least or above the greatest",
             (unsigned long long)found);
    return bypass->difference;
}

static int attach(struct mechanism_context *context)
{
    struct bypass *bypass = mechanism_keep(context, sizeof *bypass);
    const struct mechanism_report report = {
        .self = bypass, .name = "bypass", .statistics = statistics, .difference = difference};
    const size_t bytes = sizeof(struct bypass_cache);
    if (bypass == NULL) {
        return -1;
    }
    const enum level level = (enum level)(mechanism_value(context, "level") + 1);
    if ((level & LEVEL_L1 &&
         (bypass->l1 = instances_of_cores(context, bytes, bypass_at_core)) == NULL) ||
        (level & LEVEL_L2 &&
         (bypass->l2 = instances_of_banks(context, bytes, bypass_at_bank)) == NULL)) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static bool has_lines(const struct gpu_config *config)
{
    return config->l1d_enable && config->l1d_sector_bytes == 0 && !config->l2_sectors &&
           config->l1d_allocate == ALLOCATE_ON_FILL;
}

static bool sets_fit(const struct gpu_config *config)
{
    return config->l1d_sets >= 2 && config->l1d_sets <= 1024 && config->l1d_ways >= 2 &&
           config->l2_sets >= 2 && config->l2_sets <= 1024 && config->l2_ways >= 2;
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE("policy", BYPASS_OBM, "mat|ab|obm",
                  "by accesses to macroblocks, by set, or by the loads that bring lines",
                  "3.5.1, 3.5.2, 3.5.3"),
    OPTION_CHOICE("level", 1, "l1|l2|both", "the caches that lines may bypass", "3.5"),
    OPTION_SWITCH("check", "exponents of AB are checked at each operation", "3.8")};
static const struct mechanism_part parts[] = {{"mat", "mat"}, {"ab", "ab_set"}, {"obm", "obm"}};
static const struct mechanism_need needs[] = {
    {has_lines, "decisions are about whole lines as they arrive; set l1d.enable=yes, "
                "l1d.allocate=on-fill, l1d.sector_bytes=0, l2.sectors=no"},
    {sets_fit, "a unit of a cache has 2 to 1024 sets of at least two ways; set l1d.sets, l1d.ways, "
               "l2.sets, l2.ways"}};

const struct mechanism mechanism_bypass = {
    .name = "bypass",
    .title = "L1D and L2: lines that are not worth their victims' places bypass (MAT, AB, OBM)",
    .document = "lakshminarayana2014",
    .section = "3.5",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
