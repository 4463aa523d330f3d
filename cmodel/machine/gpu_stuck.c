/* gpu_stuck.c - the report of a machine in which nothing moves any more.
 *
 * See docs/architecture.md, "Nothing hangs silently".  See gpu.h.
 */
#include "machine/gpu_private.h"

void gpu_stuck_report(struct gpu *gpu)
{
    char *at = gpu->error, *end = gpu->error + sizeof gpu->error;
    char line[512];

    at += snprintf(at, (size_t)(end - at),
                   "STUCK: kernel %s, nothing moved since cycle %llu (%llu of %llu CTAs done)",
                   gpu->facts.launch->kernel->name, (unsigned long long)gpu->last_progress,
                   (unsigned long long)gpu->ctas_done, (unsigned long long)gpu->ctas);
    for (uint32_t s = 0; s < gpu->n_sms && end - at > 600; s++) {
        if (sm_is_empty(sm_at(gpu->sm, s))) {
            continue;
        }
        sm_describe(sm_at(gpu->sm, s), line, sizeof line);
        at += snprintf(at, (size_t)(end - at), "\n  %s", line);
    }
    for (uint32_t b = 0; b < gpu->n_banks && end - at > 600; b++) {
        const struct l2_bank *bank = &gpu->bank[b];

        if (bank->in.count || bank->mshr.used || bank->out.count) {
            at += snprintf(at, (size_t)(end - at),
                           "\n  L2 bank %u: requests %u, MSHRs %u, to DRAM %u, replies %u", b,
                           bank->in.count, bank->mshr.used, bank->to_dram.count, bank->out.count);
        }
    }
    for (uint32_t d = 0; d < gpu->n_channels && end - at > 600; d++) {
        if (gpu->channel[d].used) {
            at += snprintf(at, (size_t)(end - at), "\n  DRAM channel %u: %u requests", d,
                           gpu->channel[d].used);
        }
    }
    snprintf(at, (size_t)(end - at),
             "\n  networks: %u requests, %u replies waiting; host memory: %u",
             network_waiting(&gpu->request_net), network_waiting(&gpu->reply_net),
             hostmem_waiting(&gpu->host));
}
