/* prefetch_stride.h - the stride tables of the compared prefetchers (caps-prefetch 3.9-3.11),
 * shared by INTRA, INTER and MTA: training apart from issuing, no timing. */
#ifndef WARPLOCK_MECHANISMS_PREFETCH_STRIDE_H
#define WARPLOCK_MECHANISMS_PREFETCH_STRIDE_H

#include "mechanisms/prefetch/prefetch.h"

enum { INTRA_WARPS = 64, INTRA_WAYS = 4, INTER_WAYS = 8, INTER_SURE = 3 };
/* Fetch for later iterations of the loading warp. */
void issue_for_iterations(const struct prefetch_reach *reach, uint32_t stride,
                          const struct prefetch_load *load, struct prefetch_burst *burst);
/* Fetch for the warps in higher slots that have not exited. */
void issue_for_warps(const struct prefetch_reach *reach, uint32_t stride,
                     const struct prefetch_load *load, struct prefetch_burst *burst);

enum intra_state { INTRA_INIT, INTRA_TRANS, INTRA_STEADY, INTRA_NOPRED };

struct intra_entry {
    uint32_t pc, last_addr, stride;
    uint8_t state; /* enum intra_state */
};
struct intra_set {
    struct intra_entry entry[INTRA_WAYS];
    uint8_t valid[INTRA_WAYS], age[INTRA_WAYS];
};
/* Per warp slot: the stride between its own executions of a load. */
struct intra_table {
    struct intra_set warp[INTRA_WARPS];
};

void intra_reset(struct intra_table *table);
void intra_flush(struct intra_table *table, uint32_t warp);
/* The entry of the load after training, or NULL when it has just been allocated. */
const struct intra_entry *intra_train(struct intra_table *table, const struct prefetch_load *load);
bool intra_steady(const struct intra_entry *entry);

struct inter_entry {
    uint32_t pc, last_warp, last_addr, stride;
    uint8_t confidence;
};
/* Per SM: the stride between neighbouring warps, whatever CTA they belong to. */
struct inter_table {
    struct inter_entry entry[INTER_WAYS];
    uint8_t valid[INTER_WAYS], age[INTER_WAYS];
};

void inter_reset(struct inter_table *table);
/* The entry that may issue for this load, or NULL. */
const struct inter_entry *inter_train(struct inter_table *table, const struct prefetch_load *load);

extern const struct prefetch_kind prefetch_intra, prefetch_inter, prefetch_mta, prefetch_mta_tables;

#endif
