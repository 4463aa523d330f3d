/* graph_run.c - see graph_run.h. */
#include "workloads/graph_run.h"

#include <stdio.h>
#include <string.h>

#include "workloads/graph_reference.h"

enum { ROAD_KEEP_PERCENT = 60 };

/* Thresholds of the chart, which the document does not print: these separate its five inputs (D-GRAPH-1). */
enum { DENSE_DEGREE = 8, DEEP_LEVELS = 100 };

static bool refuse(struct graph_error *error, const char *text)
{
    snprintf(error->text, sizeof error->text, "%s", text);
    return false;
}

static bool make_rmat(struct graph *graph, uint32_t vertices, uint32_t edges, uint32_t max_weight,
                      bool exact, uint64_t seed, struct graph_error *error)
{
    if (vertices & (vertices - 1)) {
        return refuse(error, "graph=rmat needs a power of two as vertices; use 1024 for example");
    }
    uint32_t scale = (uint32_t)__builtin_ctz(vertices);
    return exact ? graph_rmat_exact(graph, scale, edges, max_weight, seed, error)
                 : graph_rmat(graph, scale, edges, max_weight, seed, error);
}

static bool make_degree(struct graph *graph, uint32_t vertices, uint32_t edges, uint32_t max_weight,
                        uint64_t seed, struct graph_error *error)
{
    if (edges % vertices) {
        return refuse(error, "graph=degree gives every vertex as many edges; make edges a "
                             "multiple of vertices");
    }
    return graph_uniform_degree(graph, vertices, edges / vertices, max_weight, seed, error);
}

/* The road map is as square as its vertex count allows.  With `edges`, of the links beside the street
 * through all crossings as many are kept as these are, to a percent. */
static bool make_road(struct graph *graph, uint32_t vertices, const uint32_t *edges,
                      uint32_t max_weight, uint64_t seed, struct graph_error *error)
{
    uint32_t width = 1, keep_percent = ROAD_KEEP_PERCENT;
    for (uint32_t w = 2; (uint64_t)w * w <= vertices; w++) {
        width = vertices % w == 0 ? w : width;
    }
    const uint32_t height = vertices / width, street = vertices - 1;
    const uint64_t others = (uint64_t)(width - 1) * (height - 1);
    if (edges && (*edges / 2 < street || *edges / 2 - street > others)) {
        snprintf(error->text, sizeof error->text,
                 "graph=streets of %u vertices has 2 * %u to 2 * %llu edges; choose from these",
                 vertices, street, (unsigned long long)(street + others));
        return false;
    }
    if (edges && others != 0) {
        keep_percent = (uint32_t)((100 * (uint64_t)(*edges / 2 - street) + others / 2) / others);
    }
    return graph_road(graph, width, height, keep_percent, max_weight, seed, error);
}

static bool make(struct graph *graph, const char *kind, const struct workload_size *size,
                 uint32_t max_weight, uint64_t seed, struct graph_error *error)
{
    uint32_t vertices = workload_u32(size, "vertices");
    uint32_t edges = workload_u32(size, "edges");
    if (strcmp(kind, "rmat") == 0) {
        return make_rmat(graph, vertices, edges, max_weight, false, seed, error);
    }
    if (strcmp(kind, "rmat_exact") == 0) {
        return make_rmat(graph, vertices, edges, max_weight, true, seed, error);
    }
    if (strcmp(kind, "uniform") == 0) {
        return graph_uniform_edges(graph, vertices, edges, max_weight, seed, error);
    }
    if (strcmp(kind, "degree") == 0) {
        return make_degree(graph, vertices, edges, max_weight, seed, error);
    }
    if (strcmp(kind, "road") == 0) {
        return make_road(graph, vertices, NULL, max_weight, seed, error);
    }
    if (strcmp(kind, "streets") == 0) {
        return make_road(graph, vertices, &edges, max_weight, seed, error);
    }
    if (strcmp(kind, "web") == 0) {
        return graph_web(graph, vertices, edges, max_weight, seed, error);
    }
    if (strcmp(kind, "coauthors") == 0) {
        return graph_coauthors(graph, vertices, edges, max_weight, seed, error);
    }
    if (strcmp(kind, "geometric") == 0) {
        return graph_geometric(graph, vertices, edges, max_weight, seed, error);
    }
    if (!strpbrk(kind, "./")) {
        snprintf(
            error->text, sizeof error->text,
            "graph=%.60s is no generator; use rmat, rmat_exact, uniform, "
            "degree, road, streets, web, coauthors, geometric or a file's name with its suffix",
            kind);
        return false;
    }
    return graph_read_file(graph, kind, error);
}

