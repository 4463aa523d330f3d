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
    int8_t slot_of_rank[MOST_SLOTS];
    uint64_t allowed = 0;
    uint32_t n = 0, warps = 0;
    if (view->issuable == 0) {
        return 0;
    }
    const uint64_t barrier = gate_at_barrier(swl->core);
    for (uint64_t left = view->resident; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        slot_of_rank[core_rank(swl->core, number, slot)] = (int8_t)slot;
        warps++;
    }
    for (uint32_t rank = 0; rank < warps && n < swl->limit; rank++) {
        const uint64_t bit = UINT64_C(1) << slot_of_rank[rank];
        if (!(barrier & bit)) {
            allowed |= bit;
            n++;
        }
    }
    return allowed;
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
    .attach = attach};
