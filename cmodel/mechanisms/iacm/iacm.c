/* iacm.c - IACM and its parts as mechanisms: iacm, awl and rpd (aci 3.10 to 3.14).  What a cycle does
 * stands in iacm_core.c. */
#include "mechanisms/iacm/iacm.h"
#include "mechanisms/sched/gate.h"

extern const struct mechanism mechanism_iacm, mechanism_awl, mechanism_rpd;

/* ---- statistics ---- */

#define COUNTER(name, field) \
    { \
        name, offsetof(struct iacm, field) \
    }
static const struct counter phase_counters[] = {
    COUNTER("adi_cycles", counters.cycles[0]),   COUNTER("awl_cycles", counters.cycles[1]),
    COUNTER("idle_cycles", counters.cycles[2]),  COUNTER("adi_settled", counters.settled),
    COUNTER("searches", counters.searches),      COUNTER("search_periods", counters.periods),
    COUNTER("retriggers", counters.retriggers),  COUNTER("searches_near", counters.near_searches),
    COUNTER("warp_count_moves", counters.moves), COUNTER("held_back", limits.held_back)};
static const struct counter limit_counters[] = {
    COUNTER("warp_limit_cycles", counters.limit_cycles)};
static const struct counter bypass_counters[] = {
    COUNTER("bypasses_reserved", bypass.bypasses_reserved),
    COUNTER("bypasses_protected", bypass.bypasses_protected)};
#undef COUNTER

/* The warp count over time, of every SM: what it begins with, and [cycle, warps] of each change; of so
 * many changes the first IACM_MOVES. */
static json_t *moves_json(const struct instances *all)
{
    json_t *sites = json_array();
    for (uint32_t n = 0; n < all->n; n++) {
        const struct iacm *iacm = instance_at(all, n);
        json_t *moves = json_pack("[[i, i]]", 0, (int)iacm->first_warps);
        for (uint64_t at = 0; at < iacm->counters.moves && at < IACM_MOVES; at++) {
            json_array_append_new(moves, json_pack("[I, i]", (json_int_t)iacm->move[at].cycle,
                                                   (int)iacm->move[at].warps));
        }
        json_array_append_new(sites, moves);
    }
    return sites;
}

static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    const struct iacm *first = instance_at(all, 0);
    if (first->adi || first->awl) {
        instances_put(all, phase_counters, sizeof phase_counters / sizeof *phase_counters, into);
    }
    if (first->rpd) {
        instances_put(all, bypass_counters, sizeof bypass_counters / sizeof *bypass_counters, into);
    }
    if (first->awl) {
        instances_put(all, limit_counters, sizeof limit_counters / sizeof *limit_counters, into);
        json_object_set_new(into, "warp_counts", moves_json(all));
    }
}

/* ---- attaching ---- */

static uint32_t number(const struct mechanism_context *context, const char *option)
{
    return (uint32_t)mechanism_value(context, option);
}

static struct iacm_kind kind_of(const struct mechanism_context *context)
{
    struct iacm_kind kind = {.adi_period = 2, .idle_period = 2, .awl_period = 2};
    if (context->mechanism == &mechanism_rpd) {
        kind.rpd = true;
        return kind;
    }
    kind.awl = true;
    kind.awl_period = number(context, "awl-period");
    kind.idle_period = number(context, "idle-period");
    kind.awl_eps = number(context, "awl-eps");
    kind.idle_eps = number(context, "idle-eps");
    kind.adi_eps = kind.idle_eps;
    if (context->mechanism == &mechanism_iacm) {
        kind.order = number(context, "order");
        kind.adi = mechanism_value(context, "adi") != 0;
        kind.awl = mechanism_value(context, "awl") != 0;
        kind.rpd = mechanism_value(context, "rpd") != 0;
        kind.adi_period = number(context, "adi-period");
        kind.adi_eps = number(context, "adi-eps");
    }
    return kind;
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    const struct iacm_kind kind = kind_of(context);
    return iacm_core_join(context, core, instance, &kind);
}

static int attach(struct mechanism_context *context)
{
    const struct iacm_kind kind = kind_of(context);
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct iacm), attach_core),
        .name = context->mechanism->name,
        .statistics = statistics};
    if (report.self == NULL || mechanism_reports(context, &report) != 0) {
        return -1;
    }
    return kind.adi ? adi_report(context, report.self, "adi") : 0;
}

/* ---- what they say of themselves ---- */

/* A cycle's thread instructions must fit seven bits. */
static bool issue_fits(const struct gpu_config *config)
{
    return config->sm_schedulers * 32 <= 127 && config->sm_warps % config->sm_schedulers == 0 &&
           config->sm_warps / config->sm_schedulers >= 2;
}

