/* dram_front.c - see dram_front.h. */
#include "machine/memory/dram_front.h"

struct dram_moves dram_front_tick(struct dram_front *front, uint64_t tick, uint64_t now)
{
    uint64_t first = front->waiting & UINT64_MAX << tick % front->n_sources;
    uint64_t rest = front->waiting & ~first;
    struct dram_moves moves = {0, 0};

    while (first | rest) {
        uint64_t *left = first ? &first : &rest;
        uint32_t from = (uint32_t)__builtin_ctzll(*left), to;
        const struct dram_request *request = dram_queue_head(front->source[from]);

        *left &= *left - 1;
        to = dram_channel_of(front->config, request->block);
        if ((moves.channels >> to & 1) || !dram_room(&front->channel[to], request->block)) {
            continue;
        }
        dram_push(&front->channel[to], request, now);
        dram_queue_pop(front->source[from]);
        dram_front_look(front, from);
        moves.sources |= UINT64_C(1) << from;
        moves.channels |= UINT32_C(1) << to;
    }
    return moves;
}
