/* ptx_graph.c - see ptx_graph.h. */
#include "ptx/ptx_graph.h"

#include <stdbool.h>

/* A rooted graph for the dominator computation: m nodes, edges both ways. */
struct rooted {
    uint32_t m, root;
    const uint32_t *first, *target; /* forward */
    const uint32_t *back_first, *back_target;
};

/* The transpose of m nodes' edges. */
static void transpose(struct ptx_diag *diag, uint32_t m, const uint32_t *first,
                      const uint32_t *target, uint32_t **out_first, uint32_t **out_target)
{
    uint32_t *count = ptx_alloc(diag, m + 2, sizeof(*count));
    uint32_t *list = ptx_alloc(diag, first[m] + 1, sizeof(*list));
    uint32_t *at = ptx_alloc(diag, m + 1, sizeof(*at));
    for (uint32_t e = 0; e < first[m]; e++) {
        count[target[e] + 1]++;
    }
    for (uint32_t v = 0; v < m; v++) {
        count[v + 1] += count[v];
        at[v] = count[v];
    }
    for (uint32_t v = 0; v < m; v++) {
        for (uint32_t e = first[v]; e < first[v + 1]; e++) {
            list[at[target[e]]++] = v;
        }
    }
    *out_first = count;
    *out_target = list;
}

/* Nodes reachable from the root in post-order; returns how many.  position[] NONE when unreached.
 */
static uint32_t post_order(struct ptx_diag *diag, const struct rooted *g, uint32_t *order,
                           uint32_t *position)
{
    uint32_t *stack = ptx_alloc(diag, g->m + 1, sizeof(*stack));
    uint32_t *edge = ptx_alloc(diag, g->m + 1, sizeof(*edge));
    bool *seen = ptx_alloc(diag, g->m + 1, sizeof(*seen));
    uint32_t top = 0, n = 0;
    for (uint32_t v = 0; v < g->m; v++) {
        position[v] = PTX_GRAPH_NONE;
        edge[v] = g->first[v];
    }
    stack[top++] = g->root;
    seen[g->root] = true;
    while (top != 0) {
        uint32_t v = stack[top - 1];
        if (edge[v] == g->first[v + 1]) {
            position[v] = n;
            order[n++] = v;
            top--;
            continue;
        }
        uint32_t to = g->target[edge[v]++];
        if (!seen[to]) {
            seen[to] = true;
            stack[top++] = to;
        }
    }
    return n;
}

static uint32_t intersect(const uint32_t *idom, const uint32_t *position, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (position[a] < position[b]) {
            a = idom[a];
        }
        while (position[b] < position[a]) {
            b = idom[b];
        }
    }
    return a;
}

static uint32_t *dominators(struct ptx_diag *diag, const struct rooted *g)
{
    uint32_t *order = ptx_alloc(diag, g->m + 1, sizeof(*order));
    uint32_t *position = ptx_alloc(diag, g->m + 1, sizeof(*position));
    uint32_t *idom = ptx_alloc(diag, g->m + 1, sizeof(*idom));
    uint32_t n = post_order(diag, g, order, position);
    for (uint32_t v = 0; v < g->m; v++) {
        idom[v] = PTX_GRAPH_NONE;
    }
    idom[g->root] = g->root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = n - 1; i-- > 0;) { /* reverse post-order, the root left out */
            uint32_t v = order[i], best = PTX_GRAPH_NONE;
            for (uint32_t e = g->back_first[v]; e < g->back_first[v + 1]; e++) {
                uint32_t from = g->back_target[e];
                if (idom[from] != PTX_GRAPH_NONE) {
                    best = best == PTX_GRAPH_NONE ? from : intersect(idom, position, best, from);
                }
            }
            changed = changed || best != idom[v];
            idom[v] = best;
        }
    }
    return idom;
}

/* Rows for n + 1 nodes: the exit has no successors. */
static const uint32_t *with_exit(struct ptx_diag *diag, const struct ptx_graph *graph)
{
    uint32_t *first = ptx_alloc(diag, graph->n + 2, sizeof(*first));
    for (uint32_t v = 0; v <= graph->n; v++) {
        first[v] = graph->first[v];
    }
    first[graph->n + 1] = graph->first[graph->n];
    return first;
}

uint32_t *ptx_graph_ipdom(struct ptx_diag *diag, const struct ptx_graph *graph)
{
    uint32_t *first, *target;
    const uint32_t *forward = with_exit(diag, graph);
    transpose(diag, graph->n + 1, forward, graph->target, &first, &target);
    struct rooted reversed = {graph->n + 1, graph->n, first, target, forward, graph->target};
    return dominators(diag, &reversed);
}

uint32_t *ptx_graph_idom(struct ptx_diag *diag, const struct ptx_graph *graph)
{
    uint32_t *first, *target;
    const uint32_t *forward = with_exit(diag, graph);
    transpose(diag, graph->n + 1, forward, graph->target, &first, &target);
    struct rooted rooted = {graph->n + 1, 0, forward, graph->target, first, target};
    return dominators(diag, &rooted);
}

static bool dominates(const uint32_t *idom, uint32_t a, uint32_t b)
{
    if (idom[b] == PTX_GRAPH_NONE) {
        return false;
    }
    while (b != a && idom[b] != b) {
        b = idom[b];
    }
    return a == b;
}

static struct ptx_loop *loop_of(struct ptx_diag *diag, struct ptx_loop **loops, uint32_t *n_loops,
                                uint32_t header, uint32_t n)
{
    for (uint32_t i = 0; i < *n_loops; i++) {
        if ((*loops)[i].header == header) {
            return &(*loops)[i];
        }
    }
    *loops = ptx_grow(diag, *loops, *n_loops, sizeof(**loops));
    struct ptx_loop *loop = &(*loops)[(*n_loops)++];
    loop->header = header;
    loop->contains = ptx_alloc(diag, n + 1, 1);
    loop->contains[header] = 1;
    return loop;
}

/* Everything that reaches `from` without passing the header. */
static void add_body(struct ptx_loop *loop, uint32_t from, const uint32_t *back_first,
                     const uint32_t *back_target, uint32_t *stack)
{
    uint32_t top = 0;
    if (loop->contains[from] == 0) {
        loop->contains[from] = 1;
        stack[top++] = from;
    }
    while (top != 0) {
        uint32_t v = stack[--top];
        for (uint32_t e = back_first[v]; e < back_first[v + 1]; e++) {
            if (loop->contains[back_target[e]] == 0) {
                loop->contains[back_target[e]] = 1;
                stack[top++] = back_target[e];
            }
        }
    }
}

struct ptx_loop *ptx_graph_loops(struct ptx_diag *diag, const struct ptx_graph *graph,
                                 uint32_t *n_loops)
{
    uint32_t *back_first, *back_target;
    const uint32_t *idom = ptx_graph_idom(diag, graph);
    uint32_t *stack = ptx_alloc(diag, graph->n + 1, sizeof(*stack));
    struct ptx_loop *loops = NULL;
    transpose(diag, graph->n + 1, with_exit(diag, graph), graph->target, &back_first, &back_target);
    *n_loops = 0;
    for (uint32_t v = 0; v < graph->n; v++) {
        for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            uint32_t header = graph->target[e];
            if (header < graph->n && dominates(idom, header, v)) {
                add_body(loop_of(diag, &loops, n_loops, header, graph->n), v, back_first,
                         back_target, stack);
            }
        }
    }
    return loops;
}
