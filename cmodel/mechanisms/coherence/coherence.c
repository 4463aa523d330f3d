/* coherence.c - what coherence protocols have in common, and the two systems without one:
 * BL (no L1D) and the ordinary non-coherent L1D (tabbakh2018-coherence S11, S12, 3.4). */
#include "mechanisms/coherence/coherence.h"

#include <stdio.h>
#include <string.h>

int coherence_machine(struct mechanism_context *context, const char *name,
                      const struct coherence_rules *rules)
{
    struct gpu *gpu = context->gpu;
    struct gpu_config *config = &gpu->config;
    const bool taken = gpu->sm[0].sockets.coherence.self != NULL;
    const bool evicts = rules->leases && config->l2_write == L2_WRITE_EVICT;
    const bool moves = rules->leases && gpu->bank[0].sockets.n_clocked != 0;
    if (taken || evicts || moves) {
        snprintf(context->error, context->n_error, "%s: %s", name,
                 taken ? "another coherence protocol is attached; leave one out"
                 : evicts
                     ? "writes that evict from the L2 would lose leases; set l2.write=back-fetch"
                     : "an L2 whose index changes would lose leases; leave that mechanism out");
        return -1;
    }
    config->sm_consistency = rules->sequential ? CONSISTENCY_SC : CONSISTENCY_RC;
    config->sm_barrier_drains = rules->barrier_drains;
    config->l1d_global_write = rules->global_write;
    return 0;
}

int attach_no_protocol(struct mechanism_context *context, const char *argument)
{
    struct gpu_config *config = &context->gpu->config;
    const bool off = strstr(argument, "off") != NULL;
    const struct coherence_rules rules = {.sequential = strstr(argument, "sc") != NULL,
                                          .barrier_drains = off,
                                          .global_write = config->l1d_global_write};
    if (coherence_machine(context, off ? "no-l1" : "l1-noncoherent", &rules) != 0) {
        return -1;
    }
    config->l1d_enable = !off;
    return 0;
}
