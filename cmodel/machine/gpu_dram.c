/* gpu_dram.c - the way of requests from the L2 banks to the memory controllers.
 *
 * Channels that give each bank one request at a time (dram.scheduler) take what they want from the
 * queues of their own L2 banks; others are fed.  See gpu.h.
 */
#include "base/cycle.h"
#include "machine/gpu_private.h"

/* Requests go from banks to channels; a bank that waited with a reply may have room for what
 * the reply makes it write. */
bool gpu_feed_dram(struct gpu *gpu, uint64_t tick)
{
    struct dram_moves moves = dram_front_tick(&gpu->dram_front, tick, gpu->now);

    for (uint32_t left = moves.channels; left; left &= left - 1) {
        uint32_t d = (uint32_t)__builtin_ctz(left);

        gpu->channel_wake[d] = gpu->channel[d].wake;
    }
    for (uint64_t left = moves.sources; left; left &= left - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(left);

        if (gpu->bank[b].refused_from) {
            cycle_advance(&gpu->bank_wake[b], gpu->now);
        }
    }
    return moves.channels;
}

/* A bank may have put requests into its queue: channels take them by themselves, or are fed. */
void gpu_tell_dram(struct gpu *gpu, uint32_t b)
{
    if (gpu->config.dram_scheduler != DRAM_SCHEDULER_BANKS) {
        dram_front_look(&gpu->dram_front, b);
    } else if (gpu->bank[b].to_dram.count) {
        cycle_advance(&gpu->channel_wake[b / gpu->config.l2_banks], gpu->now);
    }
}
