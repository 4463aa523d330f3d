/* dram_queue.h - requests to DRAM, and the FIFO in which an L2 bank hands them over.
 *
 * It must not know banks nor channels.
 */
#ifndef WARPLOCK_MACHINE_DRAM_QUEUE_H
#define WARPLOCK_MACHINE_DRAM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct dram_request {
    uint64_t block;
    uint64_t arrived; /* core cycle */
    uint16_t l2_bank; /* to whom a read returns */
    uint16_t mshr;    /* of that bank; of a read */
    uint8_t sectors;
    bool write;
};

struct dram_queue {
    struct dram_request *slot;
    uint32_t head, count, capacity;
};

/* Returns 0, or -1 when out of memory. */
static inline int dram_queue_init(struct dram_queue *queue, uint32_t capacity)
{
    *queue = (struct dram_queue){.slot = calloc(capacity, sizeof *queue->slot),
                                 .capacity = capacity};
    return queue->slot ? 0 : -1;
}

static inline void dram_queue_free(struct dram_queue *queue)
{
    free(queue->slot);
    queue->slot = NULL;
}

static inline uint32_t dram_queue_room(const struct dram_queue *queue)
{
    return queue->capacity - queue->count;
}

static inline void dram_queue_push(struct dram_queue *queue, const struct dram_request *request)
{
    queue->slot[(queue->head + queue->count++) % queue->capacity] = *request;
}

/* The oldest; there is one. */
static inline const struct dram_request *dram_queue_head(const struct dram_queue *queue)
{
    return &queue->slot[queue->head];
}

static inline void dram_queue_pop(struct dram_queue *queue)
{
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
}

#endif
