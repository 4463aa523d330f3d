/* graph_reference.h - textbook graph algorithms on the CPU, the references of the
 * graph workloads' checks.
 *
 * Written against the problems' definitions (Cormen et al., Introduction to
 * Algorithms), not after the kernels: a queue where the kernels have levels, a heap
 * where they have rounds, sets where they have labels.
 */
#ifndef WARPLOCK_WORKLOADS_GRAPH_REFERENCE_H
#define WARPLOCK_WORKLOADS_GRAPH_REFERENCE_H

#include "workloads/graph_run.h"

/* Each returns an array of n_vertices entries owned by the run, or NULL when the run
 * has failed, also before. */

/* Number of edges on a shortest path from source, or GRAPH_NO_PATH. */
uint32_t *graph_reference_levels(struct run *run, const struct graph *graph, uint32_t source);

/* Least sum of values on a path from source, or GRAPH_NO_PATH; values are whole,
 * non-negative, and sums fit in 32 bits (graph_upload_weights refuses others). */
uint32_t *graph_reference_distances(struct run *run, const struct graph *graph, uint32_t source);

/* The smallest vertex of each vertex's component; the graph is symmetric. */
uint32_t *graph_reference_components(struct run *run, const struct graph *graph);

/* The vertices by falling priority; of equal priorities the higher vertex comes first. */
uint32_t *graph_reference_order(struct run *run, const uint32_t *priority, uint32_t n);

/* An edge of an undirected graph, named by its place in a list. */
struct graph_link {
    uint32_t a, b;
};

/* For each link 1 when it belongs to the minimum spanning forest (Kruskal), else 0; of
 * equal weights the link with the lower name goes first, so the forest is unique. */
uint8_t *graph_reference_forest(struct run *run, uint32_t n_vertices, const struct graph_link *link,
                                const uint32_t *weight, uint32_t n_links);

#endif
