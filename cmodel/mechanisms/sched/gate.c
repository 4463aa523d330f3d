/* gate.c - see gate.h. */
#include "mechanisms/sched/gate.h"

enum { MOST_SLOTS = 64 };

struct gate {
    struct sched_socket base; /* decides among those allowed */
    struct gate_policy policy;
    uint32_t number;
};

static void gate_launch(void *self, uint32_t slot)
{
    struct gate *gate = self;
    gate->base.warp_launch(gate->base.self, slot);
}

static void gate_exit(void *self, uint32_t slot)
{
    struct gate *gate = self;
    gate->base.warp_exit(gate->base.self, slot);
}

static uint64_t gate_qualify(void *self, const struct sched_view *view)
{
    struct gate *gate = self;
    struct sched_view allowed = *view;
    allowed.issuable &= gate->policy.allow(gate->policy.self, view, gate->number);
    return gate->base.qualify != NULL ? gate->base.qualify(gate->base.self, &allowed)
                                      : allowed.issuable;
}

static int gate_pick(void *self, const struct sched_view *view)
{
    struct gate *gate = self;
    return gate->base.pick(gate->base.self, view);
}

static void gate_issued(void *self, uint32_t slot)
{
    struct gate *gate = self;
    if (gate->policy.issued != NULL) {
        gate->policy.issued(gate->policy.self, slot);
    }
    gate->base.issued(gate->base.self, slot);
}

static uint32_t gate_rank(void *self, uint32_t slot)
{
    struct gate *gate = self;
    return gate->base.rank(gate->base.self, slot);
}

static void gate_kernel_start(void *self)
{
    struct gate *gate = self;
    if (gate->base.kernel_start != NULL) {
        gate->base.kernel_start(gate->base.self);
    }
}

int gate_attach(struct mechanism_context *context, struct core *core,
                const struct gate_policy *policy)
{
    for (uint32_t s = 0; s < core_config(core)->sm_schedulers; s++) {
        struct gate *gate = mechanism_keep(context, sizeof *gate);
        if (gate == NULL) {
            return -1;
        }
        const struct sched_socket socket = {.self = gate,
                                            .stateful = true,
                                            .warp_launch = gate_launch,
                                            .warp_exit = gate_exit,
                                            .qualify = gate_qualify,
                                            .pick = gate_pick,
                                            .issued = gate_issued,
                                            .rank = gate_rank,
                                            .kernel_start = gate_kernel_start};
        gate->policy = *policy;
        gate->number = s;
        if (plug_around_scheduler(core, &context->plug, s, &socket, &gate->base) != 0) {
            return -1;
        }
    }
    return 0;
}

bool gate_loads_in_order(const struct gpu_config *config)
{
    return config->ldst_replay_queue == 0 && config->l1d_banks == 1;
}

uint64_t gate_first(const struct core *core, const int8_t *slot_of_rank, uint32_t n, uint32_t limit)
{
    const uint64_t barrier = gate_at_barrier(core);
    uint64_t first = 0;
    for (uint32_t rank = 0, taken = 0; rank < n && taken < limit; rank++) {
        const uint64_t bit = UINT64_C(1) << slot_of_rank[rank];
        if (!(barrier & bit)) {
            first |= bit;
            taken++;
        }
    }
    return first;
}

uint64_t gate_oldest(const struct core *core, const struct sched_view *view, uint32_t number,
                     uint32_t limit)
{
    int8_t slot_of_rank[MOST_SLOTS];
    uint32_t warps = 0;
    for (uint64_t left = view->resident; left != 0; left &= left - 1, warps++) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        slot_of_rank[core_rank(core, number, slot)] = (int8_t)slot;
    }
    return gate_first(core, slot_of_rank, warps, limit);
}
