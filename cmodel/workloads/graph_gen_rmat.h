/* graph_gen_rmat.h - one edge of an R-MAT graph (lakshminarayana2014-graph 6.5), for the generators that keep
 * all draws' distinct edges, and so many of them. */
#ifndef WARPLOCK_WORKLOADS_GRAPH_GEN_RMAT_H
#define WARPLOCK_WORKLOADS_GRAPH_GEN_RMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/rng.h"

/* R-MAT's quadrant probabilities, in percent; the fourth is the rest to 100. */
struct rmat_percent {
    uint32_t a, b, c;
};

/* Each level of the recursion decides one bit of both ends. */
static inline void rmat_draw(struct rng *rng, struct rmat_percent p, uint32_t scale,
                             uint32_t *source, uint32_t *target)
{
    *source = *target = 0;
    for (uint32_t level = 0; level < scale; level++) {
        uint64_t percent = rng_below(rng, 100);
        bool lower = percent >= p.a + p.b;
        bool right = percent >= (lower ? p.a + p.b + p.c : p.a);
        *source = 2 * *source + lower;
        *target = 2 * *target + right;
    }
}

#endif
