/* graph_reference.c - see graph_reference.h. */
#include "workloads/graph_reference.h"

#include <stdlib.h>

uint32_t *graph_reference_levels(struct run *run, const struct graph *graph, uint32_t source)
{
    uint32_t *level = graph_start_at(run, graph, source);
    uint32_t *queue = RUN_ARRAY(run, uint32_t, graph->n_vertices);
    if (!level || !queue) {
        return NULL;
    }
    uint32_t head = 0, tail = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t next = graph->col[i];
            if (level[next] == GRAPH_NO_PATH) {
                level[next] = level[v] + 1;
                queue[tail++] = next;
            }
        }
    }
    return level;
}

/* A binary heap of (distance, vertex), smallest first; stale entries may stay. */
struct heap {
    struct heap_entry {
        uint32_t distance, vertex;
    } *entry;
    size_t count;
};

static void heap_push(struct heap *heap, uint32_t distance, uint32_t vertex)
{
    size_t at = heap->count++;
    while (at && heap->entry[(at - 1) / 2].distance > distance) {
        heap->entry[at] = heap->entry[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->entry[at] = (struct heap_entry){distance, vertex};
}

static struct heap_entry heap_pop(struct heap *heap)
{
    struct heap_entry top = heap->entry[0], last = heap->entry[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count &&
            heap->entry[child + 1].distance < heap->entry[child].distance) {
            child++;
        }
        if (heap->entry[child].distance >= last.distance) {
            break;
        }
        heap->entry[at] = heap->entry[child];
        at = child;
    }
    heap->entry[at] = last;
    return top;
}

uint32_t *graph_reference_distances(struct run *run, const struct graph *graph, uint32_t source)
{
    uint32_t *distance = graph_start_at(run, graph, source);
    struct heap heap = {.entry = run_array(run, (size_t)graph->n_edges + 1, sizeof *heap.entry)};
    if (!distance || !heap.entry) {
        return NULL;
    }
    heap_push(&heap, 0, source);
    while (heap.count) {
        struct heap_entry top = heap_pop(&heap);
        if (top.distance > distance[top.vertex]) {
            continue;
        }
        for (uint32_t i = graph->row[top.vertex]; i < graph->row[top.vertex + 1]; i++) {
            uint32_t through = top.distance + (uint32_t)graph->value[i];
            if (through < distance[graph->col[i]]) {
                distance[graph->col[i]] = through;
                heap_push(&heap, through, graph->col[i]);
            }
        }
    }
    return distance;
}

/* The set's representative, with the path to it halved. */
static uint32_t find(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Every vertex alone, or NULL. */
static uint32_t *single_sets(struct run *run, uint32_t n)
{
    uint32_t *parent = run->failed ? NULL : RUN_ARRAY(run, uint32_t, n);
    for (uint32_t v = 0; parent && v < n; v++) {
        parent[v] = v;
    }
    return parent;
}

/* Joins two sets, the smaller vertex represents; false when they are one already. */
static bool join(uint32_t *parent, uint32_t u, uint32_t v)
{
    uint32_t a = find(parent, u), b = find(parent, v);
    parent[a > b ? a : b] = a > b ? b : a;
    return a != b;
}

uint32_t *graph_reference_components(struct run *run, const struct graph *graph)
{
    uint32_t *parent = single_sets(run, graph->n_vertices);
    if (!parent) {
        return NULL;
    }
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            join(parent, v, graph->col[i]);
        }
    }
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        parent[v] = find(parent, v);
    }
    return parent;
}

/* Rank of a vertex: its priority, then its number.  As 64 bits, so that ranks sort. */
static int by_falling_rank(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a < b) - (a > b);
}

uint32_t *graph_reference_order(struct run *run, const uint32_t *priority, uint32_t n)
{
    uint32_t *order = run->failed ? NULL : RUN_ARRAY(run, uint32_t, n);
    uint64_t *rank = order ? RUN_ARRAY(run, uint64_t, n) : NULL;
    if (!rank) {
        return NULL;
    }
    for (uint32_t v = 0; v < n; v++) {
        rank[v] = (uint64_t)priority[v] << 32 | v;
    }
    qsort(rank, n, sizeof *rank, by_falling_rank);
    for (uint32_t k = 0; k < n; k++) {
        order[k] = (uint32_t)rank[k];
    }
    return order;
}

static int by_rising_key(const void *left, const void *right)
{
    return by_falling_rank(right, left);
}

uint8_t *graph_reference_forest(struct run *run, uint32_t n_vertices, const struct graph_link *link,
                                const uint32_t *weight, uint32_t n_links)
{
    uint32_t *parent = single_sets(run, n_vertices);
    uint8_t *taken = parent ? RUN_ARRAY(run, uint8_t, n_links) : NULL;
    uint64_t *key = taken ? RUN_ARRAY(run, uint64_t, n_links) : NULL;
    if (!key) {
        return NULL;
    }
    for (uint32_t name = 0; name < n_links; name++) {
        key[name] = (uint64_t)weight[name] << 32 | name;
    }
    qsort(key, n_links, sizeof *key, by_rising_key);
    for (uint32_t k = 0; k < n_links; k++) {
        uint32_t name = (uint32_t)key[k];
        taken[name] = join(parent, link[name].a, link[name].b);
    }
    return taken;
}
