/* graph.c - CSR graphs built from edge lists.
 *
 * Works after Lakshminarayana 2014 section 6.4.  Two stable counting sorts, by
 * target and then by source, put the edges into their rows in rising order in
 * linear time.  Knows nothing of generators and file formats.
 */
#include "workloads/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(struct graph_error *error, const char *text)
{
    snprintf(error->text, sizeof error->text, "%s", text);
    return false;
}

void graph_free(struct graph *graph)
{
    free(graph->row);
    free(graph->col);
    free(graph->value);
    *graph = (struct graph){0};
}

void graph_edges_free(struct graph_edges *edges)
{
    free(edges->edge);
    *edges = (struct graph_edges){0};
}

bool graph_edges_add(struct graph_edges *edges, uint32_t source, uint32_t target, double value)
{
    if (edges->count >= GRAPH_MAX_EDGES) {
        return false;
    }
    if (edges->count == edges->capacity) {
        size_t capacity = edges->capacity ? 2 * edges->capacity : 1024;
        struct graph_edge *edge = realloc(edges->edge, capacity * sizeof *edge);
        if (!edge) {
            return false;
        }
        edges->edge = edge;
        edges->capacity = capacity;
    }
    edges->edge[edges->count++] = (struct graph_edge){source, target, value};
    return true;
}

/* The edges as asked for: loops dropped, reverses added. */
static bool select_edges(struct graph_edges *out, const struct graph_edges *in, unsigned shape)
{
    for (size_t i = 0; i < in->count; i++) {
        const struct graph_edge *e = &in->edge[i];
        bool loop = e->source == e->target;
        if (loop && (shape & GRAPH_NO_LOOPS)) {
            continue;
        }
        if (!graph_edges_add(out, e->source, e->target, e->value)) {
            return false;
        }
        if (!loop && (shape & GRAPH_SYMMETRIC) &&
            !graph_edges_add(out, e->target, e->source, e->value)) {
            return false;
        }
    }
    return true;
}

static uint32_t key_of(const struct graph_edge *edge, bool by_source)
{
    return by_source ? edge->source : edge->target;
}

/* Stable counting sort of `from` into `to`; `next` is scratch of n_vertices + 1
 * entries, the place of the next edge with each key. */
static void sort_edges(struct graph_edge *to, const struct graph_edge *from, size_t count,
                       uint32_t *next, uint32_t n_vertices, bool by_source)
{
    memset(next, 0, ((size_t)n_vertices + 1) * sizeof *next);
    for (size_t i = 0; i < count; i++) {
        next[key_of(&from[i], by_source)]++;
    }
    uint32_t sum = 0;
    for (size_t v = 0; v <= n_vertices; v++) {
        uint32_t n = next[v];
        next[v] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) {
        to[next[key_of(&from[i], by_source)]++] = from[i];
    }
}

/* Of equal edges in the sorted list keeps one, with the smallest value. */
static size_t merge_duplicates(struct graph_edge *edge, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct graph_edge *last = kept ? &edge[kept - 1] : NULL;
        if (last && last->source == edge[i].source && last->target == edge[i].target) {
            if (edge[i].value < last->value) {
                last->value = edge[i].value;
            }
        } else {
            edge[kept++] = edge[i];
        }
    }
    return kept;
}

static bool allocate(struct graph *graph, uint32_t n_vertices, size_t n_edges)
{
    graph->n_vertices = n_vertices;
    graph->n_edges = (uint32_t)n_edges;
    graph->row = calloc((size_t)n_vertices + 1, sizeof *graph->row);
    graph->col = calloc(n_edges ? n_edges : 1, sizeof *graph->col);
    graph->value = calloc(n_edges ? n_edges : 1, sizeof *graph->value);
    return graph->row && graph->col && graph->value;
}

/* Writes sorted edges into the graph's arrays. */
static void fill(struct graph *graph, const struct graph_edge *edge)
{
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        graph->row[edge[i].source + 1]++;
        graph->col[i] = edge[i].target;
        graph->value[i] = edge[i].value;
    }
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        graph->row[v + 1] += graph->row[v];
    }
}

static bool sort_and_fill(struct graph *graph, uint32_t n_vertices, struct graph_edges *edges,
                          unsigned shape)
{
    size_t count = edges->count;
    uint32_t *start = malloc(((size_t)n_vertices + 1) * sizeof *start);
    struct graph_edge *other = malloc((count ? count : 1) * sizeof *other);
    bool ok = start && other;
    if (ok && count) {
        sort_edges(other, edges->edge, count, start, n_vertices, false);
        sort_edges(edges->edge, other, count, start, n_vertices, true);
        if (shape & GRAPH_NO_DUPLICATES) {
            count = merge_duplicates(edges->edge, count);
        }
    }
    ok = ok && allocate(graph, n_vertices, count);
    if (ok) {
        fill(graph, edges->edge);
    }
    free(start);
    free(other);
    return ok;
}

bool graph_build(struct graph *graph, uint32_t n_vertices, const struct graph_edges *edges,
                 unsigned shape, struct graph_error *error)
{
    *graph = (struct graph){0};
    if (n_vertices == 0 || n_vertices > GRAPH_MAX_VERTICES) {
        return fail(error, "a graph has 1 to 67108864 vertices; choose a smaller graph");
    }
    struct graph_edges selected = {0};
    bool ok = select_edges(&selected, edges, shape) &&
              sort_and_fill(graph, n_vertices, &selected, shape);
    graph_edges_free(&selected);
    if (!ok) {
        graph_free(graph);
        return fail(error, "the graph has more edges than memory or the limit of 268435456 "
                           "allows; choose a smaller graph");
    }
    return true;
}

bool graph_reshape(struct graph *graph, unsigned shape, struct graph_error *error)
{
    struct graph_edges edges = {0};
    struct graph reshaped = {0};
    bool ok = true;
    for (uint32_t v = 0; ok && v < graph->n_vertices; v++) {
        for (uint32_t i = graph->row[v]; ok && i < graph->row[v + 1]; i++) {
            ok = graph_edges_add(&edges, v, graph->col[i], graph->value[i]);
        }
    }
    if (!ok) {
        fail(error, "no memory to copy the graph; choose a smaller graph");
    } else {
        ok = graph_build(&reshaped, graph->n_vertices, &edges, shape, error);
    }
    graph_edges_free(&edges);
    if (ok) {
        graph_free(graph);
        *graph = reshaped;
    }
    return ok;
}

uint32_t graph_degree(const struct graph *graph, uint32_t vertex)
{
    return graph->row[vertex + 1] - graph->row[vertex];
}

uint32_t graph_max_degree(const struct graph *graph)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        uint32_t degree = graph_degree(graph, v);
        most = degree > most ? degree : most;
    }
    return most;
}
