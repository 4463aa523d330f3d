/* hier_report.c - what the mechanisms of inclusion have counted; see hier.h. */
#include <stddef.h>
#include <stdio.h>

#include "mechanisms/graph/hier.h"

void hier_statistics(const struct hier *hier, json_t *into)
{
    static const struct counter l1[] = {{"copy_backs_sent", offsetof(struct hier_l1, sent)},
                                        {"victims_dropped", offsetof(struct hier_l1, dropped)},
                                        {"victim_cache_hits", offsetof(struct hier_l1, vc_hits)},
                                        {"victim_cache_lines", offsetof(struct hier_l1, vc_kept)}};
    static const struct counter l2[] = {
        {"l2_insertions", offsetof(struct hier_l2, inserts)},
        {"l2_insertions_by_copy_back", offsetof(struct hier_l2, cb_inserts)},
        {"copy_backs_stale", offsetof(struct hier_l2, stale)},
        {"copy_backs_refreshed", offsetof(struct hier_l2, refreshed)},
        {"l2_lines_given_away", offsetof(struct hier_l2, given_away)},
        {"l2_private_hits", offsetof(struct hier_l2, private_hits)},
        {"l2_shared_hits", offsetof(struct hier_l2, shared_hits)}};
    instances_put(hier->l1, l1, sizeof l1 / sizeof *l1, into);
    instances_put(hier->l2, l2, sizeof l2 / sizeof *l2, into);
}

const char *hier_difference(struct hier *hier)
{
    const uint64_t l1 = instances_sum(hier->l1, offsetof(struct hier_l1, differences));
    const uint64_t l2 = instances_sum(hier->l2, offsetof(struct hier_l2, differences));
    const uint64_t dirty = instances_sum(hier->l1, offsetof(struct hier_l1, dirty));
    if (dirty != 0) {
        snprintf(hier->difference, sizeof hier->difference,
                 "%llu times a line of global memory was dirty in an L1D",
                 (unsigned long long)dirty);
        return hier->difference;
    }
    if (l1 + l2 == 0) {
        return NULL;
    }
    snprintf(
        hier->difference, sizeof hier->difference,
        l1 > 0 ? "%llu times a line that left an L1D or its victim cache was not what its unit knew"
               : "%llu times an L2 line that was copied back was not that of the core that did",
        (unsigned long long)(l1 > 0 ? l1 : l2));
    return hier->difference;
}
