/* limits.c - see limits.h.  A scheduler's slots are numbered by themselves: slot s of the SM is number
 * s / schedulers of scheduler s % schedulers. */
#include "mechanisms/iacm/limits.h"

#include <stdio.h>

#include "mechanisms/sched/gate.h"

uint32_t limits_bits(const struct gpu_config *config)
{
    const uint32_t bits = 32 - (uint32_t)__builtin_clz(config->sm_warps / config->sm_schedulers);
    return bits < 3 ? 3 : bits;
}

uint32_t limits_resident(const struct core *core, uint32_t n_cores)
{
    const struct gpu_config *config = core_config(core);
    const uint64_t share = (core_grid_ctas(core) + n_cores - 1) / n_cores;
    const uint64_t most = core_most_ctas(core), ctas = share < most ? share : most;
    const uint64_t warps = ctas * core_warps_per_cta(core);
    const uint64_t each = (warps + config->sm_schedulers - 1) / config->sm_schedulers;
    const uint32_t slots = config->sm_warps / config->sm_schedulers;
    return each < 1 ? 1 : each < slots ? (uint32_t)each : slots;
}

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    struct limits *limits = self;
    struct limit_unit *at = &limits->of[number];
    const uint32_t schedulers = core_config(limits->core)->sm_schedulers;
    const struct core_warps warps = core_warps(limits->core);
    const uint64_t waiting = warps.barrier | warps.draining | warps.fence | warps.done;
    uint64_t allowed = 0;
    if (view->issuable == 0) {
        return 0;
    }
    *at->resident = *at->waiting = 0;
    for (uint32_t slot = 0; slot < limits->slots; slot++) {
        const uint32_t of_sm = slot * schedulers + number;
        const uint64_t bit = UINT64_C(1) << slot;
        if (view->resident >> of_sm & 1) {
            *at->resident |= bit;
            *at->waiting |= waiting >> of_sm & 1 ? bit : 0;
            at->age_rank[slot] = core_rank(limits->core, number, of_sm);
        }
    }
    *at->limit = limits->warps;
    pins_settle(&at->unit);
    for (uint64_t left = *at->eligible; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        allowed |= UINT64_C(1) << (slot * schedulers + number);
    }
    limits->held_back += (uint64_t)__builtin_popcountll(view->issuable & ~allowed);
    return allowed;
}

static int open_unit(struct mechanism_context *context, struct limits *limits, uint32_t number)
{
    struct limit_unit *at = &limits->of[number];
    const struct pin_name in[] = {{&at->age_rank, "age_rank"},
                                  {&at->resident, "resident"},
                                  {&at->waiting, "waiting"},
                                  {&at->limit, "limit"}};
    const struct pin_name out[] = {{&at->eligible, "eligible"}};
    char where[48], overrides[32];
    snprintf(where, sizeof where, "sm%u.sched%u.limit", core_id(limits->core), number);
    snprintf(overrides, sizeof overrides, "WARPS=%u,WCW=%u", limits->slots,
             limits_bits(core_config(limits->core)));
    return pins_open(context, &at->unit, "warp_limit", overrides, where) != 0
               ? -1
               : pins_wire(context, &at->unit, PINS(in), PINS(out));
}

int limits_join(struct mechanism_context *context, struct core *core, struct limits *limits)
{
    const struct gpu_config *config = core_config(core);
    const struct gate_policy gate = {limits, allow, NULL};
    limits->core = core;
    limits->slots = config->sm_warps / config->sm_schedulers;
    for (uint32_t number = 0; number < config->sm_schedulers; number++) {
        if (open_unit(context, limits, number) != 0) {
            return -1;
        }
    }
    return gate_attach(context, core, &gate);
}
