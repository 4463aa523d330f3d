/* sm_sockets.c - what an SM itself plugs into its sockets.  See sockets_base.h. */
#include <stdlib.h>

#include "machine/plug/sockets_base.h"
#include "machine/sm/sm_private.h"

int base_sm_sockets(struct sm *sm)
{
    struct sm_sockets *s = &sm->sockets;
    const struct gpu_config *c = sm->config;

    base_granularity(&s->granularity);
    for (uint32_t n = 0; n < c->sm_schedulers; n++) {
        if (base_scheduler(&s->sched[n], c, n) != 0) {
            return -1;
        }
    }
    if (base_index(&s->index, c->l1d_index, c->l1d_sets) != 0 ||
        base_lru(&s->policy, c->l1d_sets, c->l1d_ways) != 0) {
        return -1;
    }
    sm->base_self[0] = s->index.self;
    sm->base_self[1] = s->policy.self;
    for (uint32_t n = 0; n < c->sm_schedulers; n++) {
        sm->base_self[2 + n] = s->sched[n].self;
    }
    return 0;
}

void base_sm_sockets_free(struct sm *sm)
{
    for (uint32_t n = 0; n < 2 + MAX_SCHEDULERS; n++) {
        free(sm->base_self[n]);
    }
}
