/* prefetch_stride.h - the two stride tables of the compared prefetchers (caps-prefetch 3.9,
 * 3.10), shared by INTRA, INTER and MTA: training apart from issuing, no timing. */
#ifndef WARPLOCK_MECHANISMS_PREFETCH_STRIDE_H
#define WARPLOCK_MECHANISMS_PREFETCH_STRIDE_H

#include "mechanisms/prefetch.h"

enum { INTRA_WARPS = 64, INTRA_WAYS = 4, INTER_WAYS = 8, INTER_SURE = 3 };
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
    uint32_t degree, distance; /* DEG lines ahead, the first DISTI iterations ahead */
    struct intra_set warp[INTRA_WARPS];
};

void intra_reset(struct intra_table *table);
void intra_flush(struct intra_table *table, uint32_t warp);
/* The entry of the load after training, or NULL when it has just been allocated. */
const struct intra_entry *intra_train(struct intra_table *table, const struct prefetch_load *load);
bool intra_steady(const struct intra_entry *entry);
void intra_issue(const struct intra_table *table, const struct intra_entry *entry,
                 const struct prefetch_load *load, struct prefetch_burst *burst);

struct inter_entry {
    uint32_t pc, last_warp, last_addr, stride;
    uint8_t confidence;
};
/* Per SM: the stride between neighbouring warps, whatever CTA they belong to. */
struct inter_table {
    uint32_t degree, distance; /* DEG warps, the first DISTW ahead */
    struct inter_entry entry[INTER_WAYS];
    uint8_t valid[INTER_WAYS], age[INTER_WAYS];
};

void inter_reset(struct inter_table *table);
/* The entry that may issue for this load, or NULL. */
const struct inter_entry *inter_train(struct inter_table *table, const struct prefetch_load *load);
void inter_issue(const struct inter_table *table, const struct inter_entry *entry,
                 const struct prefetch_load *load, struct prefetch_burst *burst);

extern const struct prefetch_kind prefetch_intra, prefetch_inter, prefetch_mta;

#endif
