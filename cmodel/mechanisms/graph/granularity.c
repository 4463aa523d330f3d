/* granularity.c - L1D and L2 that fetch sectors of blocks: what is needed, or what SPP, BIM or NAP add
 * (lakshminarayana2014 3.6). */
#include <stddef.h>
#include <stdio.h>

#include "mechanisms/graph/sectors.h"

enum level { LEVEL_L1, LEVEL_L2, LEVEL_BOTH };

struct granularity {
    struct instances *l1, *l2;
    char difference[128];
};

static void put_level(const struct instances *all, const char *prefix, json_t *into)
{
    static const struct counter counters[] = {
        {"block_misses", offsetof(struct sectors, block_misses)},
        {"sector_misses", offsetof(struct sectors, sector_misses)},
        {"sectors_needed", offsetof(struct sectors, needed)},
        {"sectors_added", offsetof(struct sectors, added)},
        {"insertions", offsetof(struct sectors, insertions)},
        {"private_hits", offsetof(struct sectors, private_hits)},
        {"shared_hits", offsetof(struct sectors, shared_hits)},
        {"evicted_used_0", offsetof(struct sectors, evicted[0])},
        {"evicted_used_1", offsetof(struct sectors, evicted[1])},
        {"evicted_used_2", offsetof(struct sectors, evicted[2])},
        {"evicted_used_3", offsetof(struct sectors, evicted[3])},
        {"evicted_used_4", offsetof(struct sectors, evicted[4])},
        {"sectors_unused", offsetof(struct sectors, unused)},
        {"default_flips", offsetof(struct sectors, flips)}};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s_%s", prefix, counters[i].name);
        put_count(into, name, instances_sum(all, counters[i].offset));
    }
}

static void statistics(void *self, json_t *into)
{
    const struct granularity *granularity = self;
    put_level(granularity->l1, "l1", into);
    put_level(granularity->l2, "l2", into);
}

static const char *difference(void *self)
{
    struct granularity *granularity = self;
    const size_t at = offsetof(struct sectors, differences);
    const uint64_t l1 = instances_sum(granularity->l1, at), l2 = instances_sum(granularity->l2, at);
    if (l1 + l2 == 0) {
        return NULL;
    }
    snprintf(
        granularity->difference, sizeof granularity->difference,
        "sect_tag knew other sectors than the cache held, %llu times at L1Ds, %llu at L2 banks",
        (unsigned long long)l1, (unsigned long long)l2);
    return granularity->difference;
}

static int attach(struct mechanism_context *context)
{
    struct granularity *granularity = mechanism_keep(context, sizeof *granularity);
    const struct mechanism_report report = {.self = granularity,
                                            .name = "granularity",
                                            .statistics = statistics,
                                            .difference = difference};
    if (granularity == NULL ||
        (granularity->l1 = instances_of_cores(context, sizeof(struct sectors), sectors_at_core)) ==
            NULL ||
        (granularity->l2 = instances_of_banks(context, sizeof(struct sectors), sectors_at_bank)) ==
            NULL) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static bool l1_fits(const struct gpu_config *config)
{
    return config->l1d_enable && config->l1d_sector_bytes == 0 &&
           config->l1d_allocate == ALLOCATE_ON_FILL && config->l1d_global_write == WRITE_EVICT &&
           config->l1d_sets * config->l1d_ways <= 1024;
}

static bool l2_fits(const struct gpu_config *config)
{
    return !config->l2_sectors && config->l2_write == L2_WRITE_EVICT &&
           config->l2_sets * config->l2_ways <= 1024;
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE("policy", SECTORS_PLAIN, "coarse|sector|spp|bim|nap",
                  "a miss fetches the block, what it needs, or what a predictor adds to that",
                  "3.6.1, 3.6.2, 3.6.3, 3.6.4"),
    OPTION_CHOICE("level", LEVEL_L1, "l1|l2|both",
                  "where there are predictors; the other level fetches what it is asked for",
                  "3.6.5")};
static const struct mechanism_part parts[] = {
    {"tag", "sect_tag"}, {"spp", "spp"}, {"bim", "bim"}, {"nap", "nap"}};
static const struct mechanism_need needs[] = {
    {l1_fits, "sectors come into lines as they arrive; set l1d.enable=yes, l1d.allocate=on-fill, "
              "l1d.global_write=evict, l1d.sector_bytes=0, and up to 1024 lines"},
    {l2_fits, "the L2 works by lines, of which it fetches sectors; set l2.sectors=no, "
              "l2.write=evict, and up to 1024 lines in a bank"}};

const struct mechanism mechanism_granularity = {
    .name = "granularity",
    .title = "L1D and L2: sectors of lines are fetched, as needed or as SPP, BIM or NAP predict",
    .document = "lakshminarayana2014",
    .section = "3.6",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
