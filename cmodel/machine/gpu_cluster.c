/* gpu_cluster.c - thread-block clusters: their CTAs are placed together, and what they send each
 * other is carried from SM to SM.
 *
 * A cluster may lie on any SMs: one CTA to each, from the one after the last that got one, and round
 * again when it has more CTAs than there are SMs with room.  See gpu.h.
 */
#include "base/cycle.h"
#include "machine/gpu_private.h"
#include "machine/sm/sm_cluster.h"

enum { MOST_CTAS = 16 };

int gpu_cluster_start(struct gpu *gpu)
{
    const struct isa_launch *launch = gpu->facts.launch;
    const uint32_t n = launch->cluster_ctas;

    if (((launch->asynchronous && !launch->loads_alone) || n > 1) && gpu->config.operands_banks) {
        snprintf(gpu->error, sizeof gpu->error,
                 "kernel %s has bulk copies, warp-group instructions or clusters, which "
                 "operand collectors do not serve; use a configuration with operands.banks = 0",
                 launch->kernel->name);
        return -1;
    }
    if (n <= 1) {
        return 0;
    }
    if (gpu->dispatch.self != gpu->base_dispatch_self) {
        snprintf(gpu->error, sizeof gpu->error,
                 "kernel %s has clusters of %u CTAs, and a mechanism distributes CTAs one by one; "
                 "leave it out",
                 launch->kernel->name, n);
        return -1;
    }
    if (n > MOST_CTAS || n > gpu->n_sms * gpu->facts.ctas_per_sm) {
        snprintf(
            gpu->error, sizeof gpu->error,
            "kernel %s: a cluster of %u CTAs; %d SMs hold %u of them each, and a cluster has at "
            "most %d",
            launch->kernel->name, n, (int)gpu->n_sms, gpu->facts.ctas_per_sm, MOST_CTAS);
        return -1;
    }
    return 0;
}

/* SMs for the CTAs of one cluster; false when there is no room for all. */
static bool choose(const struct gpu *gpu, uint32_t n, uint32_t *sm_of)
{
    uint32_t taken[128] = {0}, s = gpu->dispatched, chosen = 0;

    for (uint32_t refused = 0; chosen < n && refused < gpu->n_sms;) {
        struct sm *sm;

        s = (s + 1) % gpu->n_sms;
        sm = sm_at(gpu->sm, s);
        if (sm_untold(sm) || sm_ctas(sm) + taken[s] >= gpu->facts.ctas_per_sm) {
            refused++;
            continue;
        }
        refused = 0;
        taken[s]++;
        sm_of[chosen++] = s;
    }
    return chosen == n;
}

bool gpu_cluster_dispatch(struct gpu *gpu)
{
    const uint32_t n = gpu->facts.launch->cluster_ctas;
    uint32_t sm_of[MOST_CTAS];
    int64_t cta[MOST_CTAS];

    if (!choose(gpu, n, sm_of)) {
        return false;
    }
    for (uint32_t r = 0; r < n; r++) {
        struct sm *sm = sm_at(gpu->sm, sm_of[r]);

        cta[r] = gpu->dispatch.next(gpu->dispatch.self, sm_of[r], sm_ctas(sm), gpu->now);
        if (cta[r] < 0) {
            return false; /* the grid is done: clusters fill it */
        }
        sm_launch_cta(sm, (uint64_t)cta[r], gpu->now);
        gpu->sm_wake[sm_of[r]] = gpu->now;
        gpu->dispatched = sm_of[r];
    }
    for (uint32_t r = 0; r < n; r++) {
        sm_cluster_place(sm_at(gpu->sm, sm_of[r]), (uint64_t)cta[r], n, sm_of);
    }
    return true;
}

void gpu_cluster_exchange(struct gpu *gpu)
{
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        uint32_t n;
        const struct cluster_message *messages = sm_cluster_messages(sm_at(gpu->sm, s), &n);

        for (uint32_t m = 0; m < n; m++) {
            const uint32_t to = sm_cluster_to(messages, m);

            cycle_advance(&gpu->sm_wake[to], sm_cluster_receive(sm_at(gpu->sm, to), messages, m));
        }
    }
}