static bool allocates_on_miss(const struct gpu_config *config)
{
    return config->l1d_allocate == ALLOCATE_ON_MISS;
}

static bool l1d_fits(const struct gpu_config *config)
{
    const uint32_t sets = config->l1d_sets, ways = config->l1d_ways;
    return (sets & (sets - 1)) == 0 && sets >= 2 && ways >= 2 && ways <= 16;
}

#define PERIOD_OPTIONS \
    OPTION_COUNT("awl-period", 6250, 2, 1048576, "cycles of a period of the search", "3.10.3"), \
        OPTION_COUNT("idle-period", 6250, 2, 65536, "cycles of a period of rest", "3.12"), \
        OPTION_COUNT("awl-eps", 2, 1, 8, "eighths by which a chosen warp count is changed", \
                     "3.10.4 C11"), \
        OPTION_COUNT("idle-eps", 2, 1, 8, "eighths by which the IPC at rest is changed", "3.12")

static const struct mechanism_option iacm_options[] = {
    OPTION_CHOICE("order", 0, "adi-awl|awl-adi|parallel", "what is adapted first", "3.14.2"),
    OPTION_COUNT("adi", 1, 0, 1, "1: adaptive indexing", "3.11"),
    OPTION_COUNT("awl", 1, 0, 1, "1: adaptive warp limiting", "3.10"),
    OPTION_COUNT("rpd", 1, 0, 1, "1: bypassing by protection distance", "3.13"),
    OPTION_COUNT("adi-period", 250, 4, 65536, "misses and accesses of victimization and selection",
                 "3.11"),
    OPTION_COUNT("adi-eps", 2, 1, 8, "eighths within which the IPC has settled", "3.11"),
    PERIOD_OPTIONS};
static const struct mechanism_option awl_options[] = {PERIOD_OPTIONS};

#define AWL_PARTS \
    {"control", "iacm_core_ctrl"}, {"search", "awl_ctrl"}, {"idle", "idle_mon"}, \
    { \
        "limit", "warp_limit" \
    }
static const struct mechanism_part iacm_parts[] = {AWL_PARTS,
                                                   {"bypass", "rpd_bypass"},
                                                   {"engine", "adi_engine"},
                                                   {"mux", "adi_idx_mux"},
                                                   {"flush", "flush_ctrl"},
                                                   {"line", "cache_line_fsm"}};
static const struct mechanism_part awl_parts[] = {AWL_PARTS};
static const struct mechanism_part rpd_parts[] = {{"bypass", "rpd_bypass"}};

#define ISSUE_NEED \
    { \
        issue_fits, \
            "at most three schedulers are needed, of the same number of warps (2 or more) " \
            "each; set sm.schedulers, sm.warps" \
    }
#define RPD_NEEDS \
    {allocates_on_miss, \
     "reserved lines count as protected (aci 3.13.2); set l1d.allocate=on-miss"}, \
    { \
        l1d_fits, "a power of two of sets and 2..16 ways are needed; set l1d.sets, l1d.ways" \
    }
static const struct mechanism_need iacm_needs[] = {ISSUE_NEED, RPD_NEEDS};
static const struct mechanism_need awl_needs[] = {ISSUE_NEED};
static const struct mechanism_need rpd_needs[] = {RPD_NEEDS};

const struct mechanism mechanism_iacm = {
    .name = "iacm",
    .title = "L1D and schedulers: adaptive indexing, warp limiting and bypassing together (IACM)",
    .document = "aci-iacm-blpp",
    .section = "3.10-3.14",
    MECHANISM_OPTIONS(iacm_options),
    MECHANISM_PARTS(iacm_parts),
    MECHANISM_NEEDS(iacm_needs),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};

const struct mechanism mechanism_awl = {.name = "awl",
                                        .title = "warp scheduler: adaptive warp limiting (AWL)",
                                        .document = "aci-iacm-blpp",
                                        .section = "3.10, 3.12",
                                        MECHANISM_OPTIONS(awl_options),
                                        MECHANISM_PARTS(awl_parts),
                                        MECHANISM_NEEDS(awl_needs),
                                        .promises = PLUG_LOCAL | PLUG_QUIET,
                                        .attach = attach};

const struct mechanism mechanism_rpd = {.name = "rpd",
                                        .title = "L1D: bypassing by remaining protection distance",
                                        .document = "aci-iacm-blpp",
                                        .section = "3.13",
                                        MECHANISM_PARTS(rpd_parts),
                                        MECHANISM_NEEDS(rpd_needs),
                                        .promises = PLUG_LOCAL | PLUG_QUIET,
                                        .attach = attach};
