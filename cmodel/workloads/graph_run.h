/* graph_run.h - what the graph workloads' run functions share: choosing a graph by
 * the size's parameters, placing it in device memory, the levels' "once more" flag.
 *
 * Works after Lakshminarayana 2014 sections 6.2 to 6.5: a generator's name with its
 * size, or a file.  Does not know what is computed on the graph.
 */
#ifndef WARPLOCK_WORKLOADS_GRAPH_RUN_H
#define WARPLOCK_WORKLOADS_GRAPH_RUN_H

#include "workloads/graph.h"
#include "workloads/run.h"

/* Rows for a workload's parameter table.  With a file, the vertices and edges are
 * those of the file and the two numbers are not used. */
#define GRAPH_PARAMS \
    {"graph", WORKLOAD_TEXT, 0, 0, \
     "rmat, rmat_exact, uniform, degree, road, streets, web, coauthors, geometric; a .mtx, .gr, .col or .graph " \
     "file"}, \
        {"vertices", WORKLOAD_NUMBER, 1, 1 << 24, "number of vertices"}, \
    { \
        "edges", WORKLOAD_NUMBER, 0, 1 << 27, "number of edges drawn by the generator" \
    }
#define GRAPH_SOURCE_PARAM \
    { \
        "source", WORKLOAD_NUMBER, 0, (1 << 26) - 1, "start vertex" \
    }
#define GRAPH_BLOCK_PARAM \
    { \
        "block", WORKLOAD_NUMBER, 1, 1024, "CTA size, threads" \
    }

/* Makes or reads the graph of the run's size and gives it a shape (enum
 * graph_shape).  Generated values are whole numbers from 1 to max_weight.  After
 * a refusal the graph is empty and the run failed.  Released with graph_free. */
struct graph graph_input(struct run *run, uint32_t max_weight, unsigned shape);

/* The size's start vertex, checked against the graph. */
uint32_t graph_source(struct run *run, const struct graph *graph);

/* How work is shared out (Lakshminarayana 2014 section 3.7): a thread for each vertex, a warp for 32 of
 * them, a thread for each vertex of a list, a thread for a vertex and those that it changes. */
enum graph_form { GRAPH_TOPOLOGY, GRAPH_WARP, GRAPH_DATA, GRAPH_UNROLLED, GRAPH_FORMS };
#define GRAPH_FORM_PARAM \
    { \
        "form", WORKLOAD_TEXT, 0, 0, \
            "topology, warp, data, unrolled, or chosen by degree and levels" \
    }

/* The form that suits a graph of that many edges per vertex and levels of a breadth-first search (section
 * 3.7, Fig. 64): many edges and few levels, a warp; few edges and many levels, lists; else a thread. */
enum graph_form graph_form_for(double average_degree, uint32_t n_levels);

/* The size's form, chosen by the levels from `source` if it says so; another word is refused, and
 * GRAPH_TOPOLOGY is returned. */
enum graph_form graph_form(struct run *run, const struct graph *graph, uint32_t source);

/* Two lists of vertices, by turns the frontier and the next one, and the length of the next. */
struct graph_lists {
    gpu_ptr list[2], n_next;
    uint32_t n_vertices, n, turn; /* of the frontier */
};
struct graph_lists graph_lists_place(struct run *run, uint32_t n_vertices, const uint32_t *first,
                                     uint32_t n_first);
gpu_ptr graph_lists_now(const struct graph_lists *lists);
gpu_ptr graph_lists_next(const struct graph_lists *lists);
/* Before the launches of a round, and after them: the next list becomes the frontier.  A length that no
 * list has is refused, and taken as 0. */
void graph_lists_clear(struct run *run, const struct graph_lists *lists);
void graph_lists_swap(struct run *run, struct graph_lists *lists);

/* "No path" as a distance; also -1 as a signed number. */
#define GRAPH_NO_PATH UINT32_MAX

/* A CPU array of distances before a search: 0 at source, GRAPH_NO_PATH elsewhere.
 * NULL when the run has failed. */
uint32_t *graph_start_at(struct run *run, const struct graph *graph, uint32_t source);

/* A CPU array of n random priorities; few enough values that neighbours tie now and
 * then.  NULL when the run has failed. */
uint32_t *graph_priorities(struct run *run, uint32_t n);

/* Row starts, [n_vertices + 1], and targets, [n_edges]: 4-byte ids. */
gpu_ptr graph_upload_rows(struct run *run, const struct graph *graph);
gpu_ptr graph_upload_edges(struct run *run, const struct graph *graph);

/* Vertices as pairs {first edge, number of edges}, 8 bytes each. */
gpu_ptr graph_upload_nodes(struct run *run, const struct graph *graph);

/* The values as 32-bit weights, on the CPU and on the device; NULL and 0 when the run has
 * failed.  Refused unless each is a whole number and the longest possible path fits in 32
 * bits below GRAPH_NO_PATH. */
uint32_t *graph_weights(struct run *run, const struct graph *graph);
gpu_ptr graph_upload_weights(struct run *run, const struct graph *graph);

/* A flag that a kernel sets when the next round is needed. */
void graph_flag_clear(struct run *run, gpu_ptr flag);
bool graph_flag_is_set(struct run *run, gpu_ptr flag);

#endif
