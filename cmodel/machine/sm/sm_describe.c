/* sm_describe.c - what an SM waits for, in words, for the report of a run that is stuck. */
#include <stdio.h>
#include <string.h>

#include "machine/sm/sm_async.h"

void sm_describe(const struct sm *sm, char *out, size_t n_out)
{
    static const char *const reasons[] = {"a line", "an MSHR", "the memory port", "the protocol"};
    const struct packet *head = sm->reply.in.count ? ring_head(&sm->reply.in) : NULL;

    snprintf(
        out, n_out,
        "SM %u: %d warps (ready %d, loads %d, arithmetic %d, barrier %d, fence %d, fetch %d, "
        "exited %d), MSHRs %u, port %u of %u, replies %u%s, LD/ST %u%s%s",
        sm->id, __builtin_popcountll(sm->warps.resident), __builtin_popcountll(sm->warps.ready),
        __builtin_popcountll(sm->warps.wait_load), __builtin_popcountll(sm->warps.wait_arith),
        __builtin_popcountll(sm->warps.wait_barrier), __builtin_popcountll(sm->warps.wait_fence),
        __builtin_popcountll(sm->warps.wait_fetch), __builtin_popcountll(sm->warps.done),
        sm->mshr.used, sm->port.out.count, sm->config->l1d_miss_queue, sm->reply.in.count,
        head && head->ready_at == CYCLE_NEVER ? " (never)" : "", sm->ldst.count,
        sm->ldst.stall[0] >= 0 ? " stalled on " : "",
        sm->ldst.stall[0] >= 0 ? reasons[sm->ldst.stall[0]] : "");
    if (sm->async && strlen(out) + 1 < n_out) {
        sm_async_describe(sm, out + strlen(out), n_out - strlen(out));
    }
}
