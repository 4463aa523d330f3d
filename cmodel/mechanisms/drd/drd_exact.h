/* drd_exact.h - signatures that do not mistake one address for another (sig=exact), to tell what
 * false positives cost from what sharing costs (tabbakh2018-coherence 3.7.2, 5.8).
 *
 * Stores are numbered in the order of the race detection unit.  A signature stands for what
 * other SMs stored between two of its SM's points, an interval of these numbers; so no set is
 * kept but the stores themselves.  The units stay as they are: they are asked only for what
 * is really in the set, of which a Bloom filter misses nothing. */
#ifndef WARPLOCK_MECHANISMS_DRD_EXACT_H
#define WARPLOCK_MECHANISMS_DRD_EXACT_H

#include <stdbool.h>
#include <stdint.h>

/* Stores after number `after`, up to number `upto`; the first store is 1. */
struct drd_interval {
    uint64_t after, upto;
};

struct drd_exact;
/* For granules of 2^shift bytes; NULL when out of memory. */
struct drd_exact *drd_exact_new(uint32_t shift);
void drd_exact_free(struct drd_exact *exact);
/* A kernel starts: no stores. */
void drd_exact_clear(struct drd_exact *exact);
/* One more store, to `bytes` of a block; false when out of memory. */
bool drd_exact_store(struct drd_exact *exact, uint32_t sm, uint64_t block, const uint64_t bytes[2]);
/* Stores so far. */
uint64_t drd_exact_count(const struct drd_exact *exact);
/* Leave of `bytes` of a block those in granules that other SMs than `sm` stored to. */
void drd_exact_keep(const struct drd_exact *exact, uint32_t sm, struct drd_interval in,
                    uint64_t block, uint64_t bytes[2]);

#endif
