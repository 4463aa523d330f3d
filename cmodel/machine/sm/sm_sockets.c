/* sm_sockets.c - what an SM itself plugs into its sockets: see machine/plug/sockets_base.h. */
#include <limits.h>
#include <stdlib.h>

#include "machine/config/config.h"
#include "machine/plug/sockets_base.h"

int base_sm_schedulers(struct sm_sockets *sockets, const struct gpu_config *config)
{
    for (uint32_t n = 0; n < config->sm_schedulers; n++) {
        free(sockets->own.sched[n]);
        sockets->own.sched[n] = NULL;
        if (base_scheduler(&sockets->sched[n], config, n) != 0) {
            return -1;
        }
        sockets->own.sched[n] = sockets->sched[n].self;
    }
    return 0;
}

int base_sm_sockets(struct sm_sockets *sockets, const struct gpu_config *config)
{
    sockets->promises = UINT_MAX;
    if (base_sm_schedulers(sockets, config) != 0 ||
        base_index(&sockets->index, config->l1d_index, config->l1d_sets) != 0 ||
        base_lru(&sockets->policy, config->l1d_sets, config->l1d_ways) != 0) {
        return -1;
    }
    sockets->own.index = sockets->index.self;
    sockets->own.policy = sockets->policy.self;
    return 0;
}

void base_sm_sockets_free(struct sm_sockets *sockets)
{
    free(sockets->own.index);
    free(sockets->own.policy);
    for (uint32_t n = 0; n < MAX_SCHEDULERS; n++) {
        free(sockets->own.sched[n]);
    }
}
