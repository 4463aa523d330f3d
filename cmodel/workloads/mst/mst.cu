/* mst.cu - minimum spanning forest after Boruvka: every component finds its lightest edge to
 * another one and joins along it (H-MST of Lakshminarayana 2014 section 6.5); the same with the lightest
 * edge of each vertex found first (LS-MST). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

#define NONE 0xffffffffu

/* The two vertices of an edge; 8 bytes, each with its own load. */
struct link {
    unsigned a, b;
};

/* The lightest weight that leads out of each component.  super[v] is v's component. */
KERNEL mst_find_weight(const unsigned *__restrict__ row, const unsigned *__restrict__ edges, const unsigned *__restrict__ weights,
                       const unsigned *__restrict__ super, unsigned *least, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    unsigned own = super[v], best = NONE;
    unsigned i = row[v], end = row[v + 1];
    ROLLED
    for (; i < end; i++) {
        if (super[edges[i]] != own) {
            unsigned w = weights[i];
            best = w < best ? w : best;
        }
    }
    if (best != NONE)
        atomicMin(&least[own], best);
}

/* Of the edges with that weight the one with the lowest name: the same for both ends. */
KERNEL mst_find_edge(const unsigned *__restrict__ row, const unsigned *__restrict__ edges, const unsigned *__restrict__ weights,
                     const unsigned *__restrict__ names, const unsigned *__restrict__ super, const unsigned *__restrict__ least,
                     unsigned *chosen, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    unsigned own = super[v], wanted = least[own], best = NONE;
    unsigned i = row[v], end = row[v + 1];
    ROLLED
    for (; i < end; i++) {
        if (weights[i] == wanted && super[edges[i]] != own) {
            unsigned name = names[i];
            best = name < best ? name : best;
        }
    }
    if (best != NONE)
        atomicMin(&chosen[own], best);
}

/* The lightest edge of each vertex that leads out of its component, with its name: the first of that
 * weight, since names rise along a row.  The document's LS-MST: a head, its tail and the weight. */
KERNEL mst_node_lightest(const unsigned *__restrict__ row, const unsigned *__restrict__ edges, const unsigned *__restrict__ weights,
                         const unsigned *__restrict__ names, const unsigned *__restrict__ super, unsigned *node_weight,
                         unsigned *node_name, unsigned *least, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    unsigned own = super[v], best = NONE, at = 0;
    unsigned i = row[v], end = row[v + 1];
    ROLLED
    for (; i < end; i++) {
        unsigned there = super[edges[i]], w = weights[i];
        if (there != own && w < best) {
            best = w;
            at = i;
        }
    }
    node_weight[v] = best;
    if (best != NONE) {
        node_name[v] = names[at];
        atomicMin(&least[own], best);
    }
}

/* Of those of a component with its least weight the one with the lowest name. */
KERNEL mst_node_agree(const unsigned *__restrict__ super, const unsigned *__restrict__ node_weight,
                      const unsigned *__restrict__ node_name, const unsigned *__restrict__ least, unsigned *chosen, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    unsigned own = super[v], w = node_weight[v];
    if (w != NONE && w == least[own])
        atomicMin(&chosen[own], node_name[v]);
}

/* Where each component goes.  links[] are the edges by name.  Two components that chose the
 * same edge would go in a circle: the lower one stays. */
KERNEL mst_hook(const unsigned *__restrict__ super, const unsigned *__restrict__ chosen, const struct link *__restrict__ links,
                unsigned *parent, unsigned char *in_forest, unsigned *again, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || super[v] != v)
        return;
    unsigned name = chosen[v];
    if (name == NONE)
        return;
    unsigned a = super[links[name].a], b = super[links[name].b];
    unsigned other = a == v ? b : a;
    in_forest[name] = 1;
    *again = 1;
    parent[v] = chosen[other] == name && v < other ? v : other;
}

/* Every vertex follows the parents to its new component. */
KERNEL mst_settle(unsigned *super, const unsigned *parent, unsigned *least, unsigned *chosen,
                  unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    unsigned at = super[v];
    ROLLED
    while (parent[at] != at)
        at = parent[at];
    super[v] = at;
    least[v] = NONE;
    chosen[v] = NONE;
}
