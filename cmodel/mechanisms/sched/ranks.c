/* ranks.c - see ranks.h. */
#include "mechanisms/sched/ranks.h"

#include <stdio.h>

int ranks_open(struct mechanism_context *context, struct ranks *ranks, const struct core *core,
               const char *what)
{
    char where[48], overrides[32];
    const struct pin_name in[] = {{&ranks->warp_launch_valid, "warp_launch_valid"},
                                  {&ranks->warp_launch_wid, "warp_launch_wid"},
                                  {&ranks->warp_exit_valid, "warp_exit_valid"},
                                  {&ranks->warp_exit_wid, "warp_exit_wid"}};
    const struct pin_name out[] = {{&ranks->gprio, "gprio"}};
    snprintf(where, sizeof where, "sm%u.%s.age", core_id(core), what);
    snprintf(overrides, sizeof overrides, "WARPS=%u", core_config(core)->sm_warps);
    if (pins_open(context, &ranks->unit, "age_rank", overrides, where) != 0 ||
        pins_wire(context, &ranks->unit, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    pins_comb(&ranks->unit);
    return 0;
}

static void edge(struct ranks *ranks, uint64_t *valid, uint64_t *id, uint32_t slot)
{
    *valid = 1;
    *id = slot;
    pins_comb(&ranks->unit);
    pins_seq(&ranks->unit);
    *valid = 0;
    pins_comb(&ranks->unit);
}

void ranks_launch(struct ranks *ranks, uint32_t slot)
{
    edge(ranks, ranks->warp_launch_valid, ranks->warp_launch_wid, slot);
}

void ranks_exit(struct ranks *ranks, uint32_t slot)
{
    edge(ranks, ranks->warp_exit_valid, ranks->warp_exit_wid, slot);
}
