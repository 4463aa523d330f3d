/* sa_mgt.c - sharing-aware cache management: private blocks in the L1Ds, shared ones in the L2
 * (tabbakh2018 3.2), under whatever CTA scheduler.
 *
 * The document's L2 keeps no MSHR entry for a load of local memory that misses; here one is kept
 * until DRAM answers, and no line.  A store of local memory that misses in the L2 (a line that the
 * L1D wrote back) allocates, as the document's rules are for loads alone. */
#include "mechanisms/sharing/sa_mgt.h"

#include <stddef.h>
#include <stdio.h>

struct sa_mgt {
    struct instances *l1, *l2;
    char difference[128];
};

static void statistics(void *self, json_t *into)
{
    const struct sa_mgt *mgt = self;
#define L1(name_) \
    { \
        #name_, offsetof(struct sa_l1, name_) \
    }
#define L2(name_) \
    { \
        #name_, offsetof(struct sa_l2, name_) \
    }
    static const struct counter l1[] = {L1(private_fills), L1(shared_fills), L1(bypasses),
                                        L1(declared),      L1(reused),       L1(dead_replaced)};
    static const struct counter l2[] = {L2(shared_lines), L2(shared_answers), L2(private_answers),
                                        L2(shared_replaced)};
#undef L1
#undef L2
    instances_put(mgt->l1, l1, sizeof l1 / sizeof *l1, into);
    instances_put(mgt->l2, l2, sizeof l2 / sizeof *l2, into);
}

static const char *difference(void *self)
{
    struct sa_mgt *mgt = self;
    const uint64_t l1 = instances_sum(mgt->l1, offsetof(struct sa_l1, differences));
    const uint64_t l2 = instances_sum(mgt->l2, offsetof(struct sa_l2, differences));
    if (l1 + l2 == 0) {
        return NULL;
    }
    snprintf(mgt->difference, sizeof mgt->difference,
             "%llu times a shared block replaced a private line in an L1D, %llu times SF differed "
             "from who asked",
             (unsigned long long)l1, (unsigned long long)l2);
    return mgt->difference;
}

static int attach(struct mechanism_context *context)
{
    struct sa_mgt *mgt = mechanism_keep(context, sizeof *mgt);
    const struct mechanism_report report = {
        .self = mgt, .name = "sa-mgt", .statistics = statistics, .difference = difference};
    if (mgt == NULL ||
        (mgt->l1 = instances_of_cores(context, sizeof(struct sa_l1), sa_l1_attach)) == NULL ||
        (mgt->l2 = instances_of_banks(context, sizeof(struct sa_l2), sa_l2_attach)) == NULL) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static bool fits_units(const struct gpu_config *config)
{
    return config->machine_sms <= 64 && config->l1d_ways >= 2 && config->l1d_ways <= SA_MOST_WAYS &&
           config->l2_ways >= 2 && config->l2_ways <= SA_MOST_WAYS;
}

static bool fills_choose(const struct gpu_config *config)
{
    return config->l1d_enable && config->l1d_sector_bytes == 0 &&
           config->l1d_allocate == ALLOCATE_ON_FILL;
}

static bool l2_has_lines(const struct gpu_config *config)
{
    return !config->l2_sectors;
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("hit-clears", 1, 0, 1, "1: a hit of a line that was declared dead clears DBF",
                 "D-S1"),
    OPTION_COUNT("mshr", 1, 0, 1,
                 "0: a load of a block that an answer said is shared takes no MSHR entry either",
                 "D-S2"),
    OPTION_CHOICE("answer", 0, "now|asked",
                  "the bit of an answer: SF when it leaves, or when it was asked", "D-S4")};
static const struct mechanism_part parts[] = {
    {"track", "sa_l2_track"}, {"l2", "sa_l2_victim"}, {"l1", "sa_l1_victim"}};
static const struct mechanism_need needs[] = {
    {fits_units,
     "the units serve up to 64 SMs and 2 to 16 ways; set machine.sms, l1d.ways, l2.ways"},
    {fills_choose, "a block is known to be shared by its fill; set l1d.enable=yes, "
                   "l1d.allocate=on-fill, l1d.sector_bytes=0"},
    {l2_has_lines, "the owner is kept by line; set l2.sectors=no"}};

const struct mechanism mechanism_sa_mgt = {
    .name = "sa-mgt",
    .title = "L1D and L2: private blocks above, shared blocks below (SA-MGT)",
    .document = "tabbakh2018",
    .section = "3.2",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