struct graph graph_input(struct run *run, uint32_t max_weight, unsigned shape)
{
    char kind[1024];
    struct graph graph = {0};
    struct graph_error error = {""};
    /* a draw, not the run's own seed: what the run draws next must not repeat the graph's */
    const uint64_t seed = rng_u64(&run->rng);
    bool ok = workload_text(run->size, "graph", kind, sizeof kind) == 0 ||
              refuse(&error, "the name of the graph file is too long; use a shorter path");
    ok = ok && make(&graph, kind, run->size, max_weight, seed, &error);
    ok = ok && (shape == GRAPH_AS_GIVEN || graph_reshape(&graph, shape, &error));
    if (!ok) {
        graph_free(&graph);
        run_refuse(run, "%s", error.text);
    }
    return graph;
}

uint32_t graph_source(struct run *run, const struct graph *graph)
{
    uint32_t source = run_u32(run, "source");
    if (source >= graph->n_vertices) {
        run_refuse(run, "source=%u is no vertex; the graph has 0 to %u", source,
                   graph->n_vertices - 1);
    }
    return source;
}

enum graph_form graph_form_for(double average_degree, uint32_t n_levels)
{
    const bool dense = average_degree >= DENSE_DEGREE, deep = n_levels >= DEEP_LEVELS;
    return dense && !deep ? GRAPH_WARP : !dense && deep ? GRAPH_DATA : GRAPH_TOPOLOGY;
}

static enum graph_form chosen(struct run *run, const struct graph *graph, uint32_t source)
{
    const uint32_t *level = graph_reference_levels(run, graph, source);
    uint32_t most = 0;
    for (uint32_t v = 0; level && v < graph->n_vertices; v++) {
        most = level[v] != GRAPH_NO_PATH && level[v] > most ? level[v] : most;
    }
    return graph_form_for((double)graph->n_edges / (double)graph->n_vertices, most);
}

enum graph_form graph_form(struct run *run, const struct graph *graph, uint32_t source)
{
    static const char *const words[] = {"topology", "warp", "data", "unrolled", "chosen"};
    const uint32_t form = run_word(run, "form", words, GRAPH_FORMS + 1);
    if (form < GRAPH_FORMS) {
        return (enum graph_form)form;
    }
    return run->failed ? GRAPH_TOPOLOGY : chosen(run, graph, source);
}

struct graph_lists graph_lists_place(struct run *run, uint32_t n_vertices, const uint32_t *first,
                                     uint32_t n_first)
{
    const size_t bytes = (size_t)n_vertices * 4;
    struct graph_lists lists = {
        .list = {run_alloc(run, "list0", bytes), run_alloc(run, "list1", bytes)},
        .n_next = run_alloc(run, "n_next", 4),
        .n_vertices = n_vertices,
        .n = n_first};
    host_write(run->host, lists.list[0], first, (size_t)n_first * 4);
    return lists;
}

gpu_ptr graph_lists_now(const struct graph_lists *lists)
{
    return lists->list[lists->turn];
}

gpu_ptr graph_lists_next(const struct graph_lists *lists)
{
    return lists->list[1 - lists->turn];
}

