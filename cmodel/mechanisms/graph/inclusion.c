/* inclusion.c - non-inclusive, exclusive, or by set dueling, with a victim cache beside each L1D
 * (lakshminarayana2014 3.3). */
#include "mechanisms/graph/hier.h"

enum policy { POLICY_NI, POLICY_EX, POLICY_FLEX };

struct inclusion {
    struct hier hier;
    struct flex flex;
    bool duels;
};

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    return hier_l1_attach(context, core, instance, mechanism_value(context, "victim") != 0,
                          mechanism_value(context, "policy") != POLICY_NI);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    return hier_l2_attach(context, bank, instance);
}

static void statistics(void *self, json_t *into)
{
    const struct inclusion *inclusion = self;
    hier_statistics(&inclusion->hier, into);
    if (inclusion->duels) {
        put_count(into, "psel", *inclusion->flex.psel);
        put_count(into, "mode_changes", inclusion->flex.changes);
        put_count(into, "ticks_with_misses", inclusion->flex.ticks_with_misses);
        put_count(into, "ticks_exclusive", inclusion->flex.exclusive_ticks);
    }
}

static const char *difference(void *self)
{
    return hier_difference(&((struct inclusion *)self)->hier);
}

static int attach(struct mechanism_context *context)
{
    struct inclusion *inclusion = mechanism_keep(context, sizeof *inclusion);
    const struct mechanism_report report = {
        .self = inclusion, .name = "inclusion", .statistics = statistics, .difference = difference};
    if (inclusion == NULL) {
        return -1;
    }
    inclusion->duels = mechanism_value(context, "policy") == POLICY_FLEX;
    if ((inclusion->duels && flex_attach(context, &inclusion->flex) != 0) ||
        (inclusion->hier.l1 = instances_of_cores(context, sizeof(struct hier_l1), attach_core)) ==
            NULL ||
        (inclusion->hier.l2 = instances_of_banks(context, sizeof(struct hier_l2), attach_bank)) ==
            NULL) {
        return -1;
    }
    for (uint32_t b = 0; inclusion->duels && b < inclusion->hier.l2->n; b++) {
        ((struct hier_l2 *)instance_at(inclusion->hier.l2, b))->flex = &inclusion->flex;
    }
    return mechanism_reports(context, &report);
}

static bool banks_fit(const struct gpu_config *config)
{
    return config->l2_partitions * config->l2_banks <= 16;
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE("policy", POLICY_EX, "ni|ex|flex",
                  "non-inclusive, exclusive, or the better one by set dueling", "3.3.2, 3.3.3"),
    OPTION_COUNT("victim", 1, 0, 1, "1: a victim cache beside each L1D, 0: none", "3.3.2"),
    OPTION_STALE};
static const struct mechanism_part parts[] = {{"cb", "l1_cb"},
                                              {"victims", "vcache8"},
                                              {"queue", "copyback_q"},
                                              {"l2", "l2_policy"},
                                              {"sdm", "flex_sdm"}};
static const struct mechanism_need needs[] = {
    {hier_l1_fits, "lines are copied back as fills replace them; set l1d.enable=yes, "
                   "l1d.allocate=on-fill, l1d.sector_bytes=0, and up to 1024 lines"},
    {hier_l2_fits, "the L2 is exclusive by lines; set l2.sectors=no, up to 64 SMs, and "
                   "l2 sets of all banks a multiple of 32 up to 4096"},
    {banks_fit, "set dueling adds up the misses of 16 banks; set l2.partitions, l2.banks"}};

const struct mechanism mechanism_inclusion = {
    .name = "inclusion",
    .title = "L1D and L2: non-inclusive, exclusive, or Flexclusion, with victim caches",
    .document = "lakshminarayana2014",
    .section = "3.3",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
