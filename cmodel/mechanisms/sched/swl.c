/* swl.c - static warp limiting: each scheduler works on its N oldest warps that do not
 * wait at a barrier (wang2015 3.13, D-SWL-1, D-SWL-2). */
#include "mechanisms/instances.h"
#include "mechanisms/sched/gate.h"

enum { MOST_SLOTS = 64 };

struct swl {
    const struct core *core;
    uint32_t limit;
};

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    const struct swl *swl = self;
    return view->issuable != 0 ? gate_oldest(swl->core, view, number, swl->limit) : 0;
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct swl *swl = instance;
    const struct gate_policy policy = {swl, allow, NULL};
    swl->core = core;
    swl->limit = (uint32_t)mechanism_value(context, "warps");
    return gate_attach(context, core, &policy);
}

static int attach(struct mechanism_context *context)
{
    return instances_of_cores(context, sizeof(struct swl), attach_core) == NULL ? -1 : 0;
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("warps", 2, 1, MOST_SLOTS, "warps that each scheduler works on", "D-SWL-1")};

const struct mechanism mechanism_swl = {
    .name = "swl",
    .title = "warp scheduler: static limit of warps per scheduler (C only)",
    .document = "wang2015",
    .section = "3.13",
    MECHANISM_OPTIONS(options),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
