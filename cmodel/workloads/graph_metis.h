/* graph_metis.h - the METIS reader behind graph_read_text (graph.h). */
#ifndef WARPLOCK_WORKLOADS_GRAPH_METIS_H
#define WARPLOCK_WORKLOADS_GRAPH_METIS_H

#include "workloads/graph.h"

/* Appends the directed edges of a METIS text to `edges`; arguments as those of graph_read_text. */
bool graph_metis_read(const char *name, const char *text, size_t bytes, uint32_t max_vertices,
                      uint32_t max_edges, uint32_t *n_vertices, struct graph_edges *edges,
                      struct graph_error *error);

#endif
