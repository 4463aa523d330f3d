/* oaws_variants.c - OAWS-Dyn and OAWS-Static as they declare themselves: what they may be told, what
 * they are made of, what they need (wang2015 3.16-3.19).  It knows nothing of how they work. */
#include "mechanisms/oaws/oaws.h"
#include "mechanisms/sched/gate.h"

extern const struct mechanism mechanism_oaws_dyn, mechanism_oaws_static;

enum { RELEASE_RETIRE, RELEASE_ACCESS };
enum { SMR_STEP = 5 }; /* per cent: a miss rate is stored in twentieths (D-OAWS-5) */

struct oaws_kind oaws_kind_of(const struct mechanism_context *context)
{
    struct oaws_kind kind = {.dynamic = context->mechanism == &mechanism_oaws_dyn};
    kind.per_access = mechanism_value(context, "release") == RELEASE_ACCESS;
    if (!kind.dynamic) {
        kind.smr_k = (uint32_t)mechanism_value(context, "rate") / SMR_STEP;
    }
    return kind;
}

static int attach_static(struct mechanism_context *context)
{
    const int rate = (int)mechanism_value(context, "rate");
    if (rate % SMR_STEP != 0) {
        return mechanism_fail(context,
                              "oaws-static: 'rate=%d': miss rates go in steps of %d per cent; give "
                              "a multiple of %d",
                              rate, SMR_STEP, SMR_STEP);
    }
    return oaws_attach(context);
}

static bool machine_fits(const struct gpu_config *config)
{
    return config->l1d_mshrs >= 2 && config->l1d_mshrs <= 63 && config->sm_warps <= 63 &&
           config->sm_warps % config->sm_schedulers == 0;
}

static const struct mechanism_need needs[] = {
    GATE_LOADS_IN_ORDER,
    {machine_fits, "2..63 MSHRs and at most 63 warps are needed, the same number for each "
                   "scheduler; set l1d.mshrs, sm.warps"}};

#define RELEASE \
    OPTION_CHOICE("release", RELEASE_RETIRE, "retire|access", \
                  "a predicted miss is in flight until its load retires, or until it is serviced", \
                  "D-OAWS-1")
static const struct mechanism_option dynamic_options[] = {RELEASE, PARTITION_OPTION_FCL};
static const struct mechanism_option static_options[] = {
    OPTION_COUNT("rate", 50, 0, 100, "share of a load's lanes that miss, in per cent", "3.17"),
    RELEASE};

/* OAWS-Dyn alone has the last two. */
static const struct mechanism_part parts[] = {
    {"dlc", "oaws_dlc"},     {"epoch", "oaws_epoch"},   {"pred", "oaws_pred"},
    {"store", "oaws_store"}, {"budget", "oaws_budget"}, {"requal", "oaws_requal"},
    {"gto", "gto_sched"},    {"age", "age_rank"},       {"part", "dac_part"}};
enum { N_PARTS = sizeof parts / sizeof *parts };

const struct mechanism mechanism_oaws_dyn = {
    .name = "oaws-dyn",
    .title = "warp scheduler: OAWS-Dyn, history-predicted misses against the MSHR budget",
    .document = "wang2015",
    .section = "3.16, 3.18, 3.19",
    MECHANISM_OPTIONS(dynamic_options),
    .parts = parts,
    .n_parts = N_PARTS,
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = oaws_attach};

const struct mechanism mechanism_oaws_static = {
    .name = "oaws-static",
    .title = "warp scheduler: OAWS-Static, a static miss rate against the MSHR budget",
    .document = "wang2015",
    .section = "3.16, 3.17",
    MECHANISM_OPTIONS(static_options),
    .parts = parts,
    .n_parts = N_PARTS - 2,
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach_static};
