/* sm_asked.c - what the machine asks an SM between cycles.  See sm.h. */
#include "machine/sm/sm_private.h"

bool sm_ran(const struct sm *sm)
{
    return sm->ran;
}

uint64_t sm_now(const struct sm *sm)
{
    return sm->now;
}

uint64_t sm_wake(const struct sm *sm)
{
    return sm->wake;
}

uint64_t sm_progress_at(const struct sm *sm)
{
    return sm->progress_at;
}

bool sm_untold(const struct sm *sm)
{
    return sm->n_finished || sm->faulted;
}

uint32_t sm_take_finished(struct sm *sm, const uint64_t **ids)
{
    uint32_t n = sm->n_finished;

    *ids = sm->ctas.finished;
    sm->n_finished = 0;
    return n;
}

const char *sm_fault(const struct sm *sm)
{
    return sm->faulted ? sm->fault : NULL;
}

uint64_t sm_take_touched_page(struct sm *sm)
{
    uint64_t page = sm->ldst.touch_page;

    sm->ldst.touch_page = 0;
    return page;
}

bool sm_waits_for_port(const struct sm *sm)
{
    for (uint32_t bank = 0; bank < sm->config->l1d_banks; bank++) {
        if (sm->ldst.stall[bank] == STALL_PORT) {
            return true;
        }
    }
    return sm->sockets.prefetch.peek || sm->replay.count;
}

uint32_t sm_ctas(const struct sm *sm)
{
    return sm->ctas.n;
}

const struct sm_stats *sm_stats(const struct sm *sm)
{
    return &sm->stats;
}

struct sm_held sm_held(const struct sm *sm)
{
    return (struct sm_held){.exchanges = sm->port.pool.in_use,
                            .mshrs = sm->mshr.used,
                            .instructions = sm->config->ldst_inflight - sm->ldst.n_free};
}

bool sm_is_empty(const struct sm *sm)
{
    return !sm->warps.resident && !sm->reply.in.count && !sm->port.out.count;
}
