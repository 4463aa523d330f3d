/* dram_due.h - the banks of a channel that wait for the same command, that with the oldest request
 * first: who may go is found at the head, most often.
 *
 * See dram.h.  It must not know what they wait for.
 */
#ifndef WARPLOCK_GPU_DRAM_DUE_H
#define WARPLOCK_GPU_DRAM_DUE_H

#include <stdint.h>

enum { DRAM_MAX_BANKS = 32 };

struct dram_due {
    uint32_t n;
    uint8_t bank[DRAM_MAX_BANKS];
    uint64_t order[DRAM_MAX_BANKS]; /* of its request: ascending */
};

/* `bank` is not there yet. */
static inline void dram_due_put(struct dram_due *due, uint32_t bank, uint64_t order)
{
    uint32_t at = due->n++;

    for (; at && due->order[at - 1] > order; at--) {
        due->bank[at] = due->bank[at - 1];
        due->order[at] = due->order[at - 1];
    }
    due->bank[at] = (uint8_t)bank;
    due->order[at] = order;
}

/* `bank` is there. */
static inline void dram_due_take(struct dram_due *due, uint32_t bank)
{
    uint32_t at = 0;

    while (due->bank[at] != bank) {
        at++;
    }
    for (due->n--; at < due->n; at++) {
        due->bank[at] = due->bank[at + 1];
        due->order[at] = due->order[at + 1];
    }
}

#endif
