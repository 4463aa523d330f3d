/* instances.c - see instances.h. */
#include "mechanisms/instances.h"

#include <stdalign.h>

static struct instances *keep(struct mechanism_context *context, uint32_t n, size_t bytes)
{
    const size_t unit = alignof(max_align_t), stride = (bytes + unit - 1) / unit * unit;
    struct instances *all = mechanism_keep(context, sizeof *all);
    if (all == NULL || (all->first = mechanism_keep(context, n * stride)) == NULL) {
        return NULL;
    }
    all->n = n;
    all->stride_bytes = stride;
    return all;
}

struct instances *instances_of_cores(struct mechanism_context *context, size_t bytes,
                                     int (*attach)(struct mechanism_context *context,
                                                   struct core *core, void *instance))
{
    struct instances *all = keep(context, machine_cores(context->machine), bytes);
    for (uint32_t i = 0; all != NULL && i < all->n; i++) {
        if (attach(context, machine_core(context->machine, i), instance_at(all, i)) != 0) {
            return NULL;
        }
    }
    return all;
}

struct instances *instances_of_banks(struct mechanism_context *context, size_t bytes,
                                     int (*attach)(struct mechanism_context *context,
                                                   struct bank *bank, void *instance))
{
    struct instances *all = keep(context, machine_banks(context->machine), bytes);
    for (uint32_t i = 0; all != NULL && i < all->n; i++) {
        if (attach(context, machine_bank(context->machine, i), instance_at(all, i)) != 0) {
            return NULL;
        }
    }
    return all;
}

uint64_t instances_sum(const struct instances *all, size_t offset)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const unsigned char *instance = instance_at(all, i);
        sum += *(const uint64_t *)(const void *)(instance + offset);
    }
    return sum;
}

void instances_put(const struct instances *all, const struct counter *counters, size_t n,
                   json_t *into)
{
    for (size_t i = 0; i < n; i++) {
        put_count(into, counters[i].name, instances_sum(all, counters[i].offset));
    }
}
