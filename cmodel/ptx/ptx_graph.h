/* ptx_graph.h - control-flow graphs: dominators, post-dominators, natural loops.
 *
 * Works after Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
 * Knows nodes and edges only.
 */
#ifndef WARPLOCK_PTX_GRAPH_H
#define WARPLOCK_PTX_GRAPH_H

#include "ptx/ptx_diag.h"

/* Nodes 0..n-1, entry 0.  Edges in compressed rows: successors of v are
 * target[first[v]] .. target[first[v + 1] - 1]; target n is the exit. */
struct ptx_graph {
    uint32_t n;
    const uint32_t *first; /* [n + 1] */
    const uint32_t *target;
};

enum { PTX_GRAPH_NONE = UINT32_MAX };

/* Immediate post-dominator of each node: a node, n (the exit), or NONE when the exit cannot be
 * reached from it. */
uint32_t *ptx_graph_ipdom(struct ptx_diag *diag, const struct ptx_graph *graph);

/* Immediate dominator of each node; NONE for unreachable nodes; the entry's is itself. */
uint32_t *ptx_graph_idom(struct ptx_diag *diag, const struct ptx_graph *graph);

/* A natural loop: all back edges to one header together. */
struct ptx_loop {
    uint32_t header;
    uint8_t *contains; /* [n] */
};
struct ptx_loop *ptx_graph_loops(struct ptx_diag *diag, const struct ptx_graph *graph,
                                 uint32_t *n_loops);

#endif