void graph_lists_clear(struct run *run, const struct graph_lists *lists)
{
    graph_flag_clear(run, lists->n_next);
}

void graph_lists_swap(struct run *run, struct graph_lists *lists)
{
    lists->n = 0; /* stays 0 after a host error: the rounds end */
    host_read(run->host, &lists->n, lists->n_next, sizeof lists->n);
    if (lists->n > lists->n_vertices) {
        run_refuse(run, "a list of %u of %u vertices: its counter is wrong", lists->n,
                   lists->n_vertices);
        lists->n = 0;
    }
    lists->turn = 1 - lists->turn;
}

uint32_t *graph_start_at(struct run *run, const struct graph *graph, uint32_t source)
{
    uint32_t *distance = run->failed ? NULL : RUN_ARRAY(run, uint32_t, graph->n_vertices);
    if (distance) {
        memset(distance, 0xff, graph->n_vertices * sizeof *distance);
        distance[source] = 0;
    }
    return distance;
}

uint32_t *graph_priorities(struct run *run, uint32_t n)
{
    uint32_t *priority = run->failed ? NULL : RUN_ARRAY(run, uint32_t, n);
    for (uint32_t v = 0; priority && v < n; v++) {
        priority[v] = (uint32_t)rng_below(&run->rng, n / 4 + 1);
    }
    return priority;
}

gpu_ptr graph_upload_rows(struct run *run, const struct graph *graph)
{
    return run_upload(run, "row", graph->row, ((size_t)graph->n_vertices + 1) * 4);
}

/* One word per edge; room for at least one, so that a graph without edges works. */
static gpu_ptr upload_per_edge(struct run *run, const char *name, const uint32_t *data, uint32_t n)
{
    gpu_ptr to = run_alloc(run, name, (n ? (size_t)n : 1) * sizeof *data);
    host_write(run->host, to, data, (size_t)n * sizeof *data);
    return to;
}

gpu_ptr graph_upload_edges(struct run *run, const struct graph *graph)
{
    return upload_per_edge(run, "edges", graph->col, graph->n_edges);
}

gpu_ptr graph_upload_nodes(struct run *run, const struct graph *graph)
{
    uint32_t(*node)[2] = run_array(run, graph->n_vertices, sizeof *node);
    if (!node) {
        return 0;
    }
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        node[v][0] = graph->row[v];
        node[v][1] = graph_degree(graph, v);
    }
    return run_upload(run, "nodes", node, graph->n_vertices * sizeof *node);
}

uint32_t *graph_weights(struct run *run, const struct graph *graph)
{
    uint32_t *weight = run->failed ? NULL : RUN_ARRAY(run, uint32_t, graph->n_edges);
    double longest = (double)UINT32_MAX / (double)graph->n_vertices;
    for (uint32_t i = 0; weight && i < graph->n_edges; i++) {
        double value = graph->value[i];
        if (!(value >= 0 && value < longest) || value != (double)(uint32_t)value) {
            run_refuse(run,
                       "weight %g of edge %u does not suit 32-bit path lengths; use whole "
                       "numbers from 0 to %.0f",
                       value, i, longest - 1);
            return NULL;
        }
        weight[i] = (uint32_t)value;
    }
    return weight;
}

gpu_ptr graph_upload_weights(struct run *run, const struct graph *graph)
{
    const uint32_t *weight = graph_weights(run, graph);
    return weight ? upload_per_edge(run, "weights", weight, graph->n_edges) : 0;
}

void graph_flag_clear(struct run *run, gpu_ptr flag)
{
    const uint32_t zero = 0;
    host_write(run->host, flag, &zero, sizeof zero);
}

bool graph_flag_is_set(struct run *run, gpu_ptr flag)
{
    uint32_t value = 0; /* stays 0 after a host error: the rounds end */
    host_read(run->host, &value, flag, sizeof value);
    return value != 0;
}
