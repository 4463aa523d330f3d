/* ranks.c - see ranks.h. */
#include "mechanisms/sched/ranks.h"

#include <stdio.h>

int ranks_open(struct mechanism_context *context, struct ranks *ranks, const struct core *core,
               const char *what)
{
    char where[48], overrides[32];
    const struct pin_name in[] = {{&ranks->launch_v, "launch_v"},
                                  {&ranks->launch_id, "launch_id"},
                                  {&ranks->exit_v, "exit_v"},
                                  {&ranks->exit_id, "exit_id"}};
    const struct pin_name out[] = {{&ranks->gprio, "gprio"}};
    snprintf(where, sizeof where, "sm%u.%s.age", core_id(core), what);
    snprintf(overrides, sizeof overrides, "N=%u", core_config(core)->sm_warps);
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
    edge(ranks, ranks->launch_v, ranks->launch_id, slot);
}

void ranks_exit(struct ranks *ranks, uint32_t slot)
{
    edge(ranks, ranks->exit_v, ranks->exit_id, slot);
}
