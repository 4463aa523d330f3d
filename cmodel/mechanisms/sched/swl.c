/* swl.c - static warp limiting: each scheduler works on its N oldest warps that do not
 * wait at a barrier (wang2015 3.13, D-SWL-1, D-SWL-2). */
#include <stdlib.h>

#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/wang2015.h"

enum { MOST_SLOTS = 64 };

struct swl {
    struct sm *sm;
    uint32_t limit;
};

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    const struct swl *swl = self;
    const struct sched_socket *sched = &swl->sm->sockets.sched[number];
    int8_t slot_of_rank[MOST_SLOTS];
    const uint64_t barrier = gate_at_barrier(swl->sm);
    uint64_t allowed = 0;
    uint32_t n = 0, warps = 0;
    if (view->issuable == 0) {
        return 0;
    }
    for (uint64_t left = view->resident; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        slot_of_rank[sched->rank(sched->self, slot)] = (int8_t)slot;
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

/* `argument`: the limit, in warps per scheduler. */
int attach_swl(struct mechanism_context *context, const char *argument)
{
    for (uint32_t i = 0; i < context->gpu->n_sms; i++) {
        struct swl *swl = mechanism_keep(context, sizeof *swl);
        const struct gate_policy policy = {swl, allow, NULL};
        if (swl == NULL) {
            return -1;
        }
        swl->sm = &context->gpu->sm[i];
        swl->limit = (uint32_t)strtoul(argument, NULL, 10);
        if (gate_attach(context, swl->sm, &policy) != 0) {
            return -1;
        }
    }
    return 0;
}
