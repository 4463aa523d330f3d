/* graph.h - sparse graphs in CSR form: building, generating, reading from files.
 *
 * Works after Lakshminarayana 2014 sections 6.4 (CSR layout) and 6.5
 * (generators) and the graph inputs of Wang 2015 and CAPS (section 6 of each).
 * Knows nothing of the GPU, of kernels or of which workload uses the graph.
 *
 * Vertices are numbered from 0; an edge is directed, an undirected graph holds
 * both directions.  Inside a row the targets rise.  The same structure serves
 * as a square sparse matrix (row, column, value).
 */
#ifndef WARPLOCK_WORKLOADS_GRAPH_H
#define WARPLOCK_WORKLOADS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GRAPH_MAX_VERTICES = 1 << 26,
    GRAPH_MAX_EDGES = 1 << 28,       /* directed edges after mirroring */
    GRAPH_MAX_FILE_BYTES = INT32_MAX /* after decompression */
};

struct graph {
    uint32_t n_vertices;
    uint32_t n_edges;
    uint32_t *row; /* [n_vertices + 1], start of each vertex's edges */
    uint32_t *col; /* [n_edges], target */
    double *value; /* [n_edges], weight or matrix element */
};

struct graph_error {
    char text[320]; /* one line, "" while all is well */
};

/* Frees the arrays and leaves an empty graph. */
void graph_free(struct graph *graph);

/* A growing list of edges, the input of graph_build. */
struct graph_edge {
    uint32_t source, target;
    double value;
};
struct graph_edges {
    struct graph_edge *edge;
    size_t count, capacity;
};

/* Appends one edge.  False, with the list unchanged, when memory or
 * GRAPH_MAX_EDGES is exhausted. */
bool graph_edges_add(struct graph_edges *edges, uint32_t source, uint32_t target, double value);
void graph_edges_free(struct graph_edges *edges);

enum graph_shape {
    GRAPH_AS_GIVEN = 0,
    GRAPH_NO_LOOPS = 1 << 0,      /* drop edges from a vertex to itself */
    GRAPH_NO_DUPLICATES = 1 << 1, /* keep the smallest value of equal edges */
    GRAPH_SYMMETRIC = 1 << 2,     /* add the reverse of every edge that is no loop */
    GRAPH_SIMPLE = GRAPH_NO_LOOPS | GRAPH_NO_DUPLICATES | GRAPH_SYMMETRIC
};

/* CSR from an edge list whose ends are all below n_vertices; `shape` is a mask of
 * enum graph_shape.  SIMPLE gives equal values in both directions.  False with
 * `error` set when a limit or memory is exhausted; `graph` is then empty. */
bool graph_build(struct graph *graph, uint32_t n_vertices, const struct graph_edges *edges,
                 unsigned shape, struct graph_error *error);

/* Turns a graph into another shape in place (see graph_build). */
bool graph_reshape(struct graph *graph, unsigned shape, struct graph_error *error);

uint32_t graph_degree(const struct graph *graph, uint32_t vertex);
uint32_t graph_max_degree(const struct graph *graph);

/* Generators.  The same arguments give the same graph on every machine; values
 * are whole numbers from 1 to max_weight.  False with `error` set on arguments
 * outside the limits. */

/* Every vertex gets exactly `degree` edges to uniform random targets; loops and
 * duplicates stay (the R4 type of section 6.5). */
bool graph_uniform_degree(struct graph *graph, uint32_t n_vertices, uint32_t degree,
                          uint32_t max_weight, uint64_t seed, struct graph_error *error);

/* n_edges edges between uniform random ends (the Graph1M type of section 6.5). */
bool graph_uniform_edges(struct graph *graph, uint32_t n_vertices, uint32_t n_edges,
                         uint32_t max_weight, uint64_t seed, struct graph_error *error);

/* R-MAT with 2^scale vertices and n_edges draws by the four-quadrant recursion
 * with 0.57 / 0.19 / 0.19 / 0.05; loops and duplicates are removed, so fewer
 * than n_edges remain. */
bool graph_rmat(struct graph *graph, uint32_t scale, uint32_t n_edges, uint32_t max_weight,
                uint64_t seed, struct graph_error *error);

/* With exactly n_edges edges, by 0.50 / 0.10 / 0.10 / 0.30 (the document's RMAT20): drawn until there are so many,
 * each once and none a loop.  Refused also when the likely quadrants have no room for them. */
bool graph_rmat_exact(struct graph *graph, uint32_t scale, uint32_t n_edges, uint32_t max_weight,
                      uint64_t seed, struct graph_error *error);

/* A road-like map: width x height crossings, one street that runs through all of
 * them row by row and back, and each other link between rows kept with keep_percent.
 * Symmetric, connected, degree at most 4, large diameter. */
bool graph_road(struct graph *graph, uint32_t width, uint32_t height, uint32_t keep_percent,
                uint32_t max_weight, uint64_t seed, struct graph_error *error);

/* Undirected graphs with n_edges directed edges, half as many links, each once and none a loop: pages of
 * the web (most links stay in a host of neighbouring ids, others go to popular pages), authors who
 * wrote together (all of a paper know each other).  Refused also when so few vertices have no room. */
bool graph_web(struct graph *graph, uint32_t n_vertices, uint32_t n_edges, uint32_t max_weight,
               uint64_t seed, struct graph_error *error);
bool graph_coauthors(struct graph *graph, uint32_t n_vertices, uint32_t n_edges,
                     uint32_t max_weight, uint64_t seed, struct graph_error *error);

/* n_vertices random points of the unit square; the n_edges / 2 nearest pairs are joined, both ways. */
bool graph_geometric(struct graph *graph, uint32_t n_vertices, uint32_t n_edges,
                     uint32_t max_weight, uint64_t seed, struct graph_error *error);

/* Readers.  Formats: Matrix Market coordinate (real, integer, pattern; general,
 * symmetric, skew-symmetric; square), DIMACS shortest path (.gr), DIMACS colouring
 * (.col) and METIS (.graph).  Each mistake gives "name:line: what is wrong; remedy". */

/* Reads a plain or gzip-compressed file. */
bool graph_read_file(struct graph *graph, const char *path, struct graph_error *error);

/* Reads `bytes` bytes of text; `name` stands in messages, `max_vertices` and
 * `max_edges` bound the size (at most the limits above). */
bool graph_read_text(struct graph *graph, const char *name, const char *text, size_t bytes,
                     uint32_t max_vertices, uint32_t max_edges, struct graph_error *error);

#endif
