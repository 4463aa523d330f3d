/* sass_shape.h - the shape of a kernel's clusters, worked out from where its blocks are.
 *
 * Works after the tracez format, section 7.1: a trace gives each block its cluster
 * and its place in it, and no shape.  Blocks are looked at one after the other and none is
 * kept.  It must not know lines.
 */
#ifndef WARPLOCK_SASS_SHAPE_H
#define WARPLOCK_SASS_SHAPE_H

#include "sass/sass_kernel.h"
#include "sass/sass_tracez.h"

struct sass_shape {
    const struct sass_header *header;
    uint32_t size[3];  /* per axis, once a cluster that is not the first has told; else 0 */
    uint32_t place[3]; /* the largest in a cluster */
    uint64_t blocks;
    bool any, contradicts; /* a number that is not 0 */
    /* Do clusters come one after the other, each whole and in the order of ranks? */
    bool consecutive;
    struct isa_dim3 id;
    uint32_t run, run_blocks; /* of the cluster at hand, of all before */
};

void sass_shape_init(struct sass_shape *shape, const struct sass_header *header);
void sass_shape_add(struct sass_shape *shape, struct isa_dim3 at,
                    const struct sass_cluster *cluster);
/* False when the blocks contradict each other, or cannot be placed together: then there are no
 * clusters. */
bool sass_shape_end(struct sass_shape *shape, const struct sass_tracez *tracez,
                    struct sass_cluster_shape *out);

/* CTA `cta` in the order of clusters, as the number of its block in the grid. */
uint64_t sass_shape_block(const struct sass_cluster_shape *shape, struct isa_dim3 grid,
                          uint64_t cta);

#endif
