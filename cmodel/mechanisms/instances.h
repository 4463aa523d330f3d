/* instances.h - the instances of a mechanism, one for each SM or one for each L2 bank: kept,
 * plugged in, and their counters added up.  It knows nothing of what an instance holds. */
#ifndef WARPLOCK_MECHANISMS_INSTANCES_H
#define WARPLOCK_MECHANISMS_INSTANCES_H

#include "mechanisms/mechanism.h"

struct instances {
    uint32_t n;
    size_t stride_bytes; /* from one to the next */
    unsigned char *first;
};

/* Keep `bytes` of zeroed storage for every SM (every bank), and let `attach` fill it and plug it in
 * there.  NULL with the context's error when one of them cannot. */
struct instances *instances_of_cores(struct mechanism_context *context, size_t bytes,
                                     int (*attach)(struct mechanism_context *context,
                                                   struct core *core, void *instance));
struct instances *instances_of_banks(struct mechanism_context *context, size_t bytes,
                                     int (*attach)(struct mechanism_context *context,
                                                   struct bank *bank, void *instance));

static inline void *instance_at(const struct instances *all, uint32_t number)
{
    return all->first + number * all->stride_bytes;
}

/* A counter, a uint64_t inside an instance, and the key of its sum. */
struct counter {
    const char *name;
    size_t offset;
};

/* The counter added up over all instances. */
uint64_t instances_sum(const struct instances *all, size_t offset);
/* Put the sums of `n` counters into a mechanism's statistics. */
void instances_put(const struct instances *all, const struct counter *counters, size_t n,
                   json_t *into);
#endif
