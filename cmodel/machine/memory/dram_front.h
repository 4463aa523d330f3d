/* dram_front.h - the way from the L2 banks' queues to the memory controllers.
 *
 * In a tick of the L2 each bank hands over at most one request, and each channel takes at most
 * one; banks have their turn to be first.  Limit: beside banks that are idle this is no equal share,
 * a bank has the turns of those before it.  It must not know L2 banks beyond their queues.
 */
#ifndef WARPLOCK_MACHINE_DRAM_FRONT_H
#define WARPLOCK_MACHINE_DRAM_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/memory/dram.h"
#include "machine/memory/dram_queue.h"

enum { DRAM_MAX_SOURCES = 64 };

struct dram_front {
    const struct gpu_config *config;
    struct dram_channel *channel;
    uint32_t n_sources;
    uint64_t waiting; /* mask of sources with requests */
    struct dram_queue *source[DRAM_MAX_SOURCES];
};

/* Masks of the sources and channels between which requests went. */
struct dram_moves {
    uint64_t sources;
    uint32_t channels;
};

/* Requests may have been put into the queue of a source, or taken from it. */
static inline void dram_front_look(struct dram_front *front, uint32_t source)
{
    uint64_t bit = UINT64_C(1) << source;

    front->waiting = front->source[source]->count ? front->waiting | bit : front->waiting & ~bit;
}

/* One L2 tick, inside core cycle `now`. */
struct dram_moves dram_front_tick(struct dram_front *front, uint64_t tick, uint64_t now);

#endif
